import APITestSupport
import DeskBroker
import DeskBytes
import DeskCrypto
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb
import Dispatch
import Testing

@testable import DeskAPI

/// Limits of bodies, pages, rates and sign-ins: what is let through at the limit, and one beyond it.
struct RequestLimitTests {
    private struct Body: Sendable {
        let path: String
        let isByOwner: Bool
        let bytes: Int
    }

    private static let bodies = [
        Body(path: "/api/messages/batch", isByOwner: false, bytes: 1_048_576),
        Body(path: "/api/businesses", isByOwner: true, bytes: 65_536),
        Body(path: "/api/phone/ID/messages", isByOwner: false, bytes: 65_536),
    ]

    @Test(arguments: bodies.indices)
    func `a body is read up to its route's limit`(row: Int) async throws {
        let body = Self.bodies[row]
        let server = try await TestServer()
        let caller: TestServer.Caller =
            body.isByOwner
            ? try await server.makeOwner()
            : body.path.contains("phone") ? .anonymous : try await server.makeKey([server.business])
        let path = body.path.replacing("ID", with: "\(server.business.id)")
        for (count, code) in [(body.bytes, "invalid"), (body.bytes + 1, "too_large")] {
            let text = "{}" + String(repeating: " ", count: count - 2)
            #expect(try await server.post(path, text, by: caller).code == code, "\(count)")
        }
    }

    @Test func `a page has 50 elements, and 300 at most when more are asked for`() async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let conversation = try await server.makeConversation()
        let path = "/api/conversations/\(conversation.id)/messages"
        for _ in 0..<51 {
            _ = try await server.post(path, #"{"type":"text","body":"x"}"#, by: key)
        }
        #expect(try await server.get(path, by: key)["data"]?.count == 50)
        #expect(try await server.get(path + "?page[size]=51", by: key)["data"]?.count == 51)
        #expect(try await server.get(path + "?page[size]=300", by: key)["data"]?.count == 52)
        #expect(try await server.get(path + "?page[size]=301", by: key).code == "invalid")
    }

    private struct Budget: Sendable {
        let subject: RateSubject
        let perSecond: Int
        let burst: Int
    }

    private static let conversation = ConversationID(UniqueID(high: 0x4000, low: 1 << 63))
    private static let budgets: [Budget] = {
        let address = RateSubject.address(ClientNetwork("192.0.2.7"))
        let id = UniqueID(high: 0x4000, low: 1 << 63)
        return [
            Budget(subject: .agent(AgentID(id)), perSecond: 5, burst: 50),
            Budget(subject: .key(KeyID(id)), perSecond: 50, burst: 200),
            Budget(subject: .customer(conversation), perSecond: 1, burst: 10),
            Budget(subject: .settings(conversation), perSecond: 1, burst: 10),
            Budget(subject: .validation(address), perSecond: 20, burst: 100),
            Budget(subject: .search(address), perSecond: 5, burst: 30),
            Budget(subject: address, perSecond: 10, burst: 100),
        ]
    }()

