import DeskCommandLine
import DeskHTTP
import DeskJSON
import DeskModel

extension RemoteServer {
    /// How often a server is asked again that has too much to do.
    private static let tries = 30
    /// The longest wait between two tries.
    private static let longestWait = Duration.seconds(60)

    /// Sends lines of JSON, and waits where the server says so.
    func send(lines: [UInt8], to path: String) async throws(UsageError) -> JSONValue {
        for attempt in 1... {
            let (answer, bytes) = try await exchange(
                .post, path, body: lines, type: "application/x-ndjson")
            let isBusy = answer.status.code == 429 || answer.status.code == 503
            guard isBusy, attempt < Self.tries else { return try read(answer, bytes) }
            let asked = RetryAfter.wait(answer.headers, at: TimeSource.system.now()) ?? .zero
            // Safe: a wait that is cancelled ends with the command.
            try? await TimeSource.system.sleep(min(max(asked, .seconds(1)), Self.longestWait))
        }
        throw UsageError("\(url) does not answer")
    }

    /// The id of the business of this name or id, or of the only one that the key may act for.
    func business(named name: String?) async throws(UsageError) -> String {
        var all: [(id: String, name: String)] = []
        var next: String?
        repeat {
            let query = next.map { "?page%5Bafter%5D=\($0)" } ?? ""
            let page = try await ask(.get, "/api/businesses" + query)
            for business in page["data"].map({ Array($0.elements) }) ?? [] {
                guard let id = business["id"]?.string else { continue }
                all.append((id, business["name"]?.string ?? ""))
            }
            next = page["next"]?.string
        } while next != nil
        let found = all.filter { name == nil || $0.id == name || $0.name == name }
        if found.count == 1 { return found[0].id }
        let hint =
            all.isEmpty
            ? nil : "it may act for: " + all.map { "\($0.name) (\($0.id))" }.joined(separator: ", ")
        guard let name else {
            throw UsageError("the key may act for \(all.count) businesses; name one", hint: hint)
        }
        throw UsageError(
            found.isEmpty
                ? "the key may not act for a business \"\(name)\""
                : "\(found.count) businesses have the name \"\(name)\"; give the id", hint: hint)
    }
}
