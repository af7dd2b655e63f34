import DeskBytes
import DeskCommandLine
import DeskHTTP
import DeskJSON

/// A server somewhere that a command asks over its API, with a key.
struct RemoteServer: Sendable {
    /// Longest file that holds a key or a secret, in bytes.
    static let secretFileBytes = 4_096
    /// Longest answer that is read, in bytes.
    private static let maximumAnswerBytes = 8 * 1_024 * 1_024

    /// The address without a slash at its end.
    let url: String
    private let key: String
    private let client: any OutgoingClient

    init(url: String, key: String, client: any OutgoingClient) {
        self.url = url
        self.key = key
        self.client = client
    }

    /// The server that `--server` names, with the key of `--key-file` or of the environment.
    init(_ parsed: Parsed, client: any OutgoingClient) throws(UsageError) {
        guard let address = parsed["server"] else {
            throw UsageError(
                "--server is needed: the address of the server that is to be asked",
                hint: "for example --server https://desk.example, or FRONTDESK_SERVER")
        }
        var key = parsed["key"]
        if let path = parsed["key-file"], !Self.isReplaced("key-file", by: "key", in: parsed) {
            guard key == nil || Self.isReplaced("key", by: "key-file", in: parsed) else {
                throw UsageError("--key and --key-file both name a key; give one of them")
            }
            let read = try Self.readSecret(path)
            guard !read.isEmpty else { throw UsageError("\(path) is empty, and should have a key") }
            key = read
        }
        guard let key, !key.isEmpty else {
            throw UsageError(
                "a key is needed: --key-file FILE, or FRONTDESK_KEY in the environment",
                hint: "frontdesk key create on the server makes one")
        }
        self.init(url: try Self.address(address, of: "--server"), key: key, client: client)
    }

    /// Whether a flag comes from the environment alone and the other one was typed, which wins.
    private static func isReplaced(_ flag: String, by other: String, in parsed: Parsed) -> Bool {
        parsed.inherited.contains(flag) && parsed.isTyped(other)
    }

    /// A base address as it was typed, without slashes at its end.
    static func address(_ typed: String, of flag: String) throws(UsageError) -> String {
        guard typed.hasPrefix("http://") || typed.hasPrefix("https://") else {
            throw UsageError(
                "\(flag) is an address that begins with http:// or https://, not \"\(typed)\"",
                hint: "for example \(flag) http://127.0.0.1:8080")
        }
        var url = typed
        while url.hasSuffix("/") { url.removeLast() }
        return url
    }

    /// The text of a file that holds one secret, without the white space around it.
    static func readSecret(_ path: String) throws(UsageError) -> String {
        let bytes = try FileText.read(path, upTo: secretFileBytes)
        return String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
    }

    /// Opens the event stream behind an event; without one it begins now.
    ///
    /// - Parameter types: the types that are asked for; empty for all.
    func events(
        after id: String?, types: Set<String>, lasting: Duration
    ) async throws(OutgoingError) -> OutgoingAnswer {
        let filter =
            types.isEmpty
            ? ""
            : "?filter%5Btype%5D="
                + PercentCoding.encode(types.sorted().joined(separator: ","), keeping: ",")
        var headers: HeaderFields = [
            "Authorization": "Bearer \(key)", "Accept": "text/event-stream",
        ]
        if let id { headers.append("Last-Event-ID", id) }
        return try await client.open(
            OutgoingRequest(.get, url + "/api/events" + filter, headers: headers, timeout: lasting))
    }

    /// Opens a body that is read piece by piece.
    func open(_ path: String, lasting: Duration) async throws(OutgoingError) -> OutgoingAnswer {
        try await client.open(
            OutgoingRequest(
                .get, url + path, headers: ["Authorization": "Bearer \(key)"], timeout: lasting))
    }

    /// Asks for JSON; a refusal ends the command with the server's reason.
    func ask(
        _ method: Method, _ path: String, body: [UInt8]? = nil
    ) async throws(UsageError) -> JSONValue {
        let (answer, bytes) = try await exchange(
            method, path, body: body, type: body == nil ? nil : "application/json")
        return try read(answer, bytes)
    }

    /// Sends a request and returns the answer, whatever it says.
    func exchange(
        _ method: Method, _ path: String, body: [UInt8]?, type: String?
    ) async throws(UsageError) -> (OutgoingAnswer, [UInt8]) {
        var headers: HeaderFields = ["Authorization": "Bearer \(key)"]
        if let type { headers.append("Content-Type", type) }
        do {
            let answer = try await client.send(
                OutgoingRequest(
                    method, url + path, headers: headers, body: body.map { .bytes($0) } ?? .empty,
                    timeout: .seconds(60), answerLimit: Self.maximumAnswerBytes))
            return (answer, try await answer.body.collect(upTo: Self.maximumAnswerBytes))
        } catch {
            throw UsageError(
                "\(url) does not answer: \(error)", hint: "is --server the address of the console?")
        }
    }

    /// The JSON of an answer; a refusal ends the command with the server's reason.
    func read(_ answer: OutgoingAnswer, _ bytes: [UInt8]) throws(UsageError) -> JSONValue {
        guard (200...299).contains(answer.status.code) else {
            throw refusal(answer.status, bytes)
        }
        // Safe: what is no JSON is reported below.
        guard let document = try? JSONDocument(parsing: bytes, limits: .unlimited) else {
            throw UsageError(
                "\(url) answered \(answer.status.code) and no JSON",
                hint: "is it a Frontdesk server of this version?")
        }
        return document.root
    }

    /// Sends a request with further header fields, and returns whatever is answered.
    func exchange(
        _ method: Method, _ path: String, headers fields: [(String, String)], body: [UInt8]
    ) async throws(OutgoingError) -> (status: Status, body: [UInt8]) {
        var headers: HeaderFields = [
            "Authorization": "Bearer \(key)", "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        ]
        for (name, value) in fields { headers.append(name, value) }
        let answer = try await client.send(
            OutgoingRequest(
                method, url + path, headers: headers, body: .bytes(body), timeout: .seconds(120),
                answerLimit: Self.maximumAnswerBytes))
        do throws(BodyError) {
            return (answer.status, try await answer.body.collect(upTo: Self.maximumAnswerBytes))
        } catch {
            throw OutgoingError(.cutOff, "the answer ended early")
        }
    }

    /// What to say of an answer that refuses: the problem document's reason, and what helps.
    func refusal(_ status: Status, _ body: [UInt8]) -> UsageError {
        // Safe: an answer that is no problem document has no reason to show.
        let problem = try? JSONDocument(parsing: body, limits: .unlimited).root
        let reason = problem?["detail"]?.string ?? problem?["title"]?.string ?? "no reason"
        let hint: String? =
            switch status.code {
            case 300...399: "it leads elsewhere, which is not followed: is it https:// now?"
            case 401: "is the key whole, and was it revoked? frontdesk key list on the server"
            case 403: "the key may not do this; what may it do? frontdesk key list on the server"
            case 404: "is --server the address of a Frontdesk server of this version?"
            default: nil
            }
        return UsageError("\(url) answered \(status.code): \(reason)", hint: hint)
    }
}
