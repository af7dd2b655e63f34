import Testing

@testable import DeskGateway

struct WireTextTests {
    struct Kept: Sendable {
        let body: String
        let kept: String
    }

    @Test(arguments: [
        Kept(body: #"{"token":"abc"}"#, kept: #"{"token":"***"}"#),
        Kept(
            body: #"{"a":{"clientSecret" : "a\"b"},"b":1}"#,
            kept: #"{"a":{"clientSecret" : "***"},"b":1}"#),
        Kept(body: #"{"access_token":"abc"#, kept: #"{"access_token":"***"#),
        Kept(
            body: #"{"token":"a","token":"b"} junk"#, kept: #"{"token":"***","token":"***"} junk"#),
        Kept(body: #"{"token":7,"x":"token"}"#, kept: #"{"token":7,"x":"token"}"#),
        Kept(body: #"{"body":"say \"token\":\"x\""}"#, kept: #"{"body":"say \"token\":\"x\""}"#),
        Kept(
            body: #"{"upload-url":"http://a/v1/mmcs/upload/x.y.z","download-url":"b"}"#,
            kept: #"{"upload-url":"***","download-url":"***"}"#),
        Kept(body: #"{"client_secret":""}"#, kept: #"{"client_secret":"***"}"#),
        Kept(body: #""token":"#, kept: #""token":"#),
        Kept(body: "", kept: ""),
    ])
    func `a body is kept without its credentials`(_ row: Kept) {
        let kept = WireText.blanked(body: Array(row.body.utf8))
        #expect(String(decoding: kept, as: UTF8.self) == row.kept)
    }
}
