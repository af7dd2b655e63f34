import DeskJSON
import DeskMessages
import DeskModel
import DeskWeb
import Testing

@testable import DeskAPI

struct PhoneTests {
    private static let id = "0b3c3f5e-7c39-4be6-8f57-0a53d9f0b9a1"
    private static let file = String(repeating: "ab", count: 32)

    private func posted(_ members: String) throws(Problem) -> PostedText {
        try PostedText(Array("{\"id\":\"\(Self.id)\",\(members)}".utf8))
    }

    @Test func `a text is read with what led to it`() throws {
        let text = try posted(
            #""text":"Hi","locale":"ja-JP","entry":{"code":"c","intent":"i","group":"g"}"#)
        #expect(text.text == "Hi" && text.locale == "ja_JP" && text.id.text == Self.id)
        #expect(text.entry.code == "c" && text.entry.intent == "i" && text.entry.group == "g")
    }

    @Test(arguments: [
        #""text":"""#, #""text":" \n ""#, #""text":7"#, #""text":"a","attachments":["x"]"#,
        #""text":"a","attachments":{}"#, #""text":"a","more":1"#, #""text":"a","entry":[]"#,
    ])
    func `what makes no message is refused`(members: String) {
        let problem = #expect(throws: Problem.self) { try posted(members) }
        #expect(problem?.code == .invalid)
    }

    @Test func `a text is as long as the body lets it be`() throws {
        let text = String(repeating: "\u{1F600}", count: 16_000)
        #expect(try posted("\"text\":\"\(text)\"").text == text)
    }

    @Test(arguments: [
        ("", 1, "\u{FFFC}"), ("a\u{FFFC}b", 1, "a\u{FFFC}b"), ("a\u{FFFC}b", 0, "ab"),
        ("\u{FFFC}\u{FFFC}x", 1, "\u{FFFC}x"), ("x", 2, "x\u{FFFC}\u{FFFC}"),
    ])
    func `there is one place for each attachment`(
        given: String, count: Int, kept: String
    ) throws {
        let files = (0..<count).map { _ in "\"\(Self.file)\"" }.joined(separator: ",")
        guard count > 0 || given != "" else { return }
        let text = try posted("\"text\":\"\(given)\",\"attachments\":[\(files)]")
        #expect(Array(text.text.utf8) == Array(kept.utf8))
    }

    @Test func `more than ten attachments are refused`() {
        let files = (0..<11).map { _ in "\"\(Self.file)\"" }.joined(separator: ",")
        #expect(throws: Problem.self) { try posted("\"text\":\"a\",\"attachments\":[\(files)]") }
    }

    @Test func `the payload is the protocol's`() throws {
        let text = try posted(#""text":"Hi \"you\"","locale":"en_US""#)
        let id = try #require(CustomerID("urn:mbid:AAAA"))
        let business = BusinessID(UniqueID(high: 1, low: 2))
        let payload = InboundText.payload(
            text, from: Customer(id: id, locale: "en_US", intent: "sales"), to: business,
            attachments: [])
        let root = try JSONDocument(parsing: payload).root
        #expect(root["v"]?.int == 1 && root["type"]?.string == "text")
        #expect(root["sourceId"]?.string == "urn:mbid:AAAA")
        #expect(root["destinationId"]?.string == business.text)
        #expect(root["body"]?.string == "Hi \"you\"" && root["intent"]?.string == "sales")
        #expect(root["attachments"] == nil)
    }

    @Test func `a paid request is known by its answer`() {
        func answer(_ state: String) -> [UInt8] {
            Array(#"{"interactiveData":{"data":{"payment":{"state":"\#(state)"}}}}"#.utf8)
        }
        #expect(SettlingAnswer.isSuccess(answer("success")))
        #expect(!SettlingAnswer.isSuccess(answer("canceled")))
        #expect(!SettlingAnswer.isSuccess(Array("no".utf8)))
    }

    @Test(arguments: [
        ("STATUS_SUCCESS", true), ("", true), ("STATUS_FAILURE", false), ("SUCCESS", false),
    ])
    func `a payment whose state and status contradict each other was not paid`(
        _ status: String, _ isPaid: Bool
    ) {
        let payment = #"{"state":"success","status":"\#(status)"}"#
        let bid =
            "com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:"
            + "com.apple.icloud.apps.messages.business.extension"
        let payload = Array(
            (#"{"type":"interactive","interactiveData":{"bid":"\#(bid)","data":{"version":"1.0","#
                + #""requestIdentifier":"r","payment":\#(payment)}}}"#).utf8)
        #expect(SettlingAnswer.isSuccess(payload) == isPaid)
        let words = Summary.text(of: payload, direction: .inbound)
        #expect(words.contains("not completed") == !isPaid, "\(words)")
    }
}
