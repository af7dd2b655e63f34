import DeskBytes
import DeskCommandLine
import DeskJSON

/// Sends lines to a server, many in one request.
struct LineSender {
    /// Lines of a request.
    static let mostLines = 500
    /// Bytes of a request; one line more may be in it as long as the server reads it.
    static let mostBytes = 1_024 * 1_024
    /// Bytes that a request of the server may have.
    static let serverBytes = 4 * 1_024 * 1_024

    private let server: RemoteServer
    private let path: String
    private let print: (String) -> Void
    private var body: [UInt8] = []
    /// How the file calls each line of the body.
    private var places: [String?] = []
    private(set) var totals = ImportTotals()
    /// What earlier requests of a dry run had; nil where lines are stored.
    private var repeats: RepeatWatch?
    /// The lines of the body of a dry run.
    private var lines: [[UInt8]] = []

    init(
        _ server: RemoteServer, business: String, source: String, isDryRun: Bool,
        print: @escaping (String) -> Void
    ) {
        self.server = server
        self.print = print
        repeats = isDryRun ? RepeatWatch() : nil
        path =
            "/api/businesses/\(business)/imports?source=\(PercentCoding.encode(source))"
            + (isDryRun ? "&dryRun=true" : "")
    }

    /// Whether a line of a dry run is about what an earlier request had.
    func isRepeated(_ line: [UInt8]) -> Bool { repeats?.knows(line) ?? false }

    /// Whether a dry run had more names than are kept, so that what it has again may count twice.
    var hasLostNames: Bool { repeats?.isFull ?? false }

    /// Sends a line, now or with those that follow.
    ///
    /// - Returns: whether the lines before it were sent, so that this one is the first of a request.
    @discardableResult
    mutating func send(_ line: [UInt8], at place: String?) async throws(UsageError) -> Bool {
        var begins = body.isEmpty
        if places.count >= Self.mostLines
            || (!body.isEmpty && body.count + line.count >= Self.mostBytes)
        {
            try await flush()
            begins = true
        }
        guard line.count < Self.serverBytes else {
            throw UsageError(
                "\(place ?? "a line") has \(line.count) bytes; a server reads "
                    + "\(Self.serverBytes) at once")
        }
        body += line
        body.append(0x0A)
        places.append(place)
        if repeats != nil { lines.append(line) }
        return begins
    }

    /// Counts a line that no server reads.
    mutating func noteTooLong() { totals.tooLong += 1 }

    /// Sends what waits.
    ///
    /// - Throws: after it printed what was imported until then.
    mutating func flush() async throws(UsageError) {
        guard !body.isEmpty else { return }
        let answer: JSONValue
        do throws(UsageError) {
            answer = try await server.send(lines: body, to: path)
        } catch {
            guard totals.lines > 0 else { throw error }
            print(totals.text(types: ForeignImport.types))
            guard repeats == nil else { throw error }
            throw UsageError(
                error.message,
                hint: "it ended early: run it again, which adds only what is not there yet")
        }
        let places = places
        for text in totals.add(
            answer, place: { places.indices.contains($0 - 1) ? places[$0 - 1] : nil })
        {
            print(text)
        }
        let outcomes = answer["outcomes"].map { $0.elements.map(\.string) } ?? []
        for one in repeats?.add(lines, outcomes) ?? [] { totals.correct(one) }
        lines.removeAll(keepingCapacity: true)
        body.removeAll(keepingCapacity: true)
        self.places.removeAll(keepingCapacity: true)
    }
}
