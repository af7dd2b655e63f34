import DeskMessages
import DeskModel
import Testing

/// what readers find of a customer's pick, from the examples of answers.
struct PickedItemsTests {
    /// An example below Schemas/examples/inbound, the kind, and what is said of it; nil for nothing.
    private static let cases: [(String, MessageKind, String?)] = [
        (
            "list-picker-reply/valid-one", .list,
            #""count":1,"items":[{"identifier":"m","title":"Medium"}]"#
        ),
        (
            "time-picker-reply/valid-device", .time,
            #""items":[{"identifier":"b","startTime":"2026-12-01T02:00+0000","duration":3600}]"#
        ),
        ("quick-reply-reply/valid-first", .quickReply, #""count":1,"items":[{"identifier":"#),
        ("quick-reply-reply/valid-index-missing", .quickReply, #""items":[{"identifier":"#),
        ("payment-reply/valid-success", .payment, nil),
        ("text/valid-attachment-with-a-key-that-is-none", .text, nil),
    ]

    @Test(arguments: cases)
    func `an answer says what was picked, under the identifiers that the card gave`(
        _ name: String, _ kind: MessageKind, _ said: String?
    ) throws {
        let field = PickedItems.field(of: try Corpus.payload("inbound/" + name), kind)
        #expect((field == nil) == (said == nil))
        if let said { #expect(field?.value.contains(said) == true, "\(field?.value ?? "")") }
    }

    private static func list(_ count: Int, titleBytes: Int) -> [UInt8] {
        let items = (0..<count).map {
            #"{"identifier":"i\#($0)","title":"\#(String(repeating: "x", count: titleBytes))"}"#
        }
        return Array(
            """
            {"interactiveData":{"data":{"listPicker":{"sections":[{"items":\
            [\(items.joined(separator: ","))]}]}}}}
            """.utf8)
    }

    @Test(arguments: [(1, 1, 1), (50, 1, 50), (51, 1, 50), (50, 512, 30)])
    func `many items are counted, and the first 50 or 16 KiB named`(
        _ count: Int, _ titleBytes: Int, _ named: Int
    ) throws {
        let field = try #require(
            PickedItems.field(of: Self.list(count, titleBytes: titleBytes), .list))
        #expect(field.value.contains(#""requestIdentifier":null,"count":\#(count),"#))
        #expect(field.value.split(separator: "identifier\":\"").count - 1 == named)
        #expect(field.value.utf8.count < 17 * 1_024)
    }

    @Test func `nothing is said of what is no answer`() {
        for text in ["", "{}", #"{"interactiveData":{"data":{"listPicker":{"sections":[]}}}}"#] {
            #expect(PickedItems.field(of: Array(text.utf8), .list) == nil)
        }
        #expect(PickedItems.field(of: Self.list(1, titleBytes: 1), .time) == nil)
    }
}
