import DeskModel
import Testing

@testable import DeskStore

/// Records in text columns of rows.
@Suite struct RowFieldsTests {
    static let step = ConversationStep(
        author: .agent(agent(1)), state: .snoozed, assignee: nil,
        snoozedUntil: Timestamp(milliseconds: 7))

    @Test func `what was written is read`() throws {
        let headers = [
            HeaderField(name: "a", value: ""), HeaderField(name: "x-note", value: "}{=9:,\n é"),
        ]
        #expect(RowFields.readHeaders(try #require(RowFields.write(headers))) == headers)
        let uses = [
            AttachmentUse(
                id: AttachmentID(.sha256([1])), name: "a,b.png", mediaType: "image/png",
                byteCount: 9)
        ]
        #expect(RowFields.readAttachments(try #require(RowFields.write(uses))) == uses)
        #expect(RowFields.readStep(RowFields.write(Self.step)) == Self.step)
        #expect(RowFields.write([] as [HeaderField]) == nil)
        #expect(RowFields.readHeaders("") == [])
    }

    @Test(arguments: [
        StepChange.assignee(from: nil, to: agent(1), by: .reply),
        .assignee(from: agent(1), to: agent(2), by: .hand),
        .assignee(from: agent(2), to: nil, by: .givenBack),
        .assignee(from: nil, to: nil, by: .hand), .priority(from: .none, to: .urgent),
        .labels(added: [LabelID(uniqueID(1)), LabelID(uniqueID(2))], removed: []),
        .labels(added: [], removed: [LabelID(uniqueID(1))]),
        .team(from: nil, to: TeamID(uniqueID(1))), .team(from: TeamID(uniqueID(1)), to: nil),
        .waiting(EndedWaiting(since: dawn, answer: nil, newest: SequenceNumber(3))),
        .waiting(EndedWaiting(since: dawn, answer: AnswerDue(.next), newest: .start)),
        .waiting(EndedWaiting(since: dawn, answer: AnswerDue(.first, at: dawn), newest: .start)),
    ])
    func `what a step changed is read as it was written`(change: StepChange) {
        let step = ConversationStep(
            author: .server, state: .open, assignee: agent(2), snoozedUntil: nil, change: change)
        #expect(RowFields.readStep(RowFields.write(step)) == step)
    }

    @Test func `rows of programs that wrote no names are read`() {
        let text = "5:agent,36:\(agent(1).text),7:snoozed,-,1:7,"
        #expect(RowFields.readStep(text) == Self.step)
        #expect(
            RowFields.readHeaders("1:a,0:,1:b,2:cd,")
                == [HeaderField(name: "a", value: ""), HeaderField(name: "b", value: "cd")])
    }

    @Test func `a field that a later program added is passed over`() {
        let text = RowFields.write(Self.step)
        let later = "\(text.dropLast())why=11:on holidays,}"
        #expect(RowFields.readStep(later) == Self.step)
        #expect(
            RowFields.readHeaders("{name=1:a,kind=3:new,value=1:b,}")
                == [HeaderField(name: "a", value: "b")])
    }

    @Test(arguments: [
        "{", "{}", "{name=1:a,}", "{name=2:a,value=1:b,}", "{name=1:a,value=1:b,", "{=1:a,}", "x",
        "{name=1:a,value=1:b,}x", "1:a,", "1:a,1:b,1:c,", "1:a", "-,-,", "{name=999999999:a,}",
    ])
    func `any other text is none`(text: String) {
        #expect(RowFields.readHeaders(text) == nil)
    }

    @Test(arguments: ["x", "0:,", "-,", "}{"])
    func `without names of earlier programs a text that begins with no record is none`(text: String)
    {
        #expect(RowFields.read(text, unnamed: []) == nil)
    }
}
