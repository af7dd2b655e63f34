import DeskModel
import DeskStore
import Testing

@testable import DeskArchive

/// What an archive has of webhook endpoints.
struct ArchivedWebhookTests {
    private static func webhook(_ change: (inout Webhook) -> Void = { _ in }) -> Webhook {
        var webhook = Webhook(
            id: WebhookID(UniqueID(high: 1, low: 2)),
            business: BusinessID(UniqueID(high: 3, low: 4)),
            url: "https://shop.example/hook", signing: .v1a, secret: Array("seed".utf8),
            createdAt: Timestamp(milliseconds: 1_780_000_000_000))
        webhook.headers = [WebhookHeader(name: "Authorization", value: "hidden")]
        change(&webhook)
        return webhook
    }

    @Test(arguments: [
        webhook(),
        webhook { $0.disabled = Webhook.Disabled(.gone, at: Timestamp(milliseconds: 5)) },
        webhook {
            $0.types = [.messageAccepted, .noteAdded]
            $0.labels = [LabelID(UniqueID(high: 5, low: 6))]
            $0.direction = .inbound
            $0.payload = .thin
            $0.order = .none
            $0.concurrency = 2
            $0.description = "the shop's"
        },
    ])
    func `an endpoint is read back from its line, without secrets and fields`(
        webhook: Webhook
    ) throws {
        let line = try ArchiveLine.write(.webhook(webhook))
        let text = String(decoding: line, as: UTF8.self)
        #expect(!text.contains("hidden") && !text.contains("seed") && !text.contains("73656564"))
        guard case .item(.webhook(let read)) = try ArchiveLine.read(line) else {
            Issue.record("it is another line")
            return
        }
        var expected = webhook
        expected.secret = []
        expected.headers = []
        #expect(read == expected)
    }

    @Test(arguments: ["signing", "settings", "url", "createdAt"])
    func `a line without what an endpoint needs is refused`(member: String) throws {
        let line = String(
            decoding: try ArchiveLine.write(.webhook(Self.webhook())), as: UTF8.self)
        let harmed = line.replacing("\"\(member)\"", with: "\"other\"")
        #expect(throws: ArchiveFault.self) { try ArchiveLine.read(Array(harmed.utf8)) }
    }
}
