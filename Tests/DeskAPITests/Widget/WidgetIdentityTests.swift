import DeskBytes
import DeskCrypto
import DeskModel
import TestSupport
import Testing

@testable import DeskAPI

/// Identities as a shop's server makes them, and everything that is none.
struct WidgetIdentityTests {
    static let now = Timestamp(seconds: 1_800_000_000)
    static let business = BusinessID(UniqueID(high: 1, low: 2))
    static let secrets = [
        WidgetSecret(
            id: UniqueID(high: 3, low: 1), bytes: Array("fdws_new".utf8), madeAt: now),
        WidgetSecret(
            id: UniqueID(high: 3, low: 2), bytes: Array("fdws_old".utf8), madeAt: now),
    ]

    static func token(
        _ claims: String, header: String = #"{"alg":"HS256","typ":"JWT"}"#,
        secret: String = "fdws_new"
    ) -> String {
        func part(_ text: String) -> String { url(Array(text.utf8)) }
        let signed = part(header) + "." + part(claims)
        return signed + "."
            + url(HMACSHA256.code(for: Array(signed.utf8), key: Array(secret.utf8)))
    }

    private static func url(_ bytes: [UInt8]) -> String {
        String(decoding: Base64.encodeBytes(bytes, alphabet: .url, padded: false), as: UTF8.self)
    }

    static func hash(_ user: String, _ time: Int, secret: String = "fdws_new") -> String {
        Hex.encode(HMACSHA256.code(for: Array("\(time).\(user)".utf8), key: Array(secret.utf8)))
    }

    private func verify(
        _ token: String, at now: Timestamp = now
    ) throws(WidgetIdentity.Fault) -> WidgetIdentity {
        try WidgetIdentity.verify(
            token: token, of: Self.business, secrets: Self.secrets, at: now)
    }

    private func fault(_ token: String, at now: Timestamp = now) -> WidgetIdentity.Fault? {
        do throws(WidgetIdentity.Fault) {
            _ = try verify(token, at: now)
            return nil
        } catch { return error }
    }

