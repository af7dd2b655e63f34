import DeskBroker
import DeskJSON
import DeskLinks
import DeskMessages
import DeskModel
import DeskStore
import GatewayTestSupport
import TestSupport
import Testing

@testable import DeskGateway

/// What is said of a text that goes to WhatsApp with a file.
@Suite struct WhatsAppPartsTests {
    @Test(arguments: [
        ("*a* b", "image/png", 1), ("2 * 3", "image/png", 0), ("_a_", "audio/mpeg", 1),
        ("plain", "audio/mpeg", 0),
    ])
    func `marks are named that WhatsApp shows as markup, under a file and above one`(
        words: String, mediaType: String, count: Int
    ) async throws {
        let number = try await TestNumber()
        try await number.say("Hello")
        let blob = try await number.gateway.parts.blobs.store(Array("bytes".utf8))
        let use = AttachmentUse(
            id: blob.id, name: "a", mediaType: mediaType, byteCount: blob.byteCount)
        let sent = try await number.send(
            #""type":"text","body":"x""#, id: uuid(1), attachments: [use])
        let message = StoredMessage(
            id: sent.id, conversation: sent.conversation, business: sent.business,
            sequence: sent.sequence, position: sent.position, time: sent.time,
            facts: sent.facts,
            payload: .bytes(Array(#"{"type":"text","body":"\#(words)"}"#.utf8)),
            digest: sent.digest, checksum: sent.checksum)
        let content = try WhatsAppParts(message, number.gateway.parts.translator)
        let said = content.losses.filter { $0.text().contains("bold, italic") }
        #expect(said.count == count && content.losses.count == count)
        #expect(said.allSatisfy { $0.text().contains(#""pointer":"/body""#) })
    }
}
