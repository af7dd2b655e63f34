import DeskModel
import Testing

@testable import DeskStore

/// Records in text columns of rows.
@Suite struct FieldsTests {
    static let step = ConversationStep(
        author: .agent(agent(1)), state: .snoozed, assignee: nil,
        snoozedUntil: Timestamp(milliseconds: 7))

    @Test func `what was written is read`() throws {
        let headers = [
            HeaderField(name: "a", value: ""), HeaderField(name: "x-note", value: "}{=9:,\n é"),
        ]
        #expect(Fields.readHeaders(try #require(Fields.write(headers))) == headers)
        let uses = [
            AttachmentUse(
                id: AttachmentID(.sha256([1])), name: "a,b.png", mediaType: "image/png",
                byteCount: 9)
        ]
        #expect(Fields.readAttachments(try #require(Fields.write(uses))) == uses)
        #expect(Fields.readStep(Fields.write(Self.step)) == Self.step)
        #expect(Fields.write([] as [HeaderField]) == nil)
        #expect(Fields.readHeaders("") == [])
    }

    @Test func `rows of programs that wrote no names are read`() {
        let text = "5:agent,36:\(agent(1).text),7:snoozed,-,1:7,"
        #expect(Fields.readStep(text) == Self.step)
        #expect(
            Fields.readHeaders("1:a,0:,1:b,2:cd,")
                == [HeaderField(name: "a", value: ""), HeaderField(name: "b", value: "cd")])
    }

    @Test func `a field that a later program added is passed over`() {
        let text = Fields.write(Self.step)
        let later = "\(text.dropLast())why=11:on holidays,}"
        #expect(Fields.readStep(later) == Self.step)
        #expect(
            Fields.readHeaders("{name=1:a,kind=3:new,value=1:b,}")
                == [HeaderField(name: "a", value: "b")])
    }

    @Test(arguments: [
        "{", "{}", "{name=1:a,}", "{name=2:a,value=1:b,}", "{name=1:a,value=1:b,", "{=1:a,}", "x",
        "{name=1:a,value=1:b,}x", "1:a,", "1:a,1:b,1:c,", "1:a", "-,-,", "{name=999999999:a,}",
    ])
    func `any other text is none`(text: String) {
        #expect(Fields.readHeaders(text) == nil)
    }
}
