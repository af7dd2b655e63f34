import DeskCommandLine
import DeskModel
import DeskStore

/// `frontdesk restore`: puts a backup into an empty data directory.
enum RestoreCommand {
    static func run(_ parsed: Parsed) -> Int32 {
        let folder = parsed["data"] ?? ServeConfiguration.defaultData
        guard parsed.arguments.count == 1 else {
            Output.complain("restore takes one backup", hint: "see: frontdesk restore --help")
            return 2
        }
        do throws(Installation.Failure) {
            // A database that only the environment names does not matter to a restore into a folder that was given.
            if parsed.isTyped("database") || !parsed.isTyped("data") {
                try DatabaseFailure.requireNone(parsed["database"].map { DatabaseAddress($0) })
            }
        } catch {
            Output.complain(error.message, hint: error.hint)
            return 1
        }
        let backup = parsed.arguments[0]
        let begin = ContinuousClock.now
        do throws(StoreError) {
            let found = try DataFolder.restore(backup, to: folder)
            Output.print(VerifyCommand.text(of: found, after: begin.duration(to: .now)))
            Output.print("\(backup) is restored in \(folder)")
            if let line = VerifyCommand.keyLine(of: found, in: folder) { Output.print(line) }
            return 0
        } catch {
            Output.complain("nothing was restored: \(StoreFailure.words(error))")
            return error.code == .refused ? 2 : 1
        }
    }
}
