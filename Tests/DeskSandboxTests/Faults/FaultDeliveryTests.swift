import DeskBroker
import DeskGateway
import DeskJSON
import DeskLinks
import DeskMessages
import DeskModel
import DeskSandbox
import DeskStore
import GatewayTestSupport
import Testing

/// Faults between two servers that are connected to each other.
struct FaultDeliveryTests {
    @Test func `with every dial turned up nothing is lost in either direction`() async throws {
        var faults = FaultDials()
        for fault in FaultDials.Fault.allCases where fault != .duplicateWithOtherID {
            faults.dials[fault] = FaultDials.Dial(probability: 0.3, value: fault.usualValue)
        }
        faults.dials[.throttle]?.value = 0
        var settings = LinkSettings()
        settings.faults = faults.json.bytes()
        let servers = try await TwoServers(settings: settings, faults: DialledFaults())
        let file = try await servers.gateway.blobs.store(Array("file".utf8))
        let use = AttachmentUse(
            id: file.id, name: "a.txt", mediaType: "text/plain", byteCount: file.byteCount)
        try await servers.running {
            for number in 1...20 {
                try await servers.say(
                    #""type":"text","body":"\uFFFC","attachments":[{"url":"ours"}]"#,
                    id: uuid(number), attachments: [use])
            }
            _ = try await servers.message(uuid(20), at: servers.provider)
            for number in 21...40 {
                let payload = """
                    {"v":1,"id":"\(uuid(number))","sourceId":"\(servers.business.text)",\
                    "destinationId":"\(servers.customer.text)","type":"text","body":"x"}
                    """
                try await servers.answer(payload, id: uuid(number), kind: .text)
            }
            for number in 1...40 {
                let parts = number <= 20 ? servers.provider : servers.gateway
                _ = try await servers.message(uuid(number), at: parts)
            }
        }
        let there = try #require(try await servers.arrived())
        let arrived = try await servers.provider.broker.store.messages(
            in: there.id, .newest, limit: 300)
        let inbound = arrived.elements.filter { $0.facts.direction == .inbound }
        #expect(inbound.map(\.id.text).sorted() == (1...20).map { uuid($0) })
        // A file that cannot be had in seven seconds keeps no message out: it is noted as missing.
        #expect(
            inbound.allSatisfy { message in
                let isMissing = message.facts.headers.contains { MissingFile($0) != nil }
                return message.facts.attachments == (isMissing ? [] : [use])
            })
        #expect(inbound.contains { $0.facts.attachments == [use] })
        let back = try await servers.gateway.broker.store.messages(
            in: servers.conversation, .newest, limit: 300)
        let outbound = back.elements.filter { $0.facts.direction == .outbound }
        #expect(outbound.map(\.id.text) == (21...40).map { uuid($0) })
    }
}
