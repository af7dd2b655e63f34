import FoundationEssentials
import Glibc

/// The program: understands its command line, runs one command, ends with its exit code.
@main
struct Frontdesk {
    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        do throws(UsageError) {
            switch try Invocation(words, environment: ProcessInfo.processInfo.environment) {
            case .help(let text): Output.print(text)
            case .run(let command, let parsed): exit(await run(command, parsed))
            }
        } catch {
            Output.complain(error)
            exit(2)
        }
    }

    private static func run(_ command: CommandDescription, _ parsed: Parsed) async -> Int32 {
        let executable = Executable.path
        switch command.name {
        case Catalogue.serve.name:
            return await ServeCommand.run(parsed, executable: executable)
        case Catalogue.lint.name: return LintCommand.run(parsed, executable: executable)
        case Catalogue.version.name:
            Output.print(Version.text)
            return 0
        default: return await AdminCommand.run(command, parsed)
        }
    }
}