    @Test func `a token says who the customer is, and what else it says is read`() throws {
        let identity = try verify(
            Self.token(
                #"{"sub":"客 1","iat":1799999999.5,"exp":1800000300,"nbf":1799999000,"#
                    + #""aud":["x","\#(Self.business.text)"],"name":"Ada","email":"a@shop.example","#
                    + #""attributes":{"tier":"gold","orders":3,"Bad":"x","long":null}}"#))
        #expect(identity.subject == "客 1")
        #expect(identity.secret == Self.secrets[0].id)
        #expect(identity.name == "Ada")
        #expect(identity.email == "a@shop.example")
        #expect(identity.attributes == ["tier": .text("gold"), "orders": .number(3)])
    }

    @Test func `each of two secrets verifies`() throws {
        let claims = #"{"sub":"1","iat":1800000000}"#
        let old = try verify(Self.token(claims, secret: "fdws_old"))
        #expect(old.secret == Self.secrets[1].id)
        #expect(fault(Self.token(claims, secret: "fdws_ended")) == .signature)
        #expect(
            throws: WidgetIdentity.Fault.signature,
            performing: {
                try WidgetIdentity.verify(
                    token: Self.token(claims, secret: ""), of: Self.business, secrets: [],
                    at: Self.now)
            })
    }

    @Test(arguments: [
        (#"{"iat":1800000000}"#, WidgetIdentity.Fault.subject),
        (#"{"sub":"","iat":1800000000}"#, .subject),
        (#"{"sub":"  ","iat":1800000000}"#, .subject),
        (#"{"sub":7,"iat":1800000000}"#, .subject),
        (#"{"sub":"1"}"#, .time),
        (#"{"sub":"1","iat":"1800000000"}"#, .time),
        (#"{"sub":"1","iat":1e300}"#, .time),
        (#"{"sub":"1","iat":-1}"#, .time),
        (#"{"sub":"1","iat":1799999699}"#, .tooOld),
        (#"{"sub":"1","iat":1800000061}"#, .early),
        (#"{"sub":"1","iat":1800000000000}"#, .time),
        (#"{"sub":"1","iat":1800000000,"exp":1800000000}"#, .expired),
        (#"{"sub":"1","iat":1800000000,"exp":"never"}"#, .expired),
        (#"{"sub":"1","iat":1800000000,"nbf":1800000061}"#, .notYet),
        (#"{"sub":"1","iat":1800000000,"aud":"another"}"#, .audience),
        (#"{"sub":"1","iat":1800000000,"aud":[]}"#, .audience),
        (#"["sub"]"#, .claims),
        (#"{"sub":"1","sub":"2","iat":1800000000}"#, .claims),
    ])
    func `claims that say too little, or another time, are refused`(
        _ claims: String, _ expected: WidgetIdentity.Fault
    ) {
        #expect(fault(Self.token(claims)) == expected)
    }

    @Test func `five minutes are the limit, and a clock may be a minute ahead`() {
        #expect(fault(Self.token(#"{"sub":"1","iat":1799999700}"#)) == nil)
        #expect(fault(Self.token(#"{"sub":"1","iat":1800000060}"#)) == nil)
        let token = Self.token(#"{"sub":"1","iat":1800000000}"#)
        #expect(fault(token, at: Self.now.advanced(by: .seconds(300))) == nil)
        #expect(fault(token, at: Self.now.advanced(by: .milliseconds(300_001))) == .tooOld)
    }

    @Test(arguments: [
        #"{"alg":"none"}"#, #"{"alg":"hs256"}"#, #"{"alg":"HS512"}"#, #"{"alg":"RS256"}"#,
        #"{"typ":"JWT"}"#, #"{"alg":["HS256"]}"#,
    ])
    func `no algorithm but HS256 verifies`(_ header: String) {
        let token = Self.token(#"{"sub":"1","iat":1800000000}"#, header: header)
        #expect(fault(token) == .algorithm)
    }

    @Test
    func
        `a token without its signature, with parts in another order, or with a critical header is refused`()
    {
        let token = Self.token(#"{"sub":"1","iat":1800000000}"#)
        let parts = token.split(separator: ".").map { String($0) }
        #expect(fault(parts[0] + "." + parts[1]) == .parts)
        #expect(fault(parts[0] + "." + parts[1] + ".") == .signature)
        #expect(fault(token + ".") == .parts)
        #expect(fault(token + "=") == .encoding)
        for order in [[1, 0, 2], [0, 2, 1], [2, 1, 0], [1, 2, 0], [2, 0, 1]] {
            #expect(fault(order.map { parts[$0] }.joined(separator: ".")) != nil, "\(order)")
        }
        let critical = Self.token(
            #"{"sub":"1","iat":1800000000}"#, header: #"{"alg":"HS256","crit":["b64"]}"#)
        #expect(fault(critical) == .critical)
        #expect(fault(String(repeating: "a", count: 4_097)) == .tooLong)
    }

    @Test func `no beginning of a token verifies, and none with a byte changed`() {
        let token = Self.token(#"{"sub":"customer-4711","iat":1800000000}"#)
        #expect(fault(token) == nil)
        let bytes = Array(token.utf8)
        for count in bytes.indices {
            let cut = String(decoding: bytes[..<count], as: UTF8.self)
            #expect(fault(cut) != nil, "\(count) bytes")
        }
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(seed: seed)
        for place in bytes.indices {
            var changed = bytes
            repeat {
                changed[place] = UInt8.random(in: 0x20...0x7E, using: &random)
            } while changed[place] == bytes[place]
            let text = String(decoding: changed, as: UTF8.self)
            #expect(fault(text) != nil, "byte \(place), seed \(seed)")
        }
    }

    @Test func `the short form is the code of time and user`() throws {
        let time = 1_800_000_000
        let hash = Self.hash("customer.1", time)
        func check(
            _ user: String, _ time: Int, _ hash: String
        ) -> WidgetIdentity.Fault? {
            do throws(WidgetIdentity.Fault) {
                let identity = try WidgetIdentity.verify(
                    subject: user, time: time, hash: hash, secrets: Self.secrets, at: Self.now)
                #expect(identity.subject == user)
                return nil
            } catch { return error }
        }
        #expect(check("customer.1", time, hash) == nil)
        #expect(check("customer.1", time, Self.hash("customer.1", time, secret: "fdws_old")) == nil)
        #expect(check("customer.2", time, hash) == .signature)
        #expect(check("customer.1", time + 1, hash) == .signature)
        #expect(check("customer.1", time, hash.uppercased()) == .hash)
        #expect(check("customer.1", time, String(hash.dropLast())) == .hash)
        #expect(check("customer.1", time, "") == .hash)
        #expect(check("", time, Self.hash("", time)) == .subject)
        #expect(check("1", time - 301, Self.hash("1", time - 301)) == .tooOld)
        #expect(check("1", time + 61, Self.hash("1", time + 61)) == .early)
        // The digits of the time end at the first dot: no other pair has the same text.
        #expect(check("0.x", 180_000_000, Self.hash("x", time)) == .signature)
    }

    @Test func `a customer has one name in a business, and another in another`() {
        let other = BusinessID(UniqueID(high: 1, low: 3))
        let one = CustomerID(ofSubject: "1", in: Self.business)
        #expect(one == CustomerID(ofSubject: "1", in: Self.business))
        #expect(one != CustomerID(ofSubject: "2", in: Self.business))
        #expect(one != CustomerID(ofSubject: "1", in: other))
    }

    @Test func `a ticket is read back by its business until it ends, and by no other key`() throws {
        var identity = try verify(
            Self.token(
                #"{"sub":"1","iat":1800000000,"name":"Ada","email":"a@b.example","attributes":{"tier":"gold"}}"#
            ))
        let former = ConversationID(UniqueID(high: 9, low: 9))
        let end = Self.now.advanced(by: .seconds(60))
        let ticket = WidgetTicket(
            identity, of: Self.business, former: former, expiresAt: end)
        let text = ticket.text(key: [1])
        func read(
            _ text: String, _ business: BusinessID = Self.business, key: [UInt8] = [1],
            at now: Timestamp = Self.now
        ) -> WidgetTicket? { WidgetTicket(text, of: business, key: key, at: now) }
        #expect(read(text) == ticket)
        #expect(read(text, key: [2]) == nil)
        #expect(read(text, BusinessID(UniqueID(high: 1, low: 3))) == nil)
        #expect(read(text, at: end) == nil)
        for count in text.indices { #expect(read(String(text[..<count])) == nil) }
        for key in 0..<30 {
            identity.attributes["key\(key)"] = .text(String(repeating: "字", count: 66))
        }
        let large = WidgetTicket(identity, of: Self.business, former: nil, expiresAt: end)
        let cut = try #require(read(large.fitting(key: [1])))
        #expect(cut.identity.attributes.isEmpty)
        #expect(cut.identity.email == "a@b.example")
    }
}
