import DeskSAML
import Testing

@testable import DeskAPI

/// Under which names providers say who a person is.
struct SAMLPersonTests {
    private static let claims = "http://schemas.xmlsoap.org/ws/2005/05/identity/claims"

    private static func person(
        _ attributes: [String: [String]], subject: String = "u-1", format: String? = nil,
        named: String? = nil, mailed: String? = nil, verified: String? = nil
    ) throws -> SAMLPerson {
        SAMLPerson(
            SAMLAssertion(
                subject: subject, subjectFormat: format, inResponseTo: "_r",
                attributes: attributes),
            SAMLNames(subject: named, email: mailed, verified: verified))
    }

    @Test(
        arguments: [
            (["email": ["a@x"]], "a@x"), (["mail": ["a@x"]], "a@x"),
            (["emailAddress": ["a@x"]], "a@x"),
            (["\(claims)/emailaddress": ["a@x"]], "a@x"),
            (["urn:oid:0.9.2342.19200300.100.1.3": ["a@x", "b@x"]], "a@x"),
            (["mail": ["b@x"], "email": ["a@x"]], "a@x"),
            (["email": [""], "mail": ["b@x"]], "b@x"),
            (["Email": ["a@x"]], nil), ([:], nil),
        ] as [([String: [String]], String?)])
    func `an address has one of the usual names`(
        _ attributes: [String: [String]], _ email: String?
    ) throws {
        #expect(try Self.person(attributes).email == email)
    }

    @Test func `a name in the form of an address is one, unless an attribute is set`() throws {
        let format = SAMLAssertion.emailFormat
        #expect(try Self.person([:], subject: "a@x", format: format).email == "a@x")
        #expect(try Self.person([:], subject: "a@x").email == nil)
        #expect(try Self.person([:], subject: "a@x", format: format, mailed: "m").email == nil)
        #expect(try Self.person(["m": ["b@x"], "email": ["c@x"]], mailed: "m").email == "b@x")
    }

    @Test(
        arguments: [
            (["displayName": ["Ada L"]], "Ada L"), (["cn": ["Ada L"]], "Ada L"),
            (["firstName": ["Ada"], "lastName": ["L"]], "Ada L"),
            (["\(claims)/givenname": ["Ada"], "\(claims)/surname": ["L"]], "Ada L"),
            (["givenName": ["Ada"]], nil), ([:], nil),
        ] as [([String: [String]], String?)])
    func `a name is whole, or of two parts`(
        _ attributes: [String: [String]], _ name: String?
    ) throws {
        #expect(try Self.person(attributes).name == name)
    }

    @Test(arguments: [
        (["true"], true), (["1"], true), (["false"], false), (["TRUE"], false), ([], false),
        (["true", "true"], false), ([""], false),
    ])
    func `an address is verified where the attribute says so`(
        _ values: [String], _ isVerified: Bool
    ) throws {
        #expect(try Self.person(["v": values], verified: "v").isVerified == isVerified)
        #expect(try Self.person(["v": values]).isVerified)
        #expect(try !Self.person([:], verified: "v").isVerified)
    }

    @Test func `who a person is stays the same`() throws {
        #expect(try Self.person([:]).subject() == "u-1")
        #expect(throws: SAMLFault.subject) {
            try Self.person([:], format: SAMLAssertion.transientFormat).subject()
        }
        for values in [[], ["a", "b"], [""], [String(repeating: "x", count: 256)], ["a\u{0}"]] {
            #expect(throws: SAMLFault.subject) {
                try Self.person(["staff": values], named: "staff").subject()
            }
        }
        #expect(throws: SAMLFault.subject) { try Self.person([:], named: "staff").subject() }
        #expect(try Self.person(["staff": ["7"]], named: "staff").subject() == "7")
    }
}
