import DeskJSON
import DeskMessages
import DeskModel
import Testing

@testable import DeskSandbox

struct ScriptTests {
    private func step(
        _ kind: MessageKind, _ interactive: String = "{}", said: Int = 0, written: Int = 1
    ) -> Script.Step? {
        Script.step(
            after: kind, payload: Array("{\"interactiveData\":\(interactive)}".utf8), said: said,
            written: written)
    }

    @Test(arguments: [
        (
            MessageKind.list,
            #"{"data":{"listPicker":{"sections":[{"items":[]},{"items":[{"identifier":"a"},{"identifier":"b"}]}]}}}"#,
            Choice.list(identifiers: ["a"])
        ),
        (
            .list,
            #"{"data":{"listPicker":{"sections":[{"multipleSelection":true,"items":[{"identifier":"a"},{"identifier":"b"},{"identifier":"c"}]}]}}}"#,
            .list(identifiers: ["a", "b"])
        ),
        (.time, #"{"data":{"event":{"timeslots":[{"identifier":"t"}]}}}"#, .time(identifier: "t")),
        (
            .quickReply, #"{"data":{"quick-reply":{"items":[{"identifier":"q"}]}}}"#,
            .quickReply(identifier: "q")
        ),
        (
            .payment, #"{"data":{"payment":{"paymentRequest":{}}}}"#,
            .payment(.success, status: "STATUS_SUCCESS", shippingMethod: nil)
        ),
        (.app, #"{"URL":"?a=b"}"#, .app(url: "?a=b&answer=yes")),
    ])
    func `the scripted customer answers every card`(
        kind: MessageKind, interactive: String, choice: Choice
    ) {
        #expect(step(kind, interactive) == .choose(choice))
    }

    @Test func `words are answered a few times, then there is silence`() {
        let answers = (0..<10).map { step(.text, said: $0) }
        #expect(answers.prefix(Script.answers.count).allSatisfy { $0 != nil })
        #expect(answers.dropFirst(Script.answers.count).allSatisfy { $0 == nil })
    }

    @Test func `two programs never talk for ever`() {
        let card = #"{"data":{"quick-reply":{"items":[{"identifier":"q"}]}}}"#
        #expect(step(.quickReply, card, written: Script.maximumMessages - 1) != nil)
        #expect(step(.quickReply, card, written: Script.maximumMessages) == nil)
    }

    @Test(arguments: MessageKind.allCases)
    func `a payload that makes no sense is met with silence`(kind: MessageKind) {
        for payload in ["", "{}", "[]", #"{"interactiveData":{"data":{}}}"#, "\u{0}"] {
            let step = Script.step(
                after: kind, payload: Array(payload.utf8), said: 9, written: 1)
            // A payment without methods is still one that can be paid.
            #expect(step == nil || kind == .payment)
        }
    }

    @Test
    func `the test merchant names this server's endpoints and refuses what it says it refuses`()
        throws
    {
        let merchant = TestMerchant(origin: "http://h", business: "b")
        #expect(merchant.endpoints["paymentGatewayUrl"]?.text() == "\"http://h/pay/b/gateway\"")
        let cases = [
            ("{}", "STATUS_SUCCESS"),
            (#"{"payment":{"shippingContact":{"familyName":"Declined"}}}"#, "STATUS_FAILURE"),
            (
                #"{"payment":{"billingContact":{"postalCode":"00000"}}}"#,
                "STATUS_INVALID_SHIPPING_POSTAL_ADDRESS"
            ),
        ]
        for (body, status) in cases {
            let answer = TestMerchant.gatewayAnswer(to: try JSONDocument(parsing: body).root)
            #expect(answer.text() == "{\"status\":\"\(status)\"}")
        }
    }
}
