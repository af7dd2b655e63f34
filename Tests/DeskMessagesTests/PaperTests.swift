import DeskJSON
import DeskMessages
import DeskModel
import Testing

struct PaperTests {
    /// A paper, its text, and what is found in it as rule and pointer; "" where it is right.
    struct Row: Sendable, CustomTestStringConvertible {
        let paper: String
        let text: String
        let finding: String

        init(_ paper: String, _ text: String, _ finding: String = "") {
            (self.paper, self.text, self.finding) = (paper, text, finding)
        }

        var testDescription: String { "\(paper) \(text)" }
    }

    private static let token = #""paymentToken":{"paymentMethod":{"network":"Visa"}}"#

    static let rows: [Row] = [
        Row(
            "callback/payment-gateway-request",
            #"{"requestIdentifier":"r","version":"1.0","payment":{\#(token)}}"#),
        Row(
            "callback/payment-gateway-request",
            #"{"requestIdentifier":"r","payment":{\#(token),"shippingContact":{"familyName":"Sato"}}}"#
        ),
        Row(
            "callback/payment-gateway-request", #"{"payment":{\#(token)}}"#, "missing-key "),
        Row(
            "callback/payment-gateway-request", #"{"requestIdentifier":"r","payment":{}}"#,
            "missing-key /payment"),
        Row(
            "callback/payment-gateway-request",
            #"{"requestIdentifier":"r","payment":{\#(token),"shippingContact":{"postcode":"1"}}}"#,
            "unknown-key /payment/shippingContact/postcode"),
        Row("callback/payment-gateway-answer", #"{"status":"STATUS_SUCCESS"}"#),
        Row("callback/payment-gateway-answer", #"{"status":"STATUS_PIN_REQUIRED"}"#),
        Row("callback/payment-gateway-answer", #"{"status":"success"}"#, "wrong-value /status"),
        Row("callback/payment-gateway-answer", #"{"status":0}"#, "wrong-value /status"),
        Row("callback/payment-gateway-answer", "{}", "missing-key "),
        Row(
            "callback/payment-method-update-request",
            #"{"requestIdentifier":"r","payment":{"paymentMethod":{"type":"Credit"}}}"#),
        Row(
            "callback/payment-method-update-request",
            #"{"requestIdentifier":"r","payment":{"paymentMethod":{"type":"Cash"}}}"#,
            "wrong-value /payment/paymentMethod/type"),
        Row("callback/payment-method-update-answer", "{}"),
        Row(
            "callback/payment-method-update-answer",
            #"{"newTotal":{"label":"Shop","amount":"6.00"}}"#),
        Row(
            "callback/payment-method-update-answer",
            #"{"newTotal":{"label":"Shop","amount":6}}"#, "wrong-type /newTotal/amount"),
        Row(
            "callback/payment-method-update-answer",
            #"{"newLineItems":[{"label":"A","amount":"1.00"}]}"#, "missing-key "),
        Row(
            "callback/shipping-contact-update-answer",
            #"{"errors":[{"code":"addressUnserviceable","contactField":"postalCode"}]}"#),
        Row(
            "callback/shipping-contact-update-answer",
            #"{"errors":[{"code":"AddressUnserviceable"}]}"#, "wrong-value /errors/0/code"),
        Row(
            "callback/shipping-contact-update-request",
            #"{"requestIdentifier":"r","payment":{"shippingContact":{"countryCode":"JPN"}}}"#,
            "wrong-form /payment/shippingContact/countryCode"),
        Row(
            "callback/shipping-method-update-request",
            #"{"requestIdentifier":"r","payment":{"shippingMethod":{"label":"Post"}}}"#,
            "missing-key /payment/shippingMethod"),
        Row(
            "callback/shipping-method-update-answer", #"{"newShippingMethods":[]}"#,
            "unknown-key /newShippingMethods"),
        Row("callback/order-tracking-request", #"{"anything":1}"#),
        Row("callback/order-tracking-request", "[]", "wrong-type "),
        Row(
            "callback/merchant-session-request",
            #"{"merchantIdentifier":"m","domainName":"a.example","displayName":"A","#
                + #""initiative":"web","initiativeContext":"https://a.example/pay"}"#,
            "wrong-value /initiative"),
        Row(
            "gateway/upload-answer", #"{"singleFile":{"fileChecksum":"AQ==","size":"7"}}"#,
            "number-as-text /singleFile/size"),
        Row("gateway/download-link", #"{"download-url":"file:///a"}"#, "wrong-form /download-url"),
        Row("gateway/upload-reservation", #"{"upload-url":"https://a.example"}"#, "missing-key "),
        Row(
            "gateway/link-request",
            #"{"type":"link","version":1.0,"link":{"url":"https://a.example"}}"#),
        Row("gateway/encode-request", #"{"v":1,"type":"interactive"}"#, "missing-key "),
        Row("template", #"{"name":"greeting","payload":{"type":"text","body":"Hi {{name}}"}}"#),
        Row("template", #"{"name":"Greeting","payload":{}}"#, "wrong-form /name"),
        Row("template", #"{"name":"greeting"}"#, "missing-key "),
        Row(
            "template", #"{"name":"a","payload":{},"parameters":[{"name":"b","type":"string"}]}"#,
            "wrong-value /parameters/0/type"),
        Row(
            "template", #"{"name":"a","payload":{},"params":[]}"#, "unknown-key /params"),
    ]

    @Test(arguments: rows)
    func `what is no message is judged by its schema`(_ row: Row) throws {
        let context = JudgementContext(direction: .outbound, now: Corpus.now)
        let judgement = try #require(
            try Corpus.rulebook.get().judge(Array(row.text.utf8), asPaper: row.paper, context))
        let found = Set(judgement.findings.map { "\($0.rule.id) \($0.pointer)" })
        #expect(found == (row.finding.isEmpty ? [] : [row.finding]))
    }

    @Test func `a paper that is no JSON says so`() throws {
        let context = JudgementContext(direction: .outbound, now: Corpus.now)
        let judgement = try Corpus.rulebook.get().judge([0x7B], asPaper: "template", context)
        #expect(judgement?.isMalformed == true)
    }
}
