import DeskJSON
import TestSupport
import Testing

@testable import DeskSCIM

@Suite("Filters of SCIM")
struct SCIMFilterTests {
    @Test(
        arguments: [
            // eq and ne, without case except for ids.
            (#"userName eq "ada@example.com""#, true), (#"userName eq "ada""#, false),
            (#"userName Eq "ADA@EXAMPLE.COM""#, true), (#"USERNAME eq "ada@example.com""#, true),
            (#"id eq "aBc""#, true), (#"id eq "abc""#, false), (#"externalId eq "ext-1""#, false),
            (#"members.value eq "m-A""#, true), (#"members.value eq "m-a""#, false),
            (#"members[value eq "m-a"]"#, false), (#"members eq "m-A""#, true),
            (#"members eq "m-a""#, false), (#"emails.value eq "ADA@work.example""#, true),
            (#"meta.location eq "https://desk.example/users/abc""#, false),
            (#"name.familyName eq "MÜLLER""#, true), (#"name.familyName eq "Muller""#, false),
            (#"userName ne "ada@example.com""#, false), (#"userName ne "eve""#, true),
            (#"nickName ne "eve""#, true), (#"nickName eq "eve""#, false),
            // Parts of texts.
            (#"userName co "EXAMPLE""#, true), (#"userName sw "ada@""#, true),
            (#"userName ew ".COM""#, true), (#"userName ew ".de""#, false),
            (#"userName co "x.y""#, false), (#"userName co """#, true), (#"id co "b""#, false),
            (#"userName sw "ada@example.com and more""#, false),
            // Presence: an empty text or list is none.
            ("userName pr", true), ("displayName pr", false), ("groups pr", false),
            ("name pr", true), ("nickName pr", false), ("emails.type PR", true),
            ("active pr", true),
            // Order.
            ("age gt 35", true), ("age gt 36", false), ("age ge 36", true), ("age lt 36.5", true),
            ("age le 35", false), ("age eq 36.0", true), ("age eq 3.6e1", true),
            ("age ne 36", false),
            (#"age gt "35""#, false), (#"userName gt "abz""#, true), (#"userName le "ADA""#, false),
            (#"userName lt "adb""#, true), (#"userName ge "ada@example.com""#, true),
            // Moments in any precision and offset.
            (#"meta.created eq "2026-01-02T03:04:05Z""#, true),
            (#"meta.created ge "2026-01-02T05:04:05+02:00""#, true),
            (#"meta.lastModified gt "2026-05-01T00:00:00.249Z""#, true),
            (#"meta.lastModified lt "2026-05-01T00:00:00Z""#, false),
            (#"meta[lastModified gt "2026-05-01T00:00:00Z"]"#, true),
            (#"meta.created sw "2026-01-02""#, true),
            // Truth values and the texts that Microsoft Entra has for them.
            ("active eq true", true), ("active eq false", false), (#"active eq "True""#, true),
            (#"active eq "false""#, false), ("active ne false", true),
            (#"emails[primary eq "True"].value"#, nil),
            (#"emails[primary eq "True" and value sw "ada@work"]"#, true),
            // null is no value.
            ("nickName eq null", true), ("userName eq null", false), ("name eq null", false),
            ("userName ne null", true),
            // Several values: one that matches is enough.
            (#"emails co "home""#, true), (#"emails.type eq "other""#, false),
            (#"tags eq "blue""#, true), (#"tags[value eq "GREEN"]"#, true),
            (#"tags.value eq "red""#, false),
            (#"emails[type eq "work" and value co "@home"]"#, false),
            (#"emails[type eq "home" and value co "@home"]"#, true),
            (#"emails[not (type eq "work")]"#, true), (#"emails[type eq "a]b"]"#, false),
            // As Microsoft Entra asks: a part of the element that the brackets choose.
            (#"emails[type eq "work"].value eq "ADA@work.example""#, true),
            (#"emails[type eq "work"].value eq "ada@home.example""#, false),
            (#"emails[type eq "home"].value co "@home" and active eq true"#, true),
            (#"emails[type eq "x" or type eq "work"].primary eq "True""#, true),
            (#"emails[type eq "home"].primary pr"#, false),
            (#"not (emails[type eq "home"].primary pr) and emails[type pr].value pr"#, true),
            (#"members[value pr].value eq "m-a""#, false),
            (#"emails[type eq "work"].value eq "a" or active eq true"#, true),
            (#"emails[type eq "work"] .value eq "ada@work.example""#, nil),
            (#"emails[type eq "work"]value eq "ada@work.example""#, nil),
            (#"emails[type eq "work"]."#, nil), (#"emails[type eq "work"].value[a pr]"#, nil),
            // URNs.
            (#"urn:ietf:params:scim:schemas:core:2.0:User:userName sw "ada""#, true),
            (#"URN:ietf:params:scim:schemas:core:2.0:User:name.givenName eq "ada""#, true),
            (
                #"urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department eq "tea""#,
                true
            ),
            (#"department eq "tea""#, false),
            (#"schemas eq "urn:ietf:params:scim:schemas:core:2.0:User""#, true),
            // Escapes of JSON.
            (#"userName eq "\u0061da\u0040example.com""#, true), (#"userName eq "\"""#, false),
        ] as [(String, Bool?)])
    func `an operator compares as RFC 7644 says`(filter: String, holds: Bool?) throws {
        if let holds {
            #expect(try SCIMSamples.holds(filter) == holds)
        } else {
            #expect(SCIMSamples.fault { _ = try SCIMFilter(parsing: filter) } == .invalidFilter)
        }
    }

    @Test(arguments: [
        ("active eq true or active eq true and active eq false", true),
        ("(active eq true or active eq true) and active eq false", false),
        ("active eq false and active eq false or active eq true", true),
        ("not (active eq true) or active eq true", true),
        ("not (active eq true or active eq true)", false),
        ("not(active eq false) AND NOT (active eq false)", true),
        ("((((active eq true))))", true), ("  active   eq   true  ", true),
        ("active eq false Or (active eq true)", true), ("not (not (active eq true))", true),
        (#"not eq "x" or andy pr or orlando pr"#, false),
    ])
    func `not binds before and, and before or`(filter: String, holds: Bool) throws {
        #expect(try SCIMSamples.holds(filter) == holds)
    }

    @Test(arguments: [
        "", " ", "userName", "userName eq", #"userName eq "a"#, #"userName eq 'a'"#,
        "userName eq a", "userName is 1", "userName eq [1]", #"userName eq {"a":1}"#,
        "(userName pr",
        "userName pr)", "userName pr and", "and userName pr", "userName pr userName pr",
        "not userName pr", "emails[type pr", "emails[]", "emails[a[b pr]]", "a.b.c pr", "1a pr",
        "a..b pr", ".a pr", "userName gt true", "userName lt null", "userName co 1", "age eq 01",
        "age eq 1e999", "userName eq TRUE", #"userName eq "a""b""#, "userName pr or or a pr",
        #"userName eq "\x""#, "urn:ietf:params:scim:schemas:core:2.0:User pr", "naïve pr", "a\tpr",
        #"a eq"b" x"#, "(())", "not ()", "userName eq tru", "a:b pr",
    ])
    func `a text that is no filter is refused with a sentence`(text: String) {
        #expect(SCIMSamples.fault { _ = try SCIMFilter(parsing: text) } == .invalidFilter)
    }

    @Test(arguments: [
        (
            "a pr" + String(repeating: " ", count: 2_044),
            "a pr" + String(repeating: " ", count: 2_045)
        ),
        (nested(16), nested(17)), (brackets(15), brackets(16)),
        (
            Array(repeating: "a pr", count: 64).joined(separator: " or "),
            Array(repeating: "a pr", count: 65).joined(separator: " or ")
        ),
    ])
    func `what is too much is refused, and one less is not`(most: String, more: String) {
        #expect(SCIMSamples.fault { _ = try SCIMFilter(parsing: most) } == nil)
        #expect(SCIMSamples.fault { _ = try SCIMFilter(parsing: more) } == .invalidFilter)
    }

    private static func nested(_ depth: Int) -> String {
        String(repeating: "(", count: depth) + "a pr" + String(repeating: ")", count: depth)
    }

    private static func brackets(_ depth: Int) -> String {
        "a[" + String(repeating: "not (", count: depth) + "b pr"
            + String(repeating: ")", count: depth) + "]"
    }

    private static let long = #"""
        not (userName eq "a\"]\u00e9" or emails[type eq "wörk" and (value co "@x" or primary eq true)]) and \#
        meta.lastModified ge "2026-01-01T00:00:00Z" or age lt -1.5e3 and nickName eq null or \#
        urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager.value pr
        """#

    @Test func `a filter cut at any byte is read or refused`() throws {
        let user = try SCIMSamples.json(SCIMSamples.user)
        var read = 0
        let bytes = Array(Self.long.utf8)
        for count in 0...bytes.count {
            let text = String(decoding: bytes[..<count], as: UTF8.self)
            let kind = SCIMSamples.fault {
                _ = try SCIMFilter(parsing: text).matches(user)
                read += 1
            }
            #expect(kind == nil || kind == .invalidFilter)
        }
        #expect(SCIMSamples.fault { _ = try SCIMFilter(parsing: Self.long) } == nil)
        #expect(read > 3)
    }

    @Test func `whatever is done to a filter or a path, it is read or refused`() throws {
        let user = try SCIMSamples.json(SCIMSamples.user)
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(seed: seed)
        let original = Array(Self.long.utf8)
        for round in 0..<2_000 {
            var bytes = original
            for _ in 0...Int.random(in: 0..<5, using: &random) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                case 2:
                    bytes.insert(
                        Array("()[]\"\\ .:".utf8).randomElement(using: &random) ?? 0, at: place)
                case 3: bytes.replaceSubrange(place..<place, with: bytes.suffix(20))
                default: bytes.removeSubrange(place..<min(place + 9, bytes.count))
                }
            }
            let text = String(decoding: bytes, as: UTF8.self)
            let kind = SCIMSamples.fault { _ = try SCIMFilter(parsing: text).matches(user) }
            #expect(kind == nil || kind == .invalidFilter, "seed \(seed), round \(round)")
            let path = SCIMSamples.fault { _ = try SCIMPath(parsing: "emails[\(text)].value") }
            #expect(
                path == nil || path == .invalidFilter || path == .invalidPath,
                "seed \(seed), round \(round)")
        }
    }

    @Test func `a sentence quotes 80 characters at most, on one line`() {
        let quoted = SCIMFault.quoted(String(repeating: "é\n", count: 100))
        #expect(
            quoted.unicodeScalars.count == 82 && !quoted.contains("\n") && quoted.hasSuffix("…\""))
        #expect(SCIMFault(.noTarget, "secret").description == "SCIMFault(noTarget)")
    }
}
