import DeskCommandLine
import DeskModel

/// Variables of the environment that look like ours and that nothing reads.
///
/// A misspelt flag ends the process; a misspelt variable would be without effect and without a word.
enum StrayVariables {
    private static let prefix = "FRONTDESK_"

    /// What to say of each; nothing for commands that read no variables.
    static func all(
        in environment: [String: String], of command: CommandDescription
    ) -> [UsageError] {
        let own = command.flags.filter(\.isConfiguration).map(\.variable)
        guard !own.isEmpty else { return [] }
        let flags = Catalogue.all.flatMap(\.flags).filter(\.isConfiguration)
        let known = Set(flags.map(\.variable))
        return environment.keys.sorted().filter { $0.hasPrefix(prefix) && !known.contains($0) }
            .map { name in
                let word = String(name.dropFirst(prefix.count))
                let near = Nearest.find(word, among: own.map { String($0.dropFirst(prefix.count)) })
                return UsageError(
                    "the variable \(name) is not known and without effect",
                    hint: near.map { "did you mean \(prefix)\($0)?" })
            }
    }
}
