import DeskBroker
import DeskBytes
import DeskGateway
import DeskHTTP
import DeskJSON
import DeskMessages
import DeskModel
import DeskStore
import GatewayTestSupport
import Testing

@Suite struct InvitationTests {
    private static let number = "tel:+14085550123"

    private func invitation(
        _ gateway: TestGateway, id: String, to number: String = number,
        reference: String = "order-42"
    ) -> String {
        """
        {"v":1,"id":"\(id)","type":"interactive","sourceId":"\(gateway.business.text)",\
        "destinationId":"\(number)","interactiveData":{"bid":\
        "com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:\
        com.apple.icloud.apps.messages.business.extension","data":{"version":"1.0",\
        "requestIdentifier":"r","notification":{"templateId":"binaryChoice.engage.noImage",\
        "referenceId":"\(reference)","locale":"en-us","parameters":{"brandName":"Shop"}}},\
        "useLiveLayout":true}}
        """
    }

    private func invite(
        _ gateway: TestGateway, id: String, to number: String = number,
        _ change: [String: String?] = [:]
    ) async throws -> (status: Int, text: String) {
        var fields: [String: String?] = [
            "destination-id": number, "message-type": "notification",
        ]
        fields.merge(change) { $1 }
        return try await gateway.post(
            invitation(gateway, id: id, to: number), id: id, fields)
    }

    /// The conversation of the invited number.
    private func invited(_ gateway: TestGateway) async throws -> Conversation? {
        try await gateway.store.conversations(
            ConversationFilter(businesses: [gateway.business]), at: .start, limit: 9
        ).elements.first { $0.id != gateway.conversation }
    }

    @Test func `an invited number gets a conversation of its own, and the same one again`()
        async throws
    {
        let gateway = try await TestGateway(reachesNumbers: true)
        #expect(try await invite(gateway, id: uuid(1)).status == 200)
        #expect(try await invite(gateway, id: uuid(1)).status == 200)
        #expect(try await invite(gateway, id: uuid(2)).status == 200)
        let conversation = try #require(try await invited(gateway))
        #expect(!conversation.customer.id.text.contains("14085550123"))
        let messages = try await gateway.store.messages(
            in: conversation.id, .newest, limit: 9
        ).elements
        #expect(messages.map(\.id.text) == [uuid(1), uuid(2)])
        #expect(messages.map(\.facts.kind) == [.invitation, .invitation])
    }

    struct Refused: CustomTestStringConvertible {
        let name: String
        let status: Int
        let says: String
        var number = InvitationTests.number
        var change: [String: String?] = [:]
        var hasSandbox = true
        var testDescription: String { name }
    }

    @Test(arguments: [
        Refused(
            name: "no message-type", status: 400, says: "message-type",
            change: ["message-type": nil]),
        Refused(
            name: "no number", status: 404,
            says: "404 Not Found : No device registrations for user",
            number: "tel:14085550123"),
        Refused(
            name: "letters", status: 404, says: "No device registrations for user",
            number: "tel:+1408CALLUS"),
        Refused(
            name: "no sandbox", status: 404, says: "No device registrations for user",
            hasSandbox: false),
    ])
    func `what is no invitation to a number is refused with its reason`(
        _ row: Refused
    ) async throws {
        let gateway = try await TestGateway(reachesNumbers: row.hasSandbox)
        let answer = try await invite(gateway, id: uuid(1), to: row.number, row.change)
        #expect(answer.status == row.status)
        #expect(answer.text.contains(row.says))
        #expect(try await invited(gateway) == nil)
    }

    @Test func `an invitation may name the MSP id as its sender, and no other's`() async throws {
        let gateway = try await TestGateway(reachesNumbers: true)
        for (number, sender, status) in [(1, "msp-1", 200), (2, "msp-2", 400)] {
            let body = invitation(gateway, id: uuid(number)).replacing(
                gateway.business.text, with: sender)
            let answer = try await gateway.post(
                body, id: uuid(number),
                ["destination-id": Self.number, "message-type": "notification"])
            #expect(answer.status == status, "\(sender): \(answer.text)")
        }
        #expect(try await invited(gateway) != nil)
    }

    @Test func `a text does not go to a number`() async throws {
        let gateway = try await TestGateway(reachesNumbers: true)
        let body = """
            {"v":1,"id":"\(uuid(1))","type":"text","sourceId":"\(gateway.business.text)",\
            "destinationId":"\(Self.number)","body":"hello"}
            """
        let answer = try await gateway.post(
            body, id: uuid(1),
            ["destination-id": Self.number, "message-type": "notification"])
        #expect(answer.status == 400)
        #expect(try await invited(gateway) == nil)
    }

    @Test func `a declined invitation is a close with its reference, and no other is accepted`()
        async throws
    {
        let gateway = try await TestGateway(reachesNumbers: true)
        #expect(try await invite(gateway, id: uuid(1)).status == 200)
        let conversation = try #require(try await invited(gateway))
        try await gateway.delivering {
            _ = try await gateway.parts.broker.change(
                conversation.id, .leave, by: .customer(device: "invited"))
            try await gateway.client.wait(for: 1)
        }
        guard case .bytes(let bytes) = gateway.client.requests[0].body else { return }
        let close = try JSONDocument(
            parsing: Gzip.decompress(bytes, limitBytes: 1_000_000)
        ).root
        #expect(close["type"]?.string == "close")
        #expect(close["referenceIds"]?.rawText == #"["order-42"]"#)
        let again = try await invite(gateway, id: uuid(2))
        #expect(again.status == 410)
    }

    @Test func `an accepted invitation is answered as the capture has it`() throws {
        let request = """
            {"v":1,"type":"interactive","destinationId":"tel:+14085550123","interactiveData":\
            {"bid":"b","sessionIdentifier":"s","data":{"version":"1.0","requestIdentifier":"r",\
            "notification":{"referenceId":"order-42","parameters":{"brandName":"Shop"}}}}}
            """
        let envelope = ReplyEnvelope(
            id: "i", sourceID: "urn:mbid:AA", destinationID: "d", locale: nil, newSession: "n")
        let reply = try Reply.make(
            to: Array(request.utf8), choice: .invitation(identifier: "yes"), envelope: envelope)
        #expect(
            String(decoding: reply.payload, as: UTF8.self) == """
                {"v":1,"id":"i","type":"interactive","sourceId":"urn:mbid:AA",\
                "destinationId":"d","interactiveData":{"bid":"b","sessionIdentifier":"s",\
                "data":{"version":"1","requestIdentifier":"tel:+14085550123",\
                "referenceId":"order-42","notification":{"id":"yes","displayContent":\
                {"determinateResponse":{"title":"Yes","subtitle":"Shop","type":{"yes":{}}}}}}}}
                """)
        #expect(throws: ReplyError.self) {
            try Reply.make(
                to: Array(request.utf8), choice: .invitation(identifier: "no"),
                envelope: envelope)
        }
    }
}
