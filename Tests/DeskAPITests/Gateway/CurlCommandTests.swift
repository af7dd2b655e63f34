import DeskModel
import DeskWeb
import Testing

@testable import DeskAPI

struct CurlCommandTests {
    /// A text and the shell's word for it.
    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        let word: String
        var testDescription: String { word }

        init(_ text: String, _ word: String) { (self.text, self.word) = (text, word) }
    }

    @Test(arguments: [
        Row("", "''"),
        Row("plain", "'plain'"), Row("it's", #"'it'\''s'"#), Row("''", #"''\'''\'''"#),
        Row("$(reboot) `reboot` $TOKEN !!", "'$(reboot) `reboot` $TOKEN !!'"),
        Row("a\nb\tc", "'a\nb\tc'"), Row(#"back\slash"#, #"'back\slash'"#),
        // One character for Swift, a quote and a mark for a shell.
        Row("'\u{301};reboot", "''\\''\u{301};reboot'"),
        Row("\u{1B}[201~'\\;reboot\r\n", #"$'\033[201~\'\\;reboot\015"# + "\n'"),
        Row("\u{9B}2J", #"$'\302\2332J'"#), Row("\u{7F}", #"$'\177'"#), Row("日本", "'日本'"),
    ])
    func `untrusted text stays one word`(row: Row) {
        #expect(Array(CurlCommand.quoted(row.text).utf8) == Array(row.word.utf8))
    }

    @Test func `a request of ours is a whole command, packed as it was, without its token`() {
        let command = CurlCommand(
            Self.exchange(
                "https://provider.example/a'b/message",
                [
                    ("authorization", "Bearer ***"), ("Content-Type", "application/json"),
                    ("Content-Encoding", "gzip"), ("content-length", "20"), ("x-empty", ""),
                ], #"{"body":"it's"}"#), origin: "http://desk.example")
        #expect(
            command.text == #"printf %s '{"body":"it'\''s"}' | gzip | curl --globoff -X 'POST' "#
                + #"'https://provider.example/a'\''b/message' -H "Authorization: Bearer $TOKEN" "#
                + #"-H 'Content-Type: application/json' -H 'Content-Encoding: gzip' "#
                + #"-H 'x-empty;' --data-binary @-"#)
    }

    @Test func `a request of theirs goes to this server`() {
        let command = CurlCommand(
            Self.exchange("/v1/message", [("host", "x"), ("id", "1")], "@/etc/passwd"),
            origin: "http://desk.example")
        #expect(
            command.text == "curl --globoff -X 'POST' 'http://desk.example/v1/message' -H 'id: 1' "
                + "-H 'Content-Type:' --data-raw '@/etc/passwd'")
    }

    @Test(arguments: [
        [0x61, 0x00], [0xFF], [UInt8](repeating: 0x61, count: WireExchange.maximumBodyBytes + 1),
    ])
    func `a body that no argument holds is left to a file`(body: [UInt8]) {
        let exchange = WireExchange(
            link: GatewayLinkID(UniqueID(high: 1, low: 1)),
            business: BusinessID(UniqueID(high: 1, low: 2)), course: .received,
            time: Timestamp(seconds: 1), milliseconds: 1, method: "POST", target: "/v1/message",
            request: .init(headers: [], body: body, byteCount: body.count), status: 200,
            answer: .init(headers: [], body: [], byteCount: 0))
        let command = CurlCommand(exchange, origin: "http://desk.example")
        #expect(command.text.hasSuffix("-H 'Content-Type:' --data-binary @body"))
    }

    @Test func `a request without a body sends none`() {
        let command = CurlCommand(
            Self.exchange("/v1/preUpload", [("MMCS-Size", "3")], ""), origin: "http://desk.example")
        #expect(command.text.hasSuffix("'http://desk.example/v1/preUpload' -H 'MMCS-Size: 3'"))
    }

    private static func exchange(
        _ target: String, _ headers: [(String, String)], _ body: String
    ) -> WireExchange {
        WireExchange(
            link: GatewayLinkID(UniqueID(high: 1, low: 1)),
            business: BusinessID(UniqueID(high: 1, low: 2)), course: .sent,
            time: Timestamp(seconds: 1), milliseconds: 1, method: "POST", target: target,
            request: .init(
                headers: headers.map { HeaderField(name: $0.0, value: $0.1) },
                body: Array(body.utf8), byteCount: body.utf8.count),
            status: 200, answer: .init(headers: [], body: [], byteCount: 0))
    }
}
