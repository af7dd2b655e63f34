import DeskCommandLine
import DeskHTTP
import DeskJSON
import DeskModel
import DeskNet

/// `frontdesk import --from`: what another system has, over the API of a server that runs.
struct ForeignImport {
    /// The systems whose files are read.
    enum System: String, CaseIterable {
        /// The answers of Chatwoot's API.
        case chatwoot
        /// Lines of JSON, as docs/import.md has them.
        case jsonl
    }

    /// The types of lines in the order in which counts are printed.
    static let types = ["label", "template", "customer", "conversation", "message", "note"]

    /// 0 when everything was imported, 1 when lines were refused or the server was, 2 for the command line.
    static func run(_ parsed: Parsed) async -> Int32 {
        do throws(UsageError) {
            let command = try ForeignImport(
                parsed, client: CurlClient(reach: .anywhere), print: { Output.print($0) })
            return try await command.run()
        } catch {
            Output.complain(error)
            return 2
        }
    }

    let system: System
    let path: String
    let server: RemoteServer
    let business: String?
    let source: String
    let isDryRun: Bool
    let print: (String) -> Void

    init(
        _ parsed: Parsed, client: any OutgoingClient, print: @escaping (String) -> Void
    ) throws(UsageError) {
        let name = parsed["from"] ?? ""
        guard let system = System(rawValue: name) else {
            let words = System.allCases.map(\.rawValue).joined(separator: " or ")
            throw UsageError("--from is \(words), not \"\(name)\"")
        }
        // What a server's environment has for all commands is no wish of this one.
        for flag in ["data", "database", "merge"] where parsed.isTyped(flag) {
            throw UsageError(
                "--from asks a server that runs, and --\(flag) works on a store itself",
                hint: "leave one of them out")
        }
        guard let path = parsed.arguments.first, parsed.arguments.count == 1 else {
            throw UsageError("import takes one file", hint: "see: frontdesk import --help")
        }
        self.system = system
        self.path = path
        self.print = print
        server = try RemoteServer(parsed, client: client)
        business = parsed["business"]
        source = parsed["source"] ?? (system == .chatwoot ? "chatwoot" : "import")
        isDryRun = parsed.claim("dry-run") == true
    }

    func run() async throws(UsageError) -> Int32 {
        let file = try ImportFile(path)
        let business = try await server.business(named: business)
        var sender = LineSender(
            server, business: business, source: source, isDryRun: isDryRun, print: print)
        var faults = 0
        switch system {
        case .jsonl: faults = try await sendLines(of: file, by: &sender)
        case .chatwoot:
            guard path != "-" else {
                throw UsageError(
                    "the answers of Chatwoot are read twice: first to sort them, then to send them",
                    hint: "name a file instead of -")
            }
            let index = try ChatwootIndex(file)
            for text in index.findings { print(text) }
            var lines = ChatwootLines(index, file)
            for text in try await lines.send(by: &sender) { print(text) }
        }
        try await sender.flush()
        print(sender.totals.text(types: Self.types))
        if sender.hasLostNames {
            print(
                "of more than \(RepeatWatch.mostNames) names the first are kept: what the file has again "
                    + "behind them counts as added each time")
        }
        if isDryRun { print("a dry run: nothing was imported") }
        return sender.totals.refused + faults == 0 ? 0 : 1
    }

    /// Sends the lines of a file; how many are too long, or messages that are not in the order of their time.
    private func sendLines(
        of file: ImportFile, by sender: inout LineSender
    ) async throws(UsageError) -> Int {
        // With its end it has as many bytes as a server reads at once.
        let mostBytes = LineSender.serverBytes - 1
        var splitter = LineSplitter(mostBytes: mostBytes)
        var order = OrderWatch()
        var number = 0
        var faults = 0
        func complain(_ text: String) {
            faults += 1
            if faults <= ImportTotals.mostPrinted { print("line \(number): \(text)") }
        }
        while true {
            let piece = try file.next()
            var lines = piece.isEmpty ? [] : splitter.take(piece)
            if piece.isEmpty, let last = splitter.finish() { lines.append(last) }
            for line in lines {
                number += 1
                guard case .bytes(let bytes) = line else {
                    complain("error: found more than \(mostBytes) bytes; allowed: \(mostBytes)")
                    sender.noteTooLong()
                    continue
                }
                guard !bytes.isEmpty else { continue }
                if try await sender.send(bytes, at: "line \(number)") { order.noteSent() }
                // What is known already is not late.
                if isDryRun, !sender.isRepeated(bytes), let fault = order.add(bytes) {
                    complain(fault)
                }
            }
            guard !piece.isEmpty else { return faults }
        }
    }
}
