import DeskBroker
import DeskHTTP
import DeskJSON
import DeskLinks
import DeskModel
import DeskStore
import GatewayTestSupport
import Synchronization
import TestSupport
import Testing

@testable import DeskGateway

/// What is sent to WhatsApp once, whatever comes of the rest.
@Suite struct WhatsAppRepeatTests {
    /// An answer that ends before its body does.
    private struct CutBody: BodySource {
        func next() async throws(BodyError) -> [UInt8]? { throw .disconnected }
    }

    /// How an answer cannot be read.
    enum Unreadable: CaseIterable, Sendable {
        case empty
        case page
        case cut

        var body: RequestBody {
            switch self {
            case .empty: RequestBody()
            case .page: RequestBody(Array("<html>OK</html>".utf8))
            case .cut: RequestBody(source: CutBody(), declaredLength: 40)
            }
        }
    }

    @Test(arguments: Unreadable.allCases)
    func `a message whose answer cannot be read is accepted, and the wire log says so`(
        _ how: Unreadable
    ) async throws {
        let number = try await TestNumber { _, _ in OutgoingAnswer(status: .ok, body: how.body) }
        try await number.say("Hello")
        try await number.gateway.delivering {
            let sent = try await number.send(#""type":"text","body":"Welcome""#, id: uuid(1))
            let delivery = try await number.settled(sent)
            #expect(delivery.state == .delivered && delivery.last?.detail == "accepted")
        }
        #expect(try number.posted().count == 1)
        let exchange = try #require(
            try await number.gateway.exchanges().first { $0.course == .sent })
        #expect(exchange.status == 200)
        let findings = String(decoding: exchange.findings, as: UTF8.self)
        #expect(findings.contains(#""severity":"warning""#))
        #expect(findings.contains("counts as accepted"))
    }

    @Test func `an upload whose answer cannot be read is made again`() async throws {
        let number = try await TestNumber { request, _ in
            request.url.hasSuffix("/media")
                ? OutgoingAnswer(status: .ok) : OutgoingAnswer(status: .badRequest)
        }
        try await number.say("Hello")
        let file = try await Self.file("a", of: number)
        try await number.gateway.delivering {
            let sent = try await number.send(
                #""type":"text","body":"\uFFFC","attachments":[{"name":"a"}]"#, id: uuid(1),
                attachments: [file])
            try await Wait.until("it was tried") {
                try await number.delivery(of: sent)?.last != nil
            }
            #expect(try await number.delivery(of: sent)?.state == .pending)
        }
        #expect(try number.posted().isEmpty)
    }

    private static func file(_ name: String, of number: TestNumber) async throws -> AttachmentUse {
        let blob = try await number.gateway.parts.blobs.store(Array(name.utf8))
        return AttachmentUse(
            id: blob.id, name: "\(name).png", mediaType: "image/png", byteCount: blob.byteCount)
    }

    @Test func `of several files none is sent before all are uploaded, so that each is sent once`()
        async throws
    {
        let uploads = Mutex(0)
        let number = try await TestNumber { request, place in
            guard request.url.hasSuffix("/media") else {
                return OutgoingAnswer(
                    status: .ok,
                    body: RequestBody(Array(#"{"messages":[{"id":"wamid.OUT\#(place)"}]}"#.utf8)))
            }
            let count = uploads.withLock { count in
                count += 1
                return count
            }
            // The second file's first upload.
            guard count != 2 else { return OutgoingAnswer(status: .serviceUnavailable) }
            return OutgoingAnswer(
                status: .ok, body: RequestBody(Array(#"{"id":"\#(9_000 + count)"}"#.utf8)))
        }
        try await number.say("Hello")
        let files = [
            try await Self.file("a", of: number), try await Self.file("b", of: number),
        ]
        try await number.gateway.delivering {
            let sent = try await number.send(
                #""type":"text","body":"\uFFFC\uFFFC","attachments":[{"name":"a"},{"name":"b"}]"#,
                id: uuid(1), attachments: files)
            try await Wait.until("it was tried") {
                try await number.delivery(of: sent)?.last != nil
            }
            #expect(try number.posted().isEmpty)
            try await number.gateway.parts.links.outbox(of: TestNumber.link)?.retryNow(
                author: .server)
            #expect(try await number.settled(sent).state == .delivered)
        }
        #expect(try number.posted().map { $0["image"]?["id"]?.string } == ["9003", "9004"])
    }
}
