import DeskBytes
import DeskCrypto
import DeskWebhooks
import Testing

/// Keys as texts, ids, and what a signer puts into header fields.
struct WebhookKeyTests {
    @Test(arguments: [(23, false), (24, true), (64, true), (65, false), (0, false)])
    func `a secret has 24 to 64 bytes`(count: Int, isAllowed: Bool) throws {
        let text = "whsec_" + Base64.encode([UInt8](repeating: 9, count: count))
        guard isAllowed else {
            let error = #expect(throws: WebhookKeyError.self) { try WebhookSecret(text) }
            #expect(error?.description.contains("has \(count) bytes, and 24 to 64") == true)
            return
        }
        #expect(try WebhookSecret(text).text == text)
    }

    @Test(arguments: [
        ("", "none of whsec_"), ("whsec_", "has 0 bytes"), ("AAAA", "none of whsec_"),
        ("whsk_AAAA", "begins with whsk_"), ("whpk_AAAA", "begins with whpk_"),
        ("WHSEC_AAAA", "none of whsec_"), ("whsec_AAA", "no base64"),
        ("whsec_AAAA AAAA", "no base64"), ("whsec_AA-_", "no base64"),
        ("\"whsec_AAAA\"", "none of whsec_"),
    ])
    func `a text that is no secret is refused with what was found`(text: String, words: String) {
        let error = #expect(throws: WebhookKeyError.self) { try WebhookSecret(text) }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }

    @Test func `new keys differ, are read again, and say nothing of themselves`() throws {
        let (secret, key) = (WebhookSecret.make(), WebhookSigningKey.make())
        #expect(secret != WebhookSecret.make())
        #expect(key != WebhookSigningKey.make())
        #expect(try WebhookSecret(secret.text) == secret)
        #expect(try WebhookSigningKey(key.text) == key)
        #expect(try WebhookPublicKey(key.publicKey.text) == key.publicKey)
        #expect(secret.bytes.count == 32)
        #expect("\(secret)" == "WebhookSecret(32 bytes)")
        #expect("\(key)" == "WebhookSigningKey(\(key.publicKey.text))")
    }

    @Test func `a signing key of seed and public key is the seed's, and another's is refused`()
        throws
    {
        let key = WebhookSigningKey.make()
        let both = "whsk_" + Base64.encode(key.seed + key.publicKey.bytes)
        #expect(try WebhookSigningKey(both) == key)
        let mixed = "whsk_" + Base64.encode(key.seed + WebhookSigningKey.make().publicKey.bytes)
        #expect(throws: WebhookKeyError.self) { try WebhookSigningKey(mixed) }
    }

    @Test(arguments: [0, 31, 33, 63, 65])
    func `a signing key or a public key of another size is refused`(count: Int) {
        let text = Base64.encode([UInt8](repeating: 1, count: count))
        for found in ["whsk_" + text, "whsec_" + text] {
            #expect(throws: WebhookKeyError.self) { try WebhookSigningKey(found) }
        }
        for found in ["whpk_" + text, "whsk_" + text] {
            #expect(throws: WebhookKeyError.self) { try WebhookPublicKey(found) }
        }
    }

    @Test(arguments: [
        ("msg_1", true), ("!~", true), (String(repeating: "a", count: 256), true),
        (String(repeating: "a", count: 257), false), ("", false), ("msg.1", false),
        ("msg 1", false), ("msg\n1", false), ("msg\u{7F}", false), ("é", false),
    ])
    func `an id is visible ASCII without a full stop`(text: String, isAllowed: Bool) {
        #expect((WebhookMessageID(text) != nil) == isAllowed)
    }

    @Test func `the fields are sent in one order, with a signature for each key`() throws {
        let secrets = [WebhookSecret.make(), .make()]
        let keys = [WebhookSigningKey.make(), .make()]
        let signer = WebhookSigner(secrets: secrets, keys: keys)
        let id = try #require(WebhookMessageID("msg_1"))
        let headers = signer.sign(id: id, atSeconds: 0, body: [0xFF, 0])
        #expect(
            headers.fields.map(\.name) == ["webhook-id", "webhook-timestamp", "webhook-signature"])
        #expect(headers.timestamp == "0")
        let versions = headers.signature?.split(separator: " ").map { $0.prefix { $0 != "," } }
        #expect(versions == ["v1", "v1", "v1a", "v1a"])
        for verifier in secrets.map({ WebhookVerifier(secrets: [$0]) })
            + keys.map({ WebhookVerifier(secrets: [], keys: [$0.publicKey]) })
        {
            #expect(try verifier.verify(headers, body: [0xFF, 0], nowSeconds: 300) == id)
            #expect(throws: WebhookRefusal.noMatch) {
                try verifier.verify(headers, body: [0xFF], nowSeconds: 300)
            }
        }
        #expect(throws: WebhookRefusal.noMatch) {
            try WebhookVerifier(secrets: []).verify(headers, body: [0xFF, 0], nowSeconds: 0)
        }
    }

    @Test func `an entry that cannot be read matches nothing and hides no other`() throws {
        let secret = WebhookSecret.make()
        let id = try #require(WebhookMessageID("msg_1"))
        var headers = WebhookSigner(secrets: [secret]).sign(id: id, atSeconds: 9, body: [])
        let good = try #require(headers.signature)
        let verifier = WebhookVerifier(secrets: [secret])
        for text in [
            "\(good)  ", "garbage \(good)", "v1,=== , \(good)", "v1a,\(good.dropFirst(3)) \(good)",
        ] {
            headers.signature = text
            #expect(try verifier.verify(headers, body: [], nowSeconds: 9) == id, "\(text)")
        }
        for text in [
            "garbage", "v1", ",", " ", "V1\(good.dropFirst(2))", "\(good),", "\(good)=",
            good.replacing(",", with: " "),
        ] {
            headers.signature = text
            #expect(throws: WebhookRefusal.noMatch, "\(text)") {
                try verifier.verify(headers, body: [], nowSeconds: 9)
            }
        }
    }

    @Test func `a time at the ends of the numbers is refused without a trap`() {
        let verifier = WebhookVerifier(secrets: [.make()])
        for text in ["999999999999999999", "9223372036854775807", "9223372036854775808"] {
            let headers = WebhookHeaders(id: "a", timestamp: text, signature: "v1,")
            #expect(throws: WebhookRefusal.self) {
                try verifier.verify(headers, body: [], nowSeconds: 0)
            }
        }
    }

    @Test(arguments: [0, 9])
    func `a signer without keys, or with more than eight, is our own mistake`(count: Int) async {
        await #expect(processExitsWith: .failure) { [count] in
            _ = WebhookSigner(secrets: (0..<count).map { _ in WebhookSecret.make() })
        }
    }
}
