import DeskCommandLine
import DeskLog
import DeskStore

/// The socket in the data directory through which commands reach the running server.
struct AdminSocket: Sendable {
    /// A command that waits for its answer.
    struct Exchange: Sendable {
        let command: String
        let parsed: Parsed
        private let socket: LocalSocket

        init(_ command: String, _ parsed: Parsed, _ socket: LocalSocket) {
            self.command = command
            self.parsed = parsed
            self.socket = socket
        }

        /// Answers; the other side then ends.
        func answer(_ result: AdminCommands.Result) { socket.writeAll(AdminWire.encode(result)) }

        /// Sends lines before the answer; false when the client reads no more.
        func stream(_ lines: [UInt8]) -> Bool { socket.write(lines) }

        func answer(afterLines result: AdminCommands.Result) {
            socket.writeAll(AdminWire.encode(afterLines: result))
        }
    }

    static let name = "admin.socket"
    /// What is said where a server accepted a command and did not answer.
    static let noAnswer = AdminCommands.Result.failed(
        "the running server did not answer; it may do it still, so look before you try again")
    /// Commands that may wait; one more is hung up on.
    private static let waiting = 16

    private let exchanges: AsyncStream<Exchange>

    /// Listens in the data directory; a thread accepts the connections.
    init(in folder: String) throws(LocalSocket.Failure) {
        let listener = try LocalSocket.listen(in: folder, name: Self.name)
        let (stream, continuation) = AsyncStream.makeStream(
            of: Exchange.self, bufferingPolicy: .bufferingOldest(Self.waiting))
        exchanges = stream
        WorkerThread.start {
            while let socket = listener.accept() {
                guard let bytes = socket.readAll(upTo: AdminWire.maximumBytes),
                    let request = AdminWire.decode(bytes)
                else { continue }
                continuation.yield(Exchange(request.command, request.parsed, socket))
            }
            continuation.finish()
        }
    }

    /// Answers commands until the task is cancelled; a long one keeps no other waiting.
    func run(_ commands: AdminCommands, _ blobs: any BlobStore, log: Log) async {
        await withDiscardingTaskGroup { group in
            for await exchange in exchanges {
                log.info("admin_command", ["command": .text(exchange.command)])
                group.addTask {
                    let isExport = exchange.command == Catalogue.export.name
                    if let named = exchange.parsed["database"], named != commands.database {
                        isExport
                            ? exchange.answer(afterLines: .elsewhere) : exchange.answer(.elsewhere)
                        return
                    }
                    guard isExport else {
                        exchange.answer(await commands.run(exchange.command, exchange.parsed))
                        return
                    }
                    exchange.answer(
                        afterLines: await commands.export(blobs) { exchange.stream($0) })
                }
            }
        }
    }

    /// Asks the server that runs on a data directory; nil when none does, or it works on another database than
    /// the one that `database` names.
    ///
    /// Without `patience` it waits for the answer without a limit.
    static func ask(
        in folder: String, _ command: String, _ parsed: Parsed, database: DatabaseAddress? = nil,
        patienceSeconds: Int? = LocalSocket.patienceSeconds
    ) throws(LocalSocket.Failure) -> AdminCommands.Result? {
        let found = try LocalSocket.connect(
            in: folder, name: name, patienceSeconds: patienceSeconds)
        guard let socket = found else { return nil }
        var parsed = parsed
        parsed.values["database"] = database.map { [$0.text] }
        guard socket.writeAll(AdminWire.encode(command, parsed)),
            let bytes = socket.readAll(upTo: AdminWire.maximumBytes),
            let result = AdminWire.decodeResult(bytes)
        else {
            return noAnswer
        }
        return result == .elsewhere ? nil : result
    }

    /// Has the server that runs on a data directory hand over lines; nil as with ``ask``.
    ///
    /// It waits for them without a limit.
    static func stream(
        in folder: String, _ command: String, database: DatabaseAddress?,
        to output: @Sendable ([UInt8]) -> Bool
    ) throws(LocalSocket.Failure) -> AdminCommands.Result? {
        let found = try LocalSocket.connect(in: folder, name: name, patienceSeconds: nil)
        guard let socket = found else { return nil }
        let parsed = Parsed(values: database.map { ["database": [$0.text]] } ?? [:])
        var answer: [UInt8]?
        let isWhole =
            socket.writeAll(AdminWire.encode(command, parsed))
            && socket.read { bytes in
                if answer != nil {
                    answer? += bytes
                    return true
                }
                let end = bytes.firstIndex(of: AdminWire.linesEnd) ?? bytes.count
                if end < bytes.count { answer = Array(bytes[(end + 1)...]) }
                return end == 0 || output(Array(bytes[..<end]))
            }
        guard isWhole, let answer, let result = AdminWire.decodeResult(answer) else {
            return .failed(
                "nothing was exported: the output accepted no more, or the server ended or cut it off"
            )
        }
        return result == .elsewhere ? nil : result
    }
}
