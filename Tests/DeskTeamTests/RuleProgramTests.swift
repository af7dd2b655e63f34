import DeskCalendar
import DeskJSON
import DeskModel
import DeskStore
import TestSupport
import Testing

@testable import DeskTeam

/// What a rule says: its conditions, and whether it leads to itself.
struct RuleProgramTests {
    private static let label = UniqueID(high: 7, low: 1).text

    static func program(
        _ trigger: TeamRule.Trigger, if conditions: String = "[]", then actions: String
    ) throws -> RuleProgram {
        let rule = TeamRule(
            id: TeamRuleID(UniqueID(high: 6, low: 1)), business: Story.shop, name: "R", isOn: true,
            order: 0, trigger: trigger, conditions: Array(conditions.utf8),
            actions: Array(actions.utf8))
        let both = try #require(
            JSONValue.parsed(Array(#"{"if":\#(conditions),"then":\#(actions)}"#.utf8)))
        return try RuleProgram(
            rule, if: try #require(both["if"]), then: try #require(both["then"]))
    }

    private static func fault(
        _ trigger: TeamRule.Trigger, if conditions: String = "[]", then actions: String
    ) throws -> TeamActionFault? {
        do {
            _ = try program(trigger, if: conditions, then: actions)
            return nil
        } catch let fault as TeamActionFault {
            return fault
        }
    }

    @Test(arguments: [
        (TeamRule.Trigger.messageSent, "[]", #"[{"template":{"name":"hello"}}]"#),
        (.snoozeEnded, "[]", #"[{"state":"snoozed","snoozeMinutes":5}]"#),
        (.snoozeEnded, #"[{"state":"open"}]"#, #"[{"state":"snoozed","snoozeMinutes":5}]"#),
        (.closed, "[]", #"[{"state":"open"},{"state":"closed"}]"#),
        (.reopened, #"[{"intent":"x"}]"#, #"[{"state":"closed"},{"state":"open"}]"#),
        (.priorityChanged, #"[{"priority":"low"}]"#, #"[{"priority":"high"},{"priority":"low"}]"#),
        (.firstAnswerOverdue, "[]", #"[{"priority":"high"},{"priority":"low"}]"#),
        (
            .nextAnswerOverdue, #"[{"state":"open"}]"#,
            #"[{"state":"snoozed","snoozeMinutes":5}]"#
        ),
        (.assigned, "[]", #"[{"assign":null},{"assign":"\#(Story.agents[0].text)"}]"#),
        (
            .labelAdded, #"[{"label":"\#(label)"}]"#,
            #"[{"labels":{"remove":["\#(label)"]}},{"labels":{"add":["\#(label)"]}}]"#
        ),
    ])
    func `a rule that would lead to itself for ever is refused with the place of its actions`(
        _ trigger: TeamRule.Trigger, _ conditions: String, _ actions: String
    ) throws {
        let fault = try #require(try Self.fault(trigger, if: conditions, then: actions))
        #expect(fault.value.path == "/then")
    }

    @Test(arguments: [
        (TeamRule.Trigger.closed, "[]", #"[{"state":"closed"}]"#),
        (.priorityChanged, "[]", #"[{"priority":"high"}]"#),
        (.labelAdded, "[]", #"[{"labels":{"add":["\#(label)"]}}]"#),
        (.customerMessage, "[]", #"[{"template":{"name":"hello"}}]"#),
        (.messageSent, #"[{"kind":"payment"}]"#, #"[{"template":{"name":"hello"}}]"#),
        (.snoozeEnded, "[]", #"[{"state":"snoozed"}]"#),
        (.firstAnswerOverdue, "[]", #"[{"priority":"urgent"},{"note":"Late"}]"#),
        (.nextAnswerOverdue, #"[{"priority":"low"}]"#, #"[{"priority":"urgent"}]"#),
        (.snoozeEnded, #"[{"state":"closed"}]"#, #"[{"state":"snoozed","snoozeMinutes":5}]"#),
        (
            .snoozeEnded, #"[{"not":true,"label":"\#(label)"}]"#,
            #"[{"labels":{"add":["\#(label)"]}},{"state":"snoozed","snoozeMinutes":5}]"#
        ),
        (.closed, #"[{"state":"closed"}]"#, #"[{"state":"closed"},{"state":"open"}]"#),
    ])
    func `a rule that comes to rest is accepted`(
        _ trigger: TeamRule.Trigger, _ conditions: String, _ actions: String
    ) throws {
        #expect(try Self.fault(trigger, if: conditions, then: actions) == nil)
    }

    @Test(arguments: [
        ("{}", #"[{"note":"n"}]"#, "/if"),
        (#"[{"colour":"red"}]"#, #"[{"note":"n"}]"#, "/if/0"),
        (#"[{"state":"open","label":"x"}]"#, #"[{"note":"n"}]"#, "/if/0"),
        (#"[{"not":1,"state":"open"}]"#, #"[{"note":"n"}]"#, "/if/0"),
        (#"[{"state":"ajar"}]"#, #"[{"note":"n"}]"#, "/if/0/state"),
        (#"[{"hours":"often"}]"#, #"[{"note":"n"}]"#, "/if/0/hours"),
        (#"[{"text":""}]"#, #"[{"note":"n"}]"#, "/if/0/text"),
        (#"[{"label":"x"}]"#, #"[{"note":"n"}]"#, "/if/0/label"),
        ("[]", "[]", "/then"),
        ("[]", #"[{"note":"n"},{"assign":"me"}]"#, "/then/1/assign"),
    ])
    func `what is no condition and no action is refused with its place`(
        _ conditions: String, _ actions: String, _ place: String
    ) throws {
        let fault = try #require(
            try Self.fault(.customerMessage, if: conditions, then: actions))
        #expect(fault.value.path == place)
    }

    @Test func `only what has a message is asked for the message's words`() throws {
        let fault = try #require(
            try Self.fault(.closed, if: #"[{"text":"hi"}]"#, then: #"[{"note":"n"}]"#))
        #expect(fault.value.path == "/if/0")
        let many = "[" + Array(repeating: #"{"state":"open"}"#, count: 21).joined(separator: ",")
        #expect(try Self.fault(.closed, if: many + "]", then: #"[{"note":"n"}]"#) != nil)
    }

    private static func subject(
        locale: String? = nil, text: String = #"{"body":"Where is my ORDER?"}"#,
        hours: OpeningTimes? = nil
    ) throws -> RuleSubject {
        let id = ConversationID(UniqueID(high: 3, low: 1))
        var conversation = Conversation(
            id: id, business: Story.shop,
            customer: Customer(
                id: try #require(CustomerID("urn:mbid:AAA=")), locale: locale, intent: "order"),
            openedAt: Story.dawn)
        conversation.labels = [try #require(LabelID(label))]
        conversation.assignee = Story.agents[0]
        let facts = MessageFacts(
            direction: .inbound, kind: .text, author: .customer(device: "d"), origin: .phone)
        let message = StoredMessage(
            id: try #require(MessageID("m1")), conversation: id, business: Story.shop,
            sequence: SequenceNumber(1), position: Position(2), time: Story.dawn, facts: facts,
            payload: .bytes(Array(text.utf8)), digest: Digest.sha256([]), checksum: 0)
        let event = Event(
            id: EventID(epoch: Epoch(1), position: Position(2)), type: .messageAccepted,
            time: Story.dawn, business: Story.shop, conversation: conversation,
            body: .message(message))
        return RuleSubject(event, conversation, hours: hours)
    }

    @Test(arguments: [
        (#"{"state":"open"}"#, "open", true), (#"{"state":"closed"}"#, "open", false),
        (#"{"not":true,"state":"closed"}"#, "open", true),
        (#"{"assignee":null}"#, "", false),
        (#"{"assignee":"anybody"}"#, Story.agents[0].text, true),
        (#"{"assignee":"\#(Story.agents[1].text)"}"#, "", false),
        (#"{"team":null}"#, "none", true), (#"{"label":"\#(label)"}"#, "has it", true),
        (#"{"priority":"none"}"#, "none", true), (#"{"language":"ja"}"#, "ja_JP", true),
        (#"{"language":"j"}"#, "", false), (#"{"language":"ja-JP"}"#, "ja_JP", true),
        (#"{"intent":"order"}"#, "order", true), (#"{"group":"order"}"#, "", false),
        (#"{"hours":"within"}"#, "within", true), (#"{"text":"my order"}"#, "contains it", true),
        (#"{"text":"refund"}"#, "", false), (#"{"kind":"text"}"#, "text", true),
        (#"{"channel":"phone"}"#, "phone", true), (#"{"channel":"api"}"#, "", false),
    ])
    func `conditions are judged by the conversation and the message`(
        _ condition: String, _ found: String, _ isSo: Bool
    ) throws {
        let program = try Self.program(
            .customerMessage, if: "[\(condition)]", then: #"[{"note":"n"}]"#)
        let judged = try Self.subject(locale: "ja_JP").found(for: program.conditions)
        #expect(judged == (isSo ? [found] : nil))
    }

    @Test func `a mark of a rule is written and read whole`() throws {
        let ids = (1...5).map { TeamRuleID(UniqueID(high: 6, low: $0)) }
        let mark = RuleMark(
            id: ids[4], name: "A name, of words", causes: Array(ids.prefix(4)), root: Position(9))
        #expect(Author(kind: "rule", name: Author.rule(mark).name) == .rule(mark))
        for text in ["", "9", "9 x name", "-1 \(ids[0].text) n", "9  n"] {
            #expect(RuleMark(text: text) == nil, "\(text)")
        }
    }
}
