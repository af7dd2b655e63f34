import DeskCommandLine
import DeskLog

extension AdminCommands {
    /// Says from which level on the running server logs, or has it log from another one on.
    func changeLogLevel(_ parsed: Parsed) -> Result {
        guard let log else {
            return .failed("no server runs on this data; a start reads --log-level")
        }
        let former = log.level
        guard let word = parsed.arguments.first else {
            return .done("The server logs from \(former.text) on.")
        }
        guard parsed.arguments.count == 1, let level = LogLevel(word) else {
            let words = LogLevel.allCases.map(\.text).joined(separator: ", ")
            return .failed(
                "log level takes one of \(words), not \"\(parsed.arguments.joined(separator: " "))\""
            )
        }
        // Written under whichever of the two writes more.
        if level < former { log.setLevel(level) }
        log.info("log_level_changed", ["from": .text(former.text), "to": .text(level.text)])
        log.setLevel(level)
        return .done(
            "The server logs from \(level.text) on, and did from \(former.text) on. It does until it "
                + "ends: the next start reads --log-level.")
    }
}