    @Test(arguments: budgets.indices)
    func `a budget gives its burst, then its rate, and not one more`(row: Int) {
        let budget = Self.budgets[row]
        let time = TestTime()
        let book = RateBuckets(
            limits: WebLimits(), time: time.source, counters: LocalCounters())
        for count in [budget.burst, budget.perSecond] {
            for _ in 0..<count { #expect(!book.take(1, from: budget.subject).isRefused) }
            #expect(book.take(1, from: budget.subject).isRefused)
            time.advance(by: .seconds(1))
        }
    }

    private func attempt(_ account: String, from address: String) -> LoginAttempt {
        LoginAttempt(
            account: ByteString(account), device: nil, network: ClientNetwork(address))
    }

    /// Whether an attempt is let in, when it comes and when it is its turn.
    private func isLetIn(_ guardian: LoginGuard, _ account: String, from address: String) -> Bool {
        do throws(Problem) {
            try guardian.admit(attempt(account, from: address))
            try guardian.begin(attempt(account, from: address))
            return true
        } catch { return false }
    }

    @Test func `the wait after failed sign-ins grows to 900 seconds and no further`() {
        let time = TestTime()
        let guardian = LoginGuard(
            limits: WebLimits(), time: time.source, counters: LocalCounters())
        // The fifth failure costs 1 s, the 15th would cost 1,024 s.
        let attempt = attempt("a", from: "192.0.2.1")
        for _ in 0..<15 { guardian.noteFailure(attempt) }
        time.advance(by: .seconds(899))
        #expect(!isLetIn(guardian, "a", from: "192.0.2.1"))
        time.advance(by: .seconds(1))
        #expect(isLetIn(guardian, "a", from: "192.0.2.1"))
    }

    @Test func `an account has a hundred failures an hour, from wherever they come`() {
        let time = TestTime()
        let guardian = LoginGuard(
            limits: WebLimits(), time: time.source, counters: LocalCounters())
        for number in 0..<100 { #expect(isLetIn(guardian, "a", from: "192.0.2.\(number)")) }
        #expect(!isLetIn(guardian, "a", from: "192.0.2.200"))
        #expect(isLetIn(guardian, "b", from: "192.0.2.200"))
    }

    private struct QueueSize: Sendable {
        let atOnce: Int
        let queue: Int
    }

    @Test(arguments: [QueueSize(atOnce: 2, queue: 256), QueueSize(atOnce: 3, queue: 1)])
    private func `as many passwords as work and wait are accepted, one more is 503`(
        row: QueueSize
    ) async throws {
        var limits = APILimits()
        limits.web.passwordsAtOnce = row.atOnce
        limits.web.passwordQueue = row.queue
        for refused in [0, 1] {
            let queue = PasswordQueue(limits: limits.web, time: TestTime().source)
            let semaphore = DispatchSemaphore(value: 0)
            let count = row.atOnce + row.queue + refused
            let codes = await withTaskGroup(of: ProblemCode?.self) { group in
                for _ in 0..<count {
                    // Each begins at once, and none can end before the test lets it.
                    group.addImmediateTask {
                        do throws(Problem) {
                            _ = try await queue.work { () throws(CryptoError) in
                                semaphore.wait()
                                return []
                            }
                            return nil
                        } catch { return error.code }
                    }
                }
                for _ in 0..<count { semaphore.signal() }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.filter { $0 == .unavailable }.count == refused)
        }
    }

    @Test(arguments: [(Duration.seconds(30), true), (.milliseconds(30_001), false)])
    func `a password waits thirty seconds for its turn and no longer`(
        wait: Duration, isTaken: Bool
    ) async throws {
        var limits = APILimits()
        limits.web.passwordsAtOnce = 1
        let time = TestTime()
        let queue = PasswordQueue(limits: limits.web, time: time.source)
        let semaphore = DispatchSemaphore(value: 0)
        let codes = await withTaskGroup(of: ProblemCode?.self) { group in
            for isFirst in [true, false] {
                // Each begins at once, and the second waits until the first ends.
                group.addImmediateTask {
                    do throws(Problem) {
                        _ = try await queue.work { () throws(CryptoError) in
                            if isFirst { semaphore.wait() }
                            return []
                        }
                        return nil
                    } catch { return error.code }
                }
            }
            time.advance(by: wait)
            semaphore.signal()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.filter { $0 == nil }.count == (isTaken ? 2 : 1))
        #expect(codes.filter { $0 == .unavailable }.count == (isTaken ? 0 : 1))
    }

    @Test func `an invitation holds to the end of its seventh day`() async throws {
        for (seconds, status) in [(7 * 86_400 - 1, 201), (7 * 86_400, 401)] {
            let server = try await TestServer()
            let owner = try await server.makeOwner()
            let answer = try await server.post(
                "/api/businesses/\(server.business.id)/members", #"{"email":"ben@example.com"}"#,
                by: owner)
            let token = try #require(answer["invitationUrl"]?.string?.split(separator: "=").last)
            server.time.advance(by: .seconds(seconds))
            let body = #"{"token":"\#(token)","name":"Ben","password":"\#(TestServer.password)"}"#
            #expect(try await server.post("/api/invitations/accept", body).status == status)
        }
    }

    @Test func `a business has so many open invitations and no more`() async throws {
        let server = try await TestServer { $0.invitationsPerBusiness = 2 }
        let ada = try await server.makeOwner()
        for name in ["a", "b", "b"] {
            _ = try await server.invite("\(name)@example.com", to: server.business, by: ada)
        }
        let path = "/api/businesses/\(server.business.id)/members"
        let more = try await server.post(path, #"{"email":"c@example.com"}"#, by: ada)
        #expect(more.status == 422)
    }
}
