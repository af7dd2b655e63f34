import DeskHTTP
import DeskWebhooks
import Synchronization

/// What happened, in order.
final class Record<Element: Sendable>: Sendable {
    private let list = Mutex<[Element]>([])

    var all: [Element] { list.withLock { $0 } }

    func add(_ element: Element) { list.withLock { $0.append(element) } }
}

/// A server with event streams and a receiver that answers in a given order; then the server refuses the key.
final class ScriptedClient: OutgoingClient {
    /// What the receiver does.
    enum Answer: Sendable {
        case status(Int, String = "")
        case fails(OutgoingError.Code)
    }

    /// One request that the receiver got.
    struct Post: Sendable {
        let headers: WebhookHeaders
        let body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    /// The `Last-Event-ID` of each opened stream.
    let cursors = Record<String?>()
    /// What the address of each opened stream asks for.
    let queries = Record<String>()
    /// What the receiver got.
    let posts = Record<Post>()
    /// What the server was asked beside streams: method, path and body.
    let asked = Record<String>()
    private let streams: Mutex<[String]>
    private let answers: Mutex<[Answer]>
    private let documents: [String: String]

    init(streams: [String] = [], answers: [Answer] = [], documents: [String: String] = [:]) {
        self.streams = Mutex(streams)
        self.answers = Mutex(answers)
        self.documents = documents
    }

    func send(_ request: OutgoingRequest) async throws(OutgoingError) -> OutgoingAnswer {
        guard let found = try documents(request) else { throw OutgoingError(.name, "no script") }
        return found
    }

    func open(_ request: OutgoingRequest) async throws(OutgoingError) -> OutgoingAnswer {
        if let place = request.url.firstRange(of: "/api/events") {
            queries.add(String(request.url[place.upperBound...]))
            return stream(request)
        }
        guard case .bytes(let body) = request.body else { throw OutgoingError(.name, "no body") }
        posts.add(
            Post(
                headers: WebhookHeaders(
                    id: request.headers.first(WebhookHeaders.idField),
                    timestamp: request.headers.first(WebhookHeaders.timestampField),
                    signature: request.headers.first(WebhookHeaders.signatureField)), body: body))
        let next = answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        switch next ?? .fails(.connection) {
        case .status(let code, let text):
            return OutgoingAnswer(status: Status(code), body: RequestBody(Array(text.utf8)))
        case .fails(let code): throw OutgoingError(code, "scripted")
        }
    }

    private func stream(_ request: OutgoingRequest) -> OutgoingAnswer {
        cursors.add(request.headers.first("last-event-id"))
        let next = streams.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        guard let next else {
            return OutgoingAnswer(
                status: .unauthorized, body: RequestBody(Array(#"{"detail":"No such key."}"#.utf8)))
        }
        guard let code = Int(next) else {
            return OutgoingAnswer(
                status: .ok,
                headers: ["Content-Type": next.hasPrefix("<") ? "text/html" : "text/event-stream"],
                body: RequestBody(Array(next.utf8)))
        }
        return OutgoingAnswer(status: Status(code))
    }

    private func documents(_ request: OutgoingRequest) throws(OutgoingError) -> OutgoingAnswer? {
        let path = String(request.url.dropFirst("http://desk".count))
        var line = "\(request.method) \(path)"
        if case .bytes(let body) = request.body {
            line += " " + String(decoding: body, as: UTF8.self)
        }
        asked.add(line)
        return documents[path].map {
            OutgoingAnswer(status: .ok, body: RequestBody(Array($0.utf8)))
        }
    }
}
