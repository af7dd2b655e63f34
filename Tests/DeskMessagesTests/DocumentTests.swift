import DeskJSON
import DeskMessages
import DeskModel
import Testing

struct DocumentTests {
    private let context = JudgementContext(direction: .outbound, now: Corpus.now)

    @Test func `a document that is no JSON says so`() throws {
        let judgement = try Corpus.rulebook.get().judge([0x7B], asDocument: "template", context)
        #expect(judgement?.isMalformed == true)
    }

    @Test func `a text that names its schema is judged, with a warning`() throws {
        let text = Array(
            #"{"$schema":"https://a.example/schemas/v1/template.json","name":"a","payload":{}}"#
                .utf8)
        let judgement = try #require(
            try Corpus.rulebook.get().judge(text, asDocument: "template", context))
        #expect(judgement.findings.map(\.rule) == [.schemaNamed])
        #expect(!judgement.isRefused)
    }

    @Test(arguments: [
        ("https://a.example/schemas/v1/template.json", "template"),
        ("/schemas/v1/callback/payment-gateway-request.json", "callback/payment-gateway-request"),
        ("https://a.example/b/schemas/v1/2017/outbound/text.json", "2017/outbound/text"),
        ("https://a.example/schemas/v1/outbound/text.json", nil),
        ("https://a.example/schemas/v1/shared/form.json", nil),
        ("https://a.example/schemas/v2/template.json", nil),
        ("template", nil), ("", nil),
    ])
    func `a document is known by the schema it names`(schema: String, document: String?) throws {
        let root = try JSONDocument(parsing: #"{"$schema":"\#(schema)"}"#).root
        #expect(try Corpus.rulebook.get().document(namedBy: root) == document)
    }

    @Test(arguments: [
        ("a/callback/payment-gateway-request/b.json", "callback/payment-gateway-request"),
        ("callback/payment-gateway-request/deep/er/b.json", "callback/payment-gateway-request"),
        ("/x/2017/inbound/text/b.json", "2017/inbound/text"), ("template/b.json", "template"),
        ("callback/template/b.json", "template"), ("callback/b.json", nil),
        ("payment-gateway-request/b.json", nil), ("template.json", nil), ("-", nil), ("", nil),
        ("outbound/text/b.json", nil),
    ])
    func `a document is known by the folder it lies in`(path: String, document: String?) throws {
        #expect(try Corpus.rulebook.get().document(inFolderOf: path) == document)
    }

    @Test func `the settings of a lint name every document`() throws {
        let file = try #require(Corpus.schemas.first { $0.name == "lint-settings.json" })
        let kind = try JSONDocument(parsing: file.bytes).root["properties"]?["kind"]
        let words = kind?["enum"]?.elements.compactMap(\.string)
        #expect(try words == ["message", "auto"] + Corpus.rulebook.get().documentNames)
    }
}
