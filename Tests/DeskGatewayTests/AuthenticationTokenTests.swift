import DeskBytes
import DeskCrypto
import DeskGateway
import Testing

/// The sign-in token of version 1, against one that Python's cryptography made.
@Suite("The access token of a sign-in")
struct AuthenticationTokenTests {
    static let own =
        "d44a44950751879550616ff490acb68f2affda7f14cb541a516c06eba0a7524a5442f90d1238912f7f19ca3ce9048ec1"
    static let oneTime =
        "d2f70e23ca4fab9e7c69373276a1a7b37af241e97b15af7af61584c9e5b0538750efaa8deeb58e783a7ca18c88f249dd"
    static let encryptionKey =
        "BHADaY/jif5Pk+bE4djSEhUQnXKY0r2rLHOg5ZQtieCBrcjqzQ8pYqBRv3ONu2KZWOw4giXpMVPRmBwT5lhqSWjp"
        + "nBv8MO8KOGXmIO4qoVE2CrqssrjARHwHJdwDCNPebw=="
    static let sealed =
        "BKB5QyKGr3+Tz3jrujiYlrzNF0YIl7/2+s8F26I2HlkyFVtT5MeieWC0g7eCorzY7CCX9tvjMQSEIQ5pwcVdobFm"
        + "mRYR/PIlw4aINik5uN01lsMwni6Uap7in7DNWVBv8ZtoNKRZ5VR5bmF1IeOZ/jd4XH8gOBpqVD+tkulUbNwG"
    static let token = "ya29.token-äあ"

    static func key(_ hex: String = own) throws -> P384 {
        try P384(scalar: #require(Hex.decode(hex)))
    }

    @Test func `is encrypted as Python's cryptography encrypts it`() throws {
        let key = try AuthenticationTokenTests.key()
        let encryptionKey = AuthenticationToken.responseEncryptionKey(of: key)
        #expect(encryptionKey == AuthenticationTokenTests.encryptionKey)
        let sealed = try AuthenticationToken.seal(
            AuthenticationTokenTests.token, for: encryptionKey,
            oneTime: AuthenticationTokenTests.key(AuthenticationTokenTests.oneTime))
        #expect(sealed == AuthenticationTokenTests.sealed)
    }

    @Test func `is opened by the private key`() throws {
        let opened = try AuthenticationToken.open(
            AuthenticationTokenTests.sealed, with: AuthenticationTokenTests.key())
        #expect(opened.equalsBytes(AuthenticationTokenTests.token))
    }

    @Test(arguments: ["", "a", String(repeating: "t", count: 65_536)])
    func `is read back the same, and sealed differently each time`(token: String) throws {
        let key = P384.make()
        let encryptionKey = AuthenticationToken.responseEncryptionKey(of: key)
        let sealed = try AuthenticationToken.seal(token, for: encryptionKey)
        #expect(try AuthenticationToken.open(sealed, with: key).equalsBytes(token))
        #expect(try AuthenticationToken.seal(token, for: encryptionKey) != sealed)
    }

    @Test func `that was changed anywhere, or is for another key, is not opened`() throws {
        let key = try AuthenticationTokenTests.key()
        let bytes = try #require(Base64.decode(AuthenticationTokenTests.sealed))
        for place in bytes.indices {
            var changed = bytes
            changed[place] ^= 1
            let expected: AuthenticationTokenFault =
                place < 97 ? .oneTimeKeyNotAPoint : .otherKeyOrChanged
            #expect(throws: expected) {
                try AuthenticationToken.open(Base64.encode(changed), with: key)
            }
        }
        #expect(throws: AuthenticationTokenFault.otherKeyOrChanged) {
            try AuthenticationToken.open(AuthenticationTokenTests.sealed, with: P384.make())
        }
    }

    @Test(arguments: [
        ("***", AuthenticationTokenFault.notBase64), ("", .tooShort),
        (Base64.encode([UInt8](repeating: 4, count: 112)), .tooShort),
        (Base64.encode([UInt8](repeating: 4, count: 113)), .oneTimeKeyNotAPoint),
        (String(repeating: "A", count: 90_000), .tooLong),
    ])
    func `of a wrong form is refused by what is wrong`(
        text: String, fault: AuthenticationTokenFault
    ) {
        #expect(throws: fault) { try AuthenticationToken.open(text, with: P384.make()) }
    }

    @Test(arguments: [
        ("BH*", AuthenticationTokenFault.encryptionKeyNotBase64),
        (Base64.encode(P384.make().point, alphabet: .url), .encryptionKeyNotBase64),
        ("", .encryptionKeyNotAPoint),
        (Base64.encode(Array(P384.make().point.dropLast())), .encryptionKeyNotAPoint),
        (Base64.encode([4] + [UInt8](repeating: 1, count: 96)), .encryptionKeyNotAPoint),
    ])
    func `is not sealed for what is no key`(text: String, fault: AuthenticationTokenFault) {
        #expect(throws: fault) { try AuthenticationToken.seal("t", for: text) }
    }

    @Test func `too long is refused`() {
        let key = AuthenticationToken.responseEncryptionKey(of: P384.make())
        #expect(throws: AuthenticationTokenFault.tooLong) {
            try AuthenticationToken.seal(String(repeating: "t", count: 65_537), for: key)
        }
    }
}
