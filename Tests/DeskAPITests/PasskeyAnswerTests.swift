import APITestSupport
import DeskBytes
import DeskCrypto
import DeskModel
import DeskStore
import DeskWeb
import TestSupport
import Testing

@testable import DeskAPI

/// The parts of a passkey's answer, and the site that they were made for.
struct PasskeyAnswerTests {
    private static let dawn = Timestamp(seconds: 1_800_000_000)

    private static func site() throws -> PasskeySite {
        let url = try #require(PublicURL("http://localhost:8080"))
        return try #require(PasskeySite(url, request: "localhost:8080", isSecure: false))
    }

    @Test(
        arguments: [
            (
                "https://desk.example.com", "desk.example.com", "desk.example.com",
                "https://desk.example.com"
            ),
            ("https://Desk.Example.com:443", "x", "desk.example.com", "https://desk.example.com"),
            (
                "https://desk.example.com:8443", "x", "desk.example.com",
                "https://desk.example.com:8443"
            ),
            ("http://localhost:80", "x", "localhost", "http://localhost"),
            // What one tries out: the address of links is the one listened on.
            ("http://127.0.0.1:8080", "localhost:8080", "localhost", "http://localhost:8080"),
            ("http://127.0.0.1:8080", "127.0.0.1:8080", nil, nil),
            ("http://desk.example.com", "desk.example.com", nil, nil),
            ("https://192.0.2.7", "192.0.2.7", nil, nil),
            ("https://[2001:db8::1]", "[2001:db8::1]", nil, nil),
            // A public server is no site of localhost, whatever a request says.
            (
                "https://desk.example.com", "localhost:8080", "desk.example.com",
                "https://desk.example.com"
            ),
        ] as [(String, String, String?, String?)])
    func `passkeys are made for a name with https, and for localhost`(
        url: String, request: String, host: String?, origin: String?
    ) throws {
        let url = try #require(PublicURL(url))
        let site = PasskeySite(url, request: request, isSecure: url.isSecure)
        #expect(site?.host == host && site?.origin == origin)
    }

    @Test func `what a browser says is read as the standard has it, and no shorter`() throws {
        let site = try Self.site()
        var device = TestAuthenticator()
        // What later versions of the standard may add.
        device.more = #","other":{"a":[1]}"#
        let bytes = device.clientData("webauthn.get", "AQID")
        #expect(try PasskeyClientData(bytes, .signIn, at: site).challenge == [1, 2, 3])
        #expect(throws: PasskeyFault.type) { try PasskeyClientData(bytes, .addition, at: site) }
        for count in bytes.indices {
            #expect(throws: PasskeyFault.clientData) {
                try PasskeyClientData(Array(bytes.prefix(count)), .signIn, at: site)
            }
        }
        device.more = #","x":"\#(String(repeating: "a", count: 4_096))""#
        #expect(throws: PasskeyFault.clientData) {
            try PasskeyClientData(device.clientData("webauthn.get", "AQID"), .signIn, at: site)
        }
    }

    @Test func `what an authenticator says is read to its last byte`() throws {
        let site = try Self.site()
        var device = TestAuthenticator()
        device.counter = 0x0102_0304
        for isNew in [false, true] {
            let bytes = device.data(isNew: isNew)
            let data = try AuthenticatorData(bytes, at: site)
            #expect(data.counter == 0x0102_0304 && data.credential == (isNew ? device.id : nil))
            for count in bytes.indices {
                #expect(throws: PasskeyFault.authenticatorData) {
                    try AuthenticatorData(Array(bytes.prefix(count)), at: site)
                }
            }
        }
        // Bytes behind it that no flag announces; with the flag of extensions they are some.
        var longer = device.data(isNew: false) + [0xA0]
        #expect(throws: PasskeyFault.authenticatorData) { try AuthenticatorData(longer, at: site) }
        longer[32] |= 0x80
        #expect(try AuthenticatorData(longer, at: site).credential == nil)
    }

    @Test func `mutated answers are refused or read, and never stop the program`() throws {
        let site = try Self.site()
        let device = TestAuthenticator()
        let seed = UInt64.random(in: 0...UInt64.max)
        print("mutated with the seed \(seed)")
        var random = SeededRandom(seed: seed)
        let whole = [device.data(isNew: true), device.clientData("webauthn.get", "AQID")]
        for _ in 0..<20_000 {
            for (place, bytes) in whole.enumerated() {
                var changed = bytes
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let index = Int.random(in: changed.indices, using: &random)
                    switch Int.random(in: 0..<3, using: &random) {
                    case 0: changed[index] = UInt8.random(in: 0...255, using: &random)
                    case 1: changed.remove(at: index)
                    default: changed.insert(UInt8.random(in: 0...255, using: &random), at: index)
                    }
                }
                if place == 0 {
                    let data = try? AuthenticatorData(changed, at: site)
                    #expect(data.map { ($0.credential?.count ?? 0) < changed.count } ?? true)
                } else {
                    let client = try? PasskeyClientData(changed, .signIn, at: site)
                    #expect(client.map { $0.bytes == changed } ?? true)
                }
            }
        }
    }

    @Test func `a challenge of another key, purpose or session, or a changed one, is none`() {
        let challenges = PasskeyChallenges(key: [UInt8](repeating: 1, count: 32))
        let session = PasskeyChallenges.Purpose.addition(session: .sha256([1]))
        let made = challenges.make(for: session, at: Self.dawn)
        let end = Self.dawn.advanced(by: .seconds(300))
        #expect(made.count == 56 && challenges.expiry(of: made, for: session, at: Self.dawn) == end)
        #expect(challenges.make(for: session, at: Self.dawn) != made)
        #expect(challenges.expiry(of: made, for: session, at: end) == nil)
        #expect(challenges.expiry(of: made, for: .signIn, at: Self.dawn) == nil)
        #expect(
            challenges.expiry(of: made, for: .addition(session: .sha256([2])), at: Self.dawn) == nil
        )
        let other = PasskeyChallenges(key: [UInt8](repeating: 2, count: 32))
        #expect(other.expiry(of: made, for: session, at: Self.dawn) == nil)
        for place in made.indices {
            var changed = made
            changed[place] ^= 1
            #expect(challenges.expiry(of: changed, for: session, at: Self.dawn) == nil)
            #expect(
                challenges.expiry(of: Array(made.prefix(place)), for: session, at: Self.dawn) == nil
            )
        }
    }
}
