import DeskJSON
import DeskMessages
import DeskModel
import Testing

struct ReportTests {
    @Test(arguments: [
        (
            "outbound/text/valid-plain", "Hello! Your order is ready. ✓",
            "Hello! Your order is ready. ✓"
        ),
        ("outbound/attachments/valid-picture", "Your map: (Picture)", "Your map: (写真)"),
        ("outbound/attachments/valid-two", "and (File, File)", "and (ファイル、ファイル)"),
        (
            "outbound/rich-link/valid-picture", "Link: Shoes for the winter",
            "リンク：Shoes for the winter"
        ),
        (
            "outbound/list-picker/valid-two-sections", "List: Choose your coffee",
            "リスト：Choose your coffee"
        ),
        ("outbound/time-picker/valid-three", "Times: Choose a time", "日時：Choose a time"),
        (
            "outbound/quick-reply/valid-three", "Quick reply: Did that help?",
            "クイック返信：Did that help?"
        ),
        ("outbound/payment/valid-plain", "Payment: Pay for your coffee", "支払い：Pay for your coffee"),
        (
            "outbound/app/valid-plain", "Example Shop: Design your shoe",
            "Example Shop：Design your shoe"
        ),
        ("outbound/form/valid-three-pages", "Form: Tell us", "フォーム：Tell us"),
        ("outbound/invitation/valid-plain", "Invitation: Example Shop", "招待：Example Shop"),
        (
            "outbound/data-reference/valid-full", "Interactive message: Choose your coffee",
            "インタラクティブメッセージ：Choose your coffee"
        ),
        ("outbound/typing/valid-start", "", ""),
        ("inbound/text/valid-attachment", "Picture", "写真"),
        ("inbound/close/valid-plain", "Left the conversation", "会話を削除しました"),
        ("inbound/list-picker-reply/valid-one", "Chose Medium", "Mediumを選択しました"),
        (
            "inbound/time-picker-reply/valid-one", "Chose Tue, Dec 1, 2026, 11:00 AM",
            "2026年12月1日(火) 11:00を選択しました"
        ),
        ("inbound/quick-reply-reply/valid-second", "Chose No", "Noを選択しました"),
        ("inbound/payment-reply/valid-success", "Paid", "支払い済み"),
        ("inbound/authentication-reply/valid-failed", "Did not sign in", "サインインしませんでした"),
        ("inbound/form-reply/valid-two", "Answered the form", "フォームに回答しました"),
        ("inbound/invitation-reply/valid-yes", "Invitation: Yes", "招待：Yes"),
    ])
    func `a summary is one line in the reader's language`(
        _ example: String, _ english: String, _ japanese: String
    ) throws {
        let payload = try Corpus.payload(example)
        let direction: Direction = example.hasPrefix("inbound") ? .inbound : .outbound
        #expect(Summary.text(of: payload, direction: direction) == english)
        #expect(Summary.text(of: payload, direction: direction, language: .japanese) == japanese)
    }

