/// A script with which bash completes the command lines of this program, made from the table of commands.
package struct BashCompletion: Sendable {
    private let commands: [CommandDescription]

    /// A script for these commands.
    package init(of commands: [CommandDescription]) { self.commands = commands }

    /// The script, which a shell sources or finds by the program's name.
    package var text: String {
        var parts = [Self.beginning]
        parts += groups
        parts.append(Self.place(firstWords))
        parts += commands.map(Self.arm)
        parts.append(Self.end)
        return parts.joined(separator: "\n")
    }

    /// The first word of each command, once, in the order of the table.
    private var firstWords: [String] {
        var words: [String] = []
        for command in commands {
            guard let word = command.words.first, !words.contains(word) else { continue }
            words.append(word)
        }
        return words
    }

    /// Which second words may follow a first one.
    private var groups: [String] {
        firstWords.compactMap { first in
            let members = commands.filter { $0.words.count == 2 && $0.words.first == first }
            guard !members.isEmpty else { return nil }
            let words = members.compactMap(\.words.last).joined(separator: " ")
            return "    \(first)) members='\(words)' ;;"
        }
    }

    /// Finds the variables of the shell's own, then which first and second word there are.
    private static let beginning = """
        # Completes the command lines of frontdesk: in bash, and in zsh after bashcompinit.
        # Made by "frontdesk completion bash" from the program's own table of commands.

        # Without compopt, which zsh lacks, other words are completed as paths where none are known.
        _frontdesk_option() {
            compopt "$@" 2>/dev/null
            return 0
        }

        _frontdesk() {
            local position=$COMP_CWORD current=${COMP_WORDS[COMP_CWORD]-}
            local previous=${COMP_WORDS[COMP_CWORD-1]-}
            local first=${COMP_WORDS[1]-} second=${COMP_WORDS[2]-}
            local command= members= flags= words= kind= paths= joined= stem= help=
            COMPREPLY=()
            if [[ $first == help ]] && ((position > 1)); then
                help=yes first=$second second=${COMP_WORDS[3]-} position=$((position - 1))
            fi
            # --flag=value is three words or one, as COMP_WORDBREAKS has it.
            if [[ $current == = ]]; then
                current= joined=yes
            elif [[ $previous == = ]] && ((position > 2)); then
                previous=${COMP_WORDS[COMP_CWORD-2]} joined=yes
            elif [[ $current == --*=* ]]; then
                previous=${current%%=*} stem=${current%%=*}= current=${current#*=} joined=yes
            fi
            case $first in
        """

    /// Which command the words before the cursor name.
    private static func place(_ firstWords: [String]) -> String {
        """
            esac
            if ((position > 1)); then
                command=$first
                if ((position > 2)) && [[ -n $second && " $members " == *" $second "* ]]; then
                    command="$first $second"
                fi
            fi
            case $command in
            '') words='\(firstWords.joined(separator: " ")) help --help --version' ;;
        """
    }

    /// The flags of a command, and what the value of each one is.
    private static func arm(_ command: CommandDescription) -> String {
        let flags = command.flags.map { "--\($0.name)" } + ["--help"]
        let paths = ["FILE", "DIR", "BACKUP", "SCRIPT"].contains { command.arguments.contains($0) }
        var lines = ["    '\(command.name)')", "        flags='\(flags.joined(separator: " "))'"]
        if paths { lines.append("        paths=yes") }
        let cases = cases(of: command)
        if !cases.isEmpty { lines += ["        case $previous in"] + cases + ["        esac"] }
        return (lines + ["        ;;"]).joined(separator: "\n")
    }

    private static func cases(of command: CommandDescription) -> [String] {
        let kinds = ["switch", "files", "folders", "text"].compactMap { kind -> String? in
            let flags = command.flags.filter { $0.choices.isEmpty && Self.kind(of: $0) == kind }
            guard !flags.isEmpty else { return nil }
            let names = flags.map { "--\($0.name)" }.joined(separator: " | ")
            return "        \(names)) kind=\(kind) ;;"
        }
        let choices = command.flags.filter { !$0.choices.isEmpty }.map { flag in
            "        --\(flag.name)) kind=words words='\(flag.choices.joined(separator: " "))' ;;"
        }
        return kinds + choices
    }

    private static func kind(of flag: Flag) -> String {
        switch flag.takes {
        case .onOrOff: return "switch"
        case .value(let placeholder), .values(let placeholder):
            let names = placeholder.split(separator: "|")
            if names.contains("FILE") { return "files" }
            return names.contains("DIR") ? "folders" : "text"
        }
    }

    /// Offers what was found; without an offer bash completes a path by itself.
    private static let end = """
            esac
            if [[ -n $help ]]; then
                ((position > 1)) && words=$members
                ((position > 2)) && words=
                kind=words
            elif [[ $kind == switch ]]; then
                kind=
                [[ -n $joined ]] && kind=words words='on off'
            elif [[ -z $kind && -z $command ]]; then
                kind=words
            elif [[ -z $kind && -n $members && $current != -* ]] && ((position == 2)); then
                kind=words words=$members
            fi
            case $kind in
            files) return 0 ;;
            folders)
                _frontdesk_option -o dirnames +o default
                return 0
                ;;
            text)
                _frontdesk_option +o default
                return 0
                ;;
            words) ;;
            *)
                [[ -n $joined ]] && return 0
                [[ -n $paths && $current != -* ]] && return 0
                words=$flags
                ;;
            esac
            _frontdesk_option +o default
            COMPREPLY=($(compgen -P "$stem" -W "$words" -- "$current"))
            [[ ${COMPREPLY[0]-} == *= ]] && _frontdesk_option -o nospace
            return 0
        }

        complete -o default -F _frontdesk frontdesk
        """
}
