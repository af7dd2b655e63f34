import DeskHTTP
import DeskLog
import DeskModel
import Synchronization
import TestSupport
import Testing

@testable import DeskWeb

/// What the pipeline uses, and a memory of answers by their keys.
final class TestServices: WebServices {
    let publicURL: PublicURL
    let time: TimeSource
    let log: Log
    let notes: RequestNotes
    let rates: RateBuckets
    let disk = DiskGuard(limits: WebLimits())
    let proxies = TrustedProxies()
    private let answers = Mutex<[String: Response]>([:])
    /// What was noted of keys' requests.
    let noted = Mutex<[KeyRequest]>([])

    init(time: TimeSource = .system, log: Log = .silent) throws {
        self.time = time
        self.log = log
        notes = RequestNotes(log: log, metrics: Metrics())
        publicURL = try #require(PublicURL("http://desk.example:8080"))
        var limits = WebLimits()
        limits.keyMessagesBurst = 2
        rates = RateBuckets(
            limits: limits, time: TestTime().source, counters: LocalCounters())
    }

    func findConversation(_ id: ConversationID) async throws(Problem) -> Conversation? { nil }

    func note(_ request: KeyRequest, of key: KeyID) { noted.withLock { $0.append(request) } }

    func answerOnce(
        _ request: Request, by principal: Principal?, _ key: String, _ body: [UInt8],
        _ action: @Sendable () async throws(Problem) -> Response
    ) async throws(Problem) -> Response {
        if let known = answers.withLock({ $0[key] }) { return known }
        let answer = try await action()
        answers.withLock { $0[key] = answer }
        return answer
    }
}

/// Knows one key, by its mere presence.
struct TestAuthorizer: Authorizer {
    let head = EventID(epoch: Epoch(1), position: Position(7))
    let principal: Principal

    func authorize(
        _ request: Request, _ rule: AccessRule, caller: inout KeyID?
    ) async throws(Problem) -> Access {
        guard request.headers.contains("authorization") else {
            guard rule.admits(.anyone) else { throw .missingCredential }
            return Access()
        }
        if case .key(let key) = principal { caller = key.id }
        return Access(principal)
    }

    func stillHolds(_ principal: Principal?, of request: Request) async -> Bool { true }

    func finish(_ response: inout Response, to request: Request, _ access: Access) {
        response.headers.append("X-Finished", access.principal == nil ? "anyone" : "key")
    }
}
