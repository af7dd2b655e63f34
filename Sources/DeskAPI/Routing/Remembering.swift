import DeskBroker
public import DeskHTTP
import DeskModel
import DeskStore
public import DeskWeb
import Synchronization

extension Services {
    /// Gives the first answer again to a write that comes again with the same `Idempotency-Key`.
    public func answerOnce(
        _ request: Request, by principal: Principal?, _ key: String, _ body: [UInt8],
        _ action: @Sendable () async throws(Problem) -> Response
    ) async throws(Problem) -> Response {
        guard let principal,
            let claim = IdempotencyKey.claim(
                key, credential: principal.credential, request, body: body)
        else { throw IdempotencyKey.malformed }
        // A refusal that a later try may not meet is thrown, and not remembered.
        let passing = Mutex<Problem?>(nil)
        let first = Mutex<Response?>(nil)
        let answer = try await brokering { broker throws(BrokerError) in
            try await broker.answerOnce(claim) {
                do {
                    let response = try await action()
                    first.withLock { $0 = response }
                    return Remembered.kept(response)
                } catch {
                    switch (error as? Problem)?.code {
                    case .rateLimited, .unauthenticated, .forbidden, .approvalNeeded, .unavailable,
                        .outcomeUnknown, .storageFull, .preconditionFailed:
                        passing.withLock { $0 = error as? Problem }
                        return KeyedAnswer(status: 503, body: [])
                    default: return Remembered.kept((error as? Problem ?? .notFound).response)
                    }
                }
            }
        }
        if let problem = passing.withLock({ $0 }) { throw problem }
        var response = Remembered.response(answer)
        // A repeat gets no tag: the conversation may be at a later revision than the answer.
        if let tag = first.withLock({ $0?.headers.first("etag") }) {
            response.headers.append("ETag", tag)
        }
        return response
    }
}

/// The form in which answers are remembered.
private enum Remembered {
    static func kept(_ response: Response) -> KeyedAnswer {
        switch response.body {
        case .bytes(let bytes): KeyedAnswer(status: response.status.code, body: bytes)
        case .empty: KeyedAnswer(status: response.status.code, body: [])
        case .file, .openFile, .stream, .counted, .steps, .socketSteps, .cut:
            preconditionFailure("an answer of this sort is not declared as remembered")
        }
    }

    static func response(_ answer: KeyedAnswer) -> Response {
        let isProblem = answer.status >= 400
        var response =
            answer.body.isEmpty
            ? Response(status: Status(answer.status))
            : Response(
                status: Status(answer.status),
                type: isProblem ? "application/problem+json" : "application/json", answer.body)
        if answer.isRepeat { response.headers.append("Idempotency-Replayed", "true") }
        return response
    }
}

/// Reads the `Idempotency-Key` field.
enum IdempotencyKey {
    static let malformed = Problem(
        .badRequest, "Idempotency-Key is a quoted text of 1 to 255 bytes, such as \"a1b2\".")

    /// The claim of a request; nil when the field is no key.
    ///
    /// The quotes of the draft's grammar are optional: a bare key is accepted as it is.
    static func claim(
        _ field: String, credential: String, _ request: Request, body: [UInt8]
    ) -> IdempotencyClaim? {
        var key = Substring(field).utf8
        let quote = UInt8(ascii: "\"")
        if key.count >= 2, key.first == quote, key.last == quote {
            key = key.dropFirst().dropLast()
        }
        guard key.allSatisfy({ (0x20...0x7E).contains($0) && $0 != quote }) else { return nil }
        return IdempotencyClaim(
            credential: credential, route: "\(request.method.token) \(request.path.text)",
            key: String(Substring(key)), body: .sha256(body))
    }
}
