import DeskHTTP
import DeskMessages
import DeskModel
import GatewayTestSupport
import TestSupport
import Testing

@testable import DeskGateway

struct UpstreamInboundTests {
    static let fields: [(fields: HeaderFields, words: [String]?)] = [
        ([:], nil), (["capabilities": ""], nil), (["capabilities": "auth"], ["AUTH"]),
        (["capability-list": "list,TIME", "capabilities": ""], ["LIST", "TIME"]),
        (["capability-list": ""], []),
    ]

    @Test(arguments: fields.indices)
    func `what a device can show is in the new field, or in the old one where that is not empty`(
        _ place: Int
    ) throws {
        let (fields, words) = Self.fields[place]
        let posted = Array(
            """
            {"v":1,"type":"text","body":"hi","id":"\(uuid(1))","sourceId":"urn:mbid:AQAAY2pL",\
            "destinationId":"\(uuid(2))"}
            """.utf8)
        let judgement = TestFiles.rulebook.judge(
            posted,
            JudgementContext(direction: .inbound, now: TestGateway.now, profile: .lenient))
        let inbound = try UpstreamInbound(judgement, posted, fields: fields)
        #expect(inbound.customer.capabilities == words)
    }
}
