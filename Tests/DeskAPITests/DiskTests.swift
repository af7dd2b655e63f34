import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskLog
import DeskModel
import DeskStore
import DeskWeb
import Synchronization
import TestSupport
import Testing

@testable import DeskAPI

struct DiskTests {
    private static let gibibyte: Int64 = 1_024 * 1_024 * 1_024
    private static let mebibyte: Int64 = 1_024 * 1_024

    private let roomy = DiskSpace(freeBytes: 500 * gibibyte, totalBytes: 1_000 * gibibyte)
    private let full = DiskSpace(freeBytes: 255 * mebibyte, totalBytes: 1_000 * gibibyte)

    @Test func `a full disk refuses writes and nothing else, and recovers by itself`() async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let key = try await server.makeKey([server.business])
        let conversation = try await server.makeConversation()
        let messages = "/api/conversations/\(conversation.id)/messages"
        let text = #"{"type":"text","body":"Hello"}"#
        server.services.disk.note(full)

        let refused = try await server.post(messages, text, by: key)
        #expect(refused.status == 503 && refused.code == "storage_full")
        #expect(refused.headers["retry-after"] == "5")
        let phone = try await server.post(
            "/api/phone/\(server.business.id)/messages",
            #"{"id":"\#(server.services.broker.makeID())","text":"Hello"}"#)
        #expect(phone.code == "storage_full")
        #expect(try await server.messageCount(conversation) == 1)

        // What reads, who comes in and what deletes goes on; a wrong credential is still one.
        #expect(try await server.get(messages, by: key).status == 200)
        #expect(try await server.post("/api/validate", text, by: key).status == 200)
        #expect(try await server.post(messages, text, by: .key("fd_live_x")).status == 401)
        // The test server never becomes ready.
        #expect(try await server.get("/readyz").status == 503)
        let signedIn = try await server.post(
            "/api/session",
            #"{"email":"ada@example.com","password":"\#(TestServer.password)"}"#)
        #expect(signedIn.status == 200 || signedIn.status == 201)
        let keys = try await server.get("/api/keys", by: owner)
        let made = try #require(keys["data"]).elements.map { $0["id"]?.string }
        let id = try #require(made.first ?? nil)
        #expect(try await server.send(.delete, "/api/keys/\(id)", by: owner).status == 204)

        server.services.disk.note(roomy)
        let again = try await server.makeKey([server.business])
        #expect(try await server.post(messages, text, by: again).status == 201)
        let counts = server.services.metrics.text()
        #expect(counts.contains("frontdesk_storage_full_total 2\n"))
        #expect(counts.contains("frontdesk_disk_level 0\n"))
    }

    @Test func `what goes on while the disk is full is what stores next to nothing`() async throws {
        let server = try await TestServer()
        let rows = server.api.table.rows.filter(\.goesOnWhenFull)
        // Without them no person could sign in and make room.
        #expect(
            rows.map(\.operation).sorted() == [
                "beginPasskeySignIn", "beginSignOn", "changeMember", "changeSCIMResource",
                "createMerchantSession",
                "diagnose",
                "previewTemplate",
                "processPayment", "removeDraft", "replaceSCIMResource", "searchSCIMResources",
                "signIn", "signInWithPasskey", "signalPhoneTyping",
                "signalTyping",
                "trackOrder", "translate",
                "typePhoneCode", "updatePaymentMethod", "updateShippingContact",
                "updateShippingMethod", "useMCP", "validate", "withdrawScheduled",
            ])
    }

    /// A body whose third piece comes after the disk ran full.
    private final class FillingBody: BodySource {
        private let pieces = Mutex(0)
        private let fill: @Sendable () -> Void

        init(_ fill: @escaping @Sendable () -> Void) { self.fill = fill }

        var count: Int { pieces.withLock { $0 } }

        func next() async throws(BodyError) -> [UInt8]? {
            let count = pieces.withLock { count in
                count += 1
                return count
            }
            if count == 3 { fill() }
            return count <= 100 ? [UInt8](repeating: 7, count: 1_000) : nil
        }
    }

    @Test func `an upload under way is cut when the disk runs full`() async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        guard case .key(let text) = key else { return }
        let services = server.services
        let source = FillingBody { services.disk.noteFull() }
        var request = try Request(
            method: .post, target: "/api/attachments?name=a.bin&business=\(server.business.id)",
            headers: ["Authorization": "Bearer \(text)"], host: TestServer.host,
            peer: Peer(address: "192.0.2.7", isLoopback: false))
        request.body = RequestBody(source: source, declaredLength: 100_000)
        let answer = Answer(response: await server.api.respond(to: request))
        #expect(answer.code == "storage_full")
        #expect(answer.response.closesConnection)
        #expect(source.count == 3)
        let kept = TestFiles.files(below: server.scratch.path).filter { !$0.hasPrefix("incoming/") }
        #expect(kept.isEmpty)
    }
}
