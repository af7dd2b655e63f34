import DeskBytes
import DeskHTTP
import DeskWeb
import Synchronization

/// The API's own handler, for what asks it from within: each request goes through the whole pipeline, with its
/// permissions, limits and records.
///
/// It holds no reference that keeps the API alive: the API has the services, which have this.
final class OwnRoutes: Sendable {
    /// One object around the handler, which is what can be referred to weakly.
    final class Target: Sendable {
        let handler: any Handler
        init(_ handler: any Handler) { self.handler = handler }
    }

    private struct Reference {
        weak var target: Target?
    }

    private let reference = Mutex(Reference())

    /// Says which handler answers from now on.
    func set(_ target: Target) { reference.withLock { $0.target = target } }

    /// The answer of the API to a request.
    func respond(to request: Request) async -> Response {
        guard let target = reference.withLock({ $0.target }) else {
            return Problem(.unavailable, "The server is starting or ending.").response
        }
        return await target.handler.respond(to: request)
    }
}

/// Asks routes of this API with the credential of a request that is being answered.
struct OwnClient: Sendable {
    /// An answer.
    struct Answer: Sendable {
        let status: Int
        /// JSON, or a problem document.
        let body: [UInt8]

        /// Whether it says that the request was carried out.
        var isSuccess: Bool { (200...299).contains(status) }
    }

    private let original: Request
    private let routes: OwnRoutes

    init(for context: RequestContext) {
        original = context.request
        routes = context.services.ownRoutes
    }

    /// Asks a route; `path` is percent-encoded, `query` is not.
    func ask(
        _ method: Method, _ path: String, query: [(String, String?)] = [], body: [UInt8]? = nil,
        idempotencyKey: String? = nil
    ) async -> Answer {
        // What asks several routes stops between two.
        guard !Task.isCancelled else {
            return Answer(
                status: 503, body: Problem(.unavailable, "The request was cancelled.").json)
        }
        let pairs = query.compactMap { name, value in
            value.map { "\(PercentCoding.encode(name))=\(PercentCoding.encode($0))" }
        }
        let target = pairs.isEmpty ? path : "\(path)?\(pairs.joined(separator: "&"))"
        var headers: HeaderFields = [:]
        for name in ["authorization", "traceparent"] {
            if let value = original.headers.first(name) { headers.append(name, value) }
        }
        if body != nil { headers.append("Content-Type", "application/json") }
        if let idempotencyKey { headers.append("Idempotency-Key", "\"\(idempotencyKey)\"") }
        let request: Request
        do throws(RequestProblem) {
            request = try Request(
                method: method, target: target, headers: headers, body: body ?? [],
                host: original.host, peer: original.peer, isSecure: original.isSecure)
        } catch {
            return Answer(
                status: 400, body: Problem(.badRequest, "An argument cannot be sent.").json)
        }
        let response = await routes.respond(to: request)
        guard case .bytes(let bytes) = response.body else {
            return Answer(status: response.status.code, body: [])
        }
        return Answer(status: response.status.code, body: bytes)
    }
}