    @Test(arguments: [
        "", " ", "a", "a b", "a  b", " a", "a ", "é", "a\\u0041", "tab\\tb", "\u{7F}",
        String(repeating: "a", count: 198), String(repeating: "a", count: 199),
        String(repeating: "a", count: 200), String(repeating: "a", count: 201),
        String(repeating: "a", count: 199) + " ", String(repeating: "a ", count: 120),
        String(repeating: "a", count: 199) + "é", String(repeating: "é", count: 201),
    ])
    func `a plain text's short way to its line leads where the long one does`(body: String) {
        let short = #"{"type":"text","body":"\#(body)"}"#
        let long = #"{"type":"text","body":"\#(body)","attachments":[]}"#
        #expect(
            Summary.text(of: Array(short.utf8), direction: .outbound)
                == Summary.text(of: Array(long.utf8), direction: .outbound))
    }

    @Test func `a long or broken text becomes one short line`() {
        let long = String(repeating: "wort ", count: 100)
        let summary = Summary.text(
            of: Array(#"{"type":"text","body":" a\n\n b\u0007 \#(long)"}"#.utf8),
            direction: .outbound)
        #expect(summary.hasPrefix("a b wort"))
        #expect(summary.hasSuffix("…"))
        #expect(summary.unicodeScalars.count == Summary.maximumScalars)
        #expect(Summary.text(of: Array("{".utf8), direction: .outbound) == "")
    }

    @Test(arguments: ["9223372036854775807", "-9223372036854775808", "1441", "1e99", "5.5"])
    func `an offset that is no place on earth is none, and the time is written in UTC`(
        offset: String
    ) throws {
        let example = String(
            decoding: try Corpus.payload("inbound/time-picker-reply/valid-one"), as: UTF8.self)
        let payload = example.replacing(
            #""timezoneOffset": 540"#, with: #""timezoneOffset": \#(offset)"#)
        #expect(
            Summary.text(of: Array(payload.utf8), direction: .inbound)
                == "Chose Tue, Dec 1, 2026, 2:00 AM UTC")
    }

    @Test func `lint shows the line with a caret and the fix`() throws {
        let text = Array(
            "{\n  \"type\": \"text\",\n  \"body\": \"日本\", \"bodi\": 1\n}\n".utf8)
        let judgement = try Corpus.rulebook.get().judge(
            text, JudgementContext(direction: .outbound, now: Corpus.now))
        let lines = LintText.render(judgement, in: text, file: "a.json").split(separator: "\n")
        #expect(lines[0].hasPrefix("a.json:3:17: warning: "))
        #expect(lines[0].hasSuffix("[unknown-key]"))
        #expect(lines[1] == "      \"body\": \"日本\", \"bodi\": 1")
        #expect(lines[2] == "                      ^~~~~~")
        #expect(lines[3] == "    at /bodi")
        #expect(lines[4].hasPrefix("    fix: "))
    }

    @Test func `lint shows where a text stops being JSON`() throws {
        let text = Array("{\n  \"type\": \u{1B}[31m\n}".utf8)
        let judgement = try Corpus.rulebook.get().judge(
            text, JudgementContext(direction: .outbound, now: Corpus.now))
        let output = LintText.render(judgement, in: text, file: "a.json")
        #expect(output.hasPrefix("a.json:2:11: error: "))
        #expect(!output.contains("\u{1B}"))
        #expect(output.contains("\n              ^\n"))
    }

    @Test func `a long line is cut around the place`() throws {
        let text = Array(
            #"{"type":"text","body":"\#(String(repeating: "a", count: 900))","extra":1}"#.utf8)
        let judgement = try Corpus.rulebook.get().judge(
            text, JudgementContext(direction: .outbound, now: Corpus.now))
        for line in LintText.render(judgement, in: text, file: "a.json").split(separator: "\n")
        where line.hasPrefix("    ") {
            #expect(line.unicodeScalars.count < 160)
        }
    }

    @Test func `a finding is reported in JSON with everything a screen needs`() throws {
        let file =
            #"{"name":"a","mimeType":"image/png","url":"https://a.example/1","owner":"M1","#
            + #""signature-base64":"AZ60","key":"00\#(String(repeating: "1f", count: 32))","#
            + #""size":100000001}"#
        let text = Array("{\"type\":\"text\",\"body\":\"\u{FFFC}\",\"attachments\":[\(file)]}".utf8)
        let judgement = try Corpus.rulebook.get().judge(
            text, JudgementContext(direction: .outbound, now: Corpus.now))
        let finding = try #require(judgement.findings.first)
        let json = try JSONDocument(parsing: finding.json.bytes()).root
        #expect(json["rule"]?.string == "attachment-too-large")
        #expect(json["severity"]?.string == "error")
        #expect(json["pointer"]?.string == "/attachments/0/size")
        #expect(json["limit"]?.int == 100_000_000)
        #expect(json["actual"]?.int == 100_000_001)
        #expect(json["start"]?.int == text.count - 12)
        #expect(json["docs"]?.string == "/docs/rules/attachment-too-large")
        #expect(judgement.warningsText.isEmpty)
    }

    @Test func `a file in the spelling of 2018 is named in a summary like any other`() {
        let text = """
            {"type":"text","body":"\u{FFFC}","attachments":[{"name":"a.png","mimeType":null,\
            "mime-type":"image/png"}]}
            """
        #expect(Summary.text(of: Array(text.utf8), direction: .outbound) == "Picture")
    }
}
