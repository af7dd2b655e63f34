import DeskBroker
import DeskHTTP
import DeskJSON
import DeskLinks
import DeskModel
import DeskStore
import GatewayTestSupport
import TestSupport
import Testing

@testable import DeskGateway

/// A number that is removed and connected again: its link is another one.
@Suite struct WhatsAppRelinkTests {
    private static let anew = GatewayLinkID(UniqueID(high: 3, low: 12))

    /// Removes the number's link and connects the same number again.
    private static func relink(_ number: TestNumber) async throws -> GatewayLink {
        let links = number.gateway.parts.links
        let old = try #require(links.find(TestNumber.link))
        #expect(try await links.remove(old.id, author: .server))
        let link = GatewayLink(
            id: anew, business: old.business, side: .whatsapp, mspID: old.mspID,
            secret: old.secret, url: old.url, settings: old.settings, createdAt: TestGateway.now)
        #expect(try await links.save(link, author: .server))
        return link
    }

    @Test func `who wrote over the removed link is answered over the new one at once`() async throws
    {
        let number = try await TestNumber()
        try await number.say("Hello")
        let link = try await Self.relink(number)
        try await number.gateway.delivering {
            let sent = try await number.send(#""type":"text","body":"Welcome""#, id: uuid(1))
            try await Wait.until("the delivery ended") {
                let found = try await number.gateway.store.deliveries(
                    of: link.outbox, at: [sent.position])
                return found.first.map { $0.state != .pending } ?? false
            }
        }
        let posted = try number.posted()
        #expect(posted.map { $0["text"]?["body"]?.string } == ["Welcome"])
        #expect(posted.map { $0["to"]?.string } == ["15551234567"])
    }

    @Test func `what was said over the removed link is marked as read over the new one`()
        async throws
    {
        let number = try await TestNumber(marksRead: true)
        try await number.say("Hello", id: "wamid.A")
        let link = try await Self.relink(number)
        await TypingRelay(id: link.id, parts: number.gateway.parts).mark(
            try await number.conversation().id, over: link, isTyping: true)
        let posted = try #require(try number.posted().first)
        #expect(posted["status"]?.string == "read" && posted["message_id"]?.string == "wamid.A")
    }

    @Test func `only WhatsApp's customers of a link that is gone are reached over the number`()
        async throws
    {
        let number = try await TestNumber()
        try await number.say("Hello")
        let link = try await Self.relink(number)
        _ = try await number.gateway.connectUpstream()
        let links = number.gateway.parts.links
        let upstream = try #require(links.find(.upstream, of: number.gateway.business))
        let conversation = try await number.conversation()
        func reaches(_ bound: GatewayLinkID?) -> Bool {
            links.reaches(conversation, boundTo: bound, over: link)
        }
        #expect(reaches(link.id) && reaches(TestNumber.link))
        #expect(!reaches(nil) && !reaches(upstream.id))
        // Of an upstream that was removed.
        var other = conversation
        other.freeFormUntil = nil
        #expect(!links.reaches(other, boundTo: TestNumber.link, over: link))
        #expect(!links.reaches(conversation, boundTo: TestNumber.link, over: upstream))
        #expect(try await links.remove(link.id, author: .server))
        #expect(!reaches(TestNumber.link))
    }
}
