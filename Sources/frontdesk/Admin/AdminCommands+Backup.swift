import DeskCommandLine
import DeskModel
import DeskStore
import Glibc

extension AdminCommands {
    /// Makes a backup; with a server it runs beside all else.
    func backUp(_ parsed: Parsed) async throws(StoreError) -> Result {
        guard let directory = parsed.arguments.first, parsed.arguments.count == 1,
            directory.hasPrefix("/")
        else { return .failed("name one directory to make the backup in") }
        let begin = time.instant()
        let backup: StoreBackup
        do throws(StoreError) {
            backup = try await store.backUp(
                to: directory, at: time.now(), leaving: freeBytes)
        } catch {
            guard error.code == .failed || error.code == .full else { throw error }
            let hint =
                error.detail.contains(SystemWords.text(EROFS))
                ? "\nsystemd lets the server write there only with ReadWritePaths= in its unit" : ""
            return .failed(
                "the backup in \(directory) could not be made: \(StoreFailure.words(error))\(hint)")
        }
        let text = VerifyCommand.text(
            of: backup.verification, after: begin.duration(to: time.instant()))
        guard backup.verification.isClean else {
            return .failed("\(text)\nthe backup is damaged: \(backup.directory)")
        }
        return .done("\(text)\nthe backup is in \(backup.directory)")
    }

    /// Begins another epoch of a database that was restored.
    func beginEpoch() async throws(StoreError) -> Result {
        try await store.beginEpoch(.random())
        return .done(
            """
            Another epoch has begun: readers of streams get a reset.
            Servers that run on the database end with code 71; start them again.
            """)
    }
}
