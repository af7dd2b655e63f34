import DeskJSON
import DeskMessages
import DeskModel
import Testing

/// What a customer's device gets of a payload: deny by default where secrets lie.
struct DeviceViewTests {
    private func view(
        _ payload: String, _ kind: MessageKind, hasAttachments: Bool = false
    ) -> String {
        String(
            decoding: DeviceView.payload(
                Array(payload.utf8), of: kind, hasAttachments: hasAttachments), as: UTF8.self)
    }

    private func interactive(_ data: String) -> String {
        #"{"type":"interactive","interactiveData":{"bid":"b","data":{\#(data)}}}"#
    }

    struct Row: CustomTestStringConvertible {
        let kind: MessageKind
        let data: String
        let seen: String
        var testDescription: String { data }
    }

    @Test(arguments: [
        Row(
            kind: .authentication,
            data:
                #""version":"1.0","authenticate":{"oauth2":{"responseType":"code","clientSecret":"#
                + #""hush","scope":[ "a" ],"state":"s","responseEncryptionKey":"K","#
                + #""client_secret":"hush","client_id":"c","additionalParameters":{"x":"hush"}}}"#,
            seen: #""version":"1.0","authenticate":{"oauth2":{"responseType":"code","#
                + #""scope":[ "a" ],"state":"s","responseEncryptionKey":"K"}}"#),
        Row(
            kind: .authentication,
            data: #""authenticate":{"oauth2":{"clientSecret":"hush"},"oauth2x":{"a":"hush"}}"#,
            seen: #""authenticate":{"oauth2":{}}"#),
        Row(kind: .authentication, data: #""authenticate":"hush""#, seen: #""authenticate":null"#),
        Row(
            kind: .authentication,
            data: #""authenticate":{"status":"authenticated","token":"sealed"}"#,
            seen: #""authenticate":{"status":"authenticated"}"#),
        Row(
            kind: .authentication,
            data: #""authenticate":{"status":"failed","errors":[{"code":0}]}"#,
            seen: #""authenticate":{"status":"failed","errors":[{"code":0}]}"#),
        // Whatever kind was recognised.
        Row(
            kind: .interactive, data: #""authenticate":{"oauth2":{"clientSecret":"hush"}}"#,
            seen: #""authenticate":{"oauth2":{}}"#),
        Row(
            kind: .payment,
            data: #""payment":{"paymentRequest":{"applePay":{"merchantIdentifier":"m","#
                + #""supportedNetworks":["visa"]},"total":{"amount":"4.50"},"countryCode":"JP","#
                + #""ours":1},"merchantSession":{"signature":"hush"},"endpoints":{"#
                + #""fallbackUrl":"https://a.b","x":"hush"},"other":"hush"}"#,
            seen: #""payment":{"paymentRequest":{"applePay":{"supportedNetworks":["visa"]},"#
                + #""total":{"amount":"4.50"},"countryCode":"JP"},"#
                + #""endpoints":{"fallbackUrl":"https://a.b"}}"#),
        Row(
            kind: .payment, data: #""payment":{"state":"success","status":"STATUS_SUCCESS"}"#,
            seen: #""payment":{"state":"success","status":"STATUS_SUCCESS"}"#),
    ])
    func `of a sign-in and of a payment only what is listed is given`(_ row: Row) {
        #expect(view(interactive(row.data), row.kind) == interactive(row.seen))
    }

    @Test func `of an attachment its name, type and size are given, and neither key nor address`() {
        let text =
            #"{"type":"text","body":"\uFFFC","attachments":[{"name":"a.png","#
            + #""mimeType":"image/png","size":"5","key":"00AB","url":"https://x","owner":"M","#
            + #""signature-base64":"AQ"}]}"#
        #expect(
            view(text, .text, hasAttachments: true)
                == #"{"type":"text","body":"\uFFFC","attachments":[{"name":"a.png","#
                + #""mimeType":"image/png","size":"5"}]}"#)
    }

    @Test func `every other kind is given byte for byte`() throws {
        for (folder, kind) in [
            ("text/valid-plain", MessageKind.text), ("list-picker/valid-pictures", .list),
            ("time-picker/valid-three", .time), ("quick-reply/valid-three", .quickReply),
            ("form/valid-three-pages", .form), ("app/valid-plain", .app),
        ] {
            let payload = try Corpus.payload("outbound/\(folder)")
            #expect(DeviceView.payload(payload, of: kind, hasAttachments: false) == payload)
        }
    }

    @Test func `no valid example of a sign-in shows its client secret`() throws {
        for name in ["valid-key", "valid-redirect", "valid-version-two"] {
            let payload = try Corpus.payload("outbound/authentication/\(name)")
            let seen = DeviceView.payload(payload, of: .authentication, hasAttachments: false)
            #expect(!String(decoding: seen, as: UTF8.self).contains("clientSecret"))
            #expect(SignInRequest(seen) == SignInRequest(payload))
        }
    }

    @Test func `a payload that cannot be read shows nothing`() {
        #expect(view(#"{"interactiveData":"#, .authentication) == "{}")
    }
}
