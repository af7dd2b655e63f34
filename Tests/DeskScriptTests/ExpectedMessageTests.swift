import DeskJSON
import DeskModel
import DeskScript
import Testing

struct ExpectationTests {
    private static let payload =
        #"{"type":"text","body":"Order 12 is ready","list":[1,{"a/b":"x"}],"gone":null}"#

    struct Case: Sendable {
        let expectation: ExpectedMessage
        /// What the reason says; nil when the message is the one.
        let reason: String?
    }

    private static func at(_ pointer: String, _ value: String? = nil) -> ExpectedMessage {
        ExpectedMessage(
            place: JSONPointer(parsing: pointer).map {
                ExpectedMessage.Place(pointer: $0, value: value.map { Array($0.utf8) })
            })
    }

    @Test(arguments: [
        Case(expectation: ExpectedMessage(), reason: nil),
        Case(expectation: ExpectedMessage(kind: .text), reason: nil),
        Case(expectation: ExpectedMessage(kind: .list), reason: "its kind is text, not list"),
        Case(expectation: ExpectedMessage(text: "Order 12 is ready"), reason: nil),
        Case(expectation: ExpectedMessage(text: "Order 12"), reason: "its text is \"Order 12 is"),
        Case(expectation: ExpectedMessage(contained: "12 is"), reason: nil),
        Case(expectation: ExpectedMessage(contained: "13"), reason: "\"13\" is not in \"Order"),
        Case(expectation: ExpectedMessage(pattern: "[0-9]+ is"), reason: nil),
        Case(expectation: ExpectedMessage(pattern: "^12"), reason: "/^12/ does not match"),
        Case(expectation: at("/type"), reason: nil),
        Case(expectation: at("/type", #""text""#), reason: nil),
        Case(expectation: at("/type", #""\u0074ext""#), reason: nil),
        Case(expectation: at("/list/0", "1"), reason: nil),
        Case(expectation: at("/list/0", "2"), reason: "at /list/0 is 1, not 2"),
        Case(expectation: at("/list/1/a~1b", #""x""#), reason: nil),
        Case(expectation: at("/list/1", #"{ "a/b" : "x" }"#), reason: nil),
        Case(expectation: at("/gone", "null"), reason: nil),
        Case(expectation: at("/list/7"), reason: "there is nothing at /list/7"),
        Case(expectation: at("/body/x"), reason: "there is nothing at /body/x"),
    ])
    func `a message is the one, or the reason says why not`(row: Case) throws {
        let root = try JSONDocument(parsing: Array(Self.payload.utf8)).root
        let reasons = row.expectation.reasons(
            against: ExpectedMessage.Candidate(
                kind: .text, text: "Order 12 is ready", readable: "Order 12 is ready",
                payload: root))
        guard let reason = row.reason else {
            #expect(reasons.isEmpty)
            return
        }
        #expect(reasons.count == 1)
        let isSaid = reasons.first?.contains(reason) ?? false
        #expect(isSaid, "\(reasons)")
    }

    @Test func `words are compared as bytes`() {
        let message = ExpectedMessage.Candidate(
            kind: .text, text: "caf\u{e9}", readable: "caf\u{e9}", payload: nil)
        #expect(ExpectedMessage(contained: "caf\u{e9}").reasons(against: message).isEmpty)
        #expect(ExpectedMessage(contained: "cafe\u{301}").reasons(against: message).count == 1)
        #expect(ExpectedMessage(text: "cafe\u{301}").reasons(against: message).count == 1)
    }

    @Test func `every reason is reported`() {
        let message = ExpectedMessage.Candidate(kind: .text, text: "a", readable: "a", payload: nil)
        let all = ExpectedMessage(kind: .list, text: "b", contained: "c", pattern: "d")
        #expect(all.reasons(against: message).count == 4)
    }

    @Test(arguments: [
        ("10s", 10_000), ("10 s", 10_000), ("1.5 h", 5_400_000), ("250 ms", 250),
        ("2 days", 172_800_000), ("0 s", 0), (" 5 minutes ", 300_000), ("1 hour", 3_600_000),
    ])
    func `a length of time is read`(text: String, milliseconds: Int64) {
        #expect(TimeSpan.read(text) == .milliseconds(milliseconds))
    }

    @Test(arguments: ["", "s", "10", "-1 s", "1e3 s", "10 parsecs", "9999999999999 s", "1001 d"])
    func `anything else is none`(text: String) {
        #expect(TimeSpan.read(text) == nil)
    }

    @Test(arguments: [
        (5_000, "5 seconds"), (60_000, "1 minute"), (3_600_000, "1 hour"), (90_000, "90 seconds"),
        (0, "0 seconds"), (1, "1 millisecond"),
    ])
    func `a length of time is written so that it can be read`(milliseconds: Int64, text: String) {
        #expect(TimeSpan.text(.milliseconds(milliseconds)) == text)
        #expect(TimeSpan.read(text) == .milliseconds(milliseconds))
    }
}
