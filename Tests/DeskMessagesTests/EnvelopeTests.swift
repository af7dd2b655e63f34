import DeskJSON
import DeskMessages
import DeskModel
import Testing

struct EnvelopeTests {
    private static let business = "b9159070-c454-4135-8bf3-049809624818"
    private static let customer = "urn:mbid:AQAAY3hL"
    private static let message = "6f2d1c5e-0000-4000-8000-000000000001"

    @Test(arguments: [
        (
            #"{"type":"text","body":"a"}"#,
            #"{"v":1,"id":"I","sourceId":"S","destinationId":"D","type":"text","body":"a"}"#
        ),
        (
            " \r\n{ \"v\" : 1,\"type\":\"text\" }\n",
            " \r\n{\"id\":\"I\",\"sourceId\":\"S\",\"destinationId\":\"D\", \"v\" : 1,\"type\":\"text\" }\n"
        ),
        (
            #"{"destinationId":"X","id":"Y","v":1,"sourceId":"Z"}"#,
            #"{"destinationId":"X","id":"Y","v":1,"sourceId":"Z"}"#
        ),
        ("{}", #"{"v":1,"id":"I","sourceId":"S","destinationId":"D"}"#),
        ("[{}]", "[{}]"),
        (
            #"{"\u0069d":"Y","type":"text","body":"{"}"#,
            #"{"v":1,"sourceId":"S","destinationId":"D","\u0069d":"Y","type":"text","body":"{"}"#
        ),
    ])
    func `missing members go in after the first brace and nothing else changes`(
        _ posted: String, _ completed: String
    ) throws {
        let context = JudgementContext(direction: .outbound, now: Corpus.now)
        let stated = try Corpus.rulebook.get().judge(Array(posted.utf8), context).stated
        let bytes = stated.completed(
            Array(posted.utf8), id: "I", sourceID: "S", destinationID: "D")
        #expect(String(decoding: bytes, as: UTF8.self) == completed)
    }

    @Test func `values are escaped when they are spliced in`() throws {
        let context = JudgementContext(direction: .outbound, now: Corpus.now)
        let posted = Array(#"{"v":1,"id":"a","sourceId":"b"}"#.utf8)
        let stated = try Corpus.rulebook.get().judge(posted, context).stated
        let bytes = stated.completed(posted, id: "", sourceID: "", destinationID: "a\"\\\n")
        #expect(bytes.starts(with: #"{"destinationId":"a\"\\\n","v":1"#.utf8))
    }

    @Test(arguments: [
        (message, business, customer, []),
        (message, business.uppercased(), customer, []),
        (message.uppercased(), business, customer, ["/id"]),
        ("6f2d1c5e-0000-4000-8000-000000000002", business, customer, ["/id"]),
        (message, "00000000-0000-4000-8000-000000000000", customer, ["/sourceId"]),
        (message, business, "urn:mbid:AQAAY3hM", ["/destinationId"]),
        (message, business, "urn:mbid:aqaay3hl", ["/destinationId"]),
    ])
    func `a stated member must agree with the request`(
        _ id: String, _ source: String, _ destination: String, _ pointers: [String]
    ) throws {
        let json =
            #"{"v":1,"id":"\#(id)","type":"text","sourceId":"\#(source)","#
            + #""destinationId":"\#(destination)","body":"a"}"#
        let context = JudgementContext(
            direction: .outbound, now: Corpus.now,
            envelope: ExpectedEnvelope(
                id: Self.message, sourceID: Self.business, destinationID: Self.customer))
        let judgement = try Corpus.rulebook.get().judge(Array(json.utf8), context)
        #expect(judgement.findings.map(\.pointer) == pointers)
        #expect(judgement.findings.allSatisfy { $0.rule == .envelopeDisagrees })
    }

    @Test func `the old prefix of a business still agrees`() throws {
        let json =
            #"{"type":"text","body":"a","destinationId":"urn:biz:\#(Self.business)","#
            + #""sourceId":"\#(Self.customer)"}"#
        let context = JudgementContext(
            direction: .inbound, now: Corpus.now, profile: .lenient,
            envelope: ExpectedEnvelope(sourceID: Self.customer, destinationID: Self.business))
        let judgement = try Corpus.rulebook.get().judge(Array(json.utf8), context)
        #expect(judgement.findings.map(\.rule) == [.businessPrefix])
        #expect(!judgement.isRefused)
    }

    @Test func `the gateway asks for the whole envelope`() throws {
        var context = JudgementContext(direction: .outbound, now: Corpus.now, profile: .lenient)
        context.mayOmitEnvelope = false
        let json = #"{"v":1,"type":"text","body":"a","sourceId":"\#(Self.business)"}"#
        let judgement = try Corpus.rulebook.get().judge(Array(json.utf8), context)
        #expect(judgement.findings.map(\.rule) == [.envelopeIncomplete])
        #expect(judgement.findings.first?.found == "no id, destinationId")
        #expect(judgement.stated.missing == [.id, .destinationId])
    }

    @Test(arguments: [
        ("", 1, 1), ("{\n  \"type\": text\n}", 2, 11), (#"{"a":1,"a":2}"#, 1, 8),
    ])
    func `a text that is no JSON says where`(_ text: String, _ line: Int, _ column: Int) throws {
        let context = JudgementContext(direction: .outbound, now: Corpus.now)
        let judgement = try Corpus.rulebook.get().judge(Array(text.utf8), context)
        #expect(judgement.isMalformed && judgement.isRefused)
        #expect(judgement.fault?.line == line)
        #expect(judgement.fault?.column == column)
        #expect(judgement.findings.isEmpty)
    }
}
