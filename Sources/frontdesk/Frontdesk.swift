import DeskCommandLine
import FoundationEssentials
import Glibc

/// The program: understands its command line, runs one command, ends with its exit code.
@main
struct Frontdesk {
    static func main() {
        openStandardStreams()
        let words = Array(CommandLine.arguments.dropFirst())
        do throws(UsageError) {
            let environment = ProcessInfo.processInfo.environment
            switch try Invocation(words, environment: environment) {
            case .help(let text): Output.print(text)
            case .run(let command, let parsed):
                for stray in StrayVariables.all(in: environment, of: command) {
                    Output.complain(stray)
                }
                run(command, parsed)
            }
        } catch {
            Output.complain(error)
            exit(2)
        }
    }

    /// Opens those of the three standard streams that the program was started without: what is opened next would
    /// have their numbers, and the log would be written into it.
    private static func openStandardStreams() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            let opened = unsafe open("/dev/null", O_RDWR)
            guard opened != descriptor else { continue }
            _ = dup2(opened, descriptor)
            close(opened)
        }
    }

    private static func run(_ command: CommandDescription, _ parsed: Parsed) {
        Crash.keepMemoryPrivate()
        if command.name == Catalogue.serve.name, parsed.claim("check") == true {
            exit(ConfigurationCheck.run(parsed, executable: Executable.path))
        }
        do throws(UsageError) {
            try parsed.useDatabasePassword()
        } catch {
            Output.complain(error)
            exit(2)
        }
        // What is written into a directory that others may read is still its owner's alone.
        umask(0o077)
        let executable = Executable.path
        switch command.name {
        case Catalogue.version.name: Output.print(Version.text)
        case Catalogue.completionBash.name: Output.print(BashCompletion(of: Catalogue.all).text)
        case Catalogue.manual.name: Output.print(Catalogue.manualPage.text)
        case Catalogue.lint.name: exit(LintCommand.run(parsed, executable: executable))
        case Catalogue.explain.name: exit(ExplainCommand.run(parsed, executable: executable))
        case Catalogue.limits.name: exit(LimitsCommand.run(parsed))
        case Catalogue.doctor.name: exit(DoctorCommand.run(parsed))
        case Catalogue.translate.name:
            exit(TranslateCommand.run(parsed, executable: executable))
        case Catalogue.schemaList.name: exit(SchemaCommand.list(parsed, executable: executable))
        case Catalogue.schemaShow.name: exit(SchemaCommand.show(parsed, executable: executable))
        case Catalogue.verify.name:
            Task { exit(await VerifyCommand.run(parsed)) }
            while true { pause() }
        case Catalogue.restore.name: exit(RestoreCommand.run(parsed))
        case Catalogue.move.name:
            Task { exit(await MoveCommand.run(parsed)) }
            while true { pause() }
        case Catalogue.export.name:
            Task { exit(await ExportCommand.run(parsed)) }
            while true { pause() }
        case Catalogue.importing.name:
            Task { exit(await ImportCommand.run(parsed)) }
            while true { pause() }
        case Catalogue.secretsRotate.name:
            Task { exit(await SecretsCommand.rotate(parsed)) }
            while true { pause() }
        case Catalogue.secretsForget.name:
            Task { exit(await SecretsCommand.forget(parsed)) }
            while true { pause() }
        case Catalogue.serve.name:
            let signals = SignalWatch()
            // The one task without a parent: the main thread belongs to the signals.
            Task { exit(await ServeCommand.run(parsed, executable: executable, signals)) }
            signals.run()
        case Catalogue.gateway.name:
            let signals = SignalWatch()
            // As above.
            Task { exit(await EphemeralCommand.run(parsed, executable: executable, signals)) }
            signals.run()
        case Catalogue.listen.name:
            let signals = SignalWatch()
            // As above.
            Task { exit(await ListenCommand.run(parsed, signals)) }
            signals.run()
        case Catalogue.mcp.name:
            Task { exit(await MCPCommand.run(parsed)) }
            while true { pause() }
        case Catalogue.mailTest.name:
            Task { exit(await MailTestCommand.run(parsed)) }
            while true { pause() }
        case Catalogue.trigger.name:
            Task { exit(await TriggerCommand.run(parsed, executable: executable)) }
            while true { pause() }
        case Catalogue.simulate.name:
            Task { exit(await SimulateCommand.run(parsed)) }
            while true { pause() }
        default:
            // As above; here the signals do what they do to every command.
            Task { exit(await AdminCommand.run(command, parsed)) }
            while true { pause() }
        }
    }
}
