import Testing

@testable import DeskSCIM

@Suite("Paths of SCIM")
struct SCIMPathTests {
    private static let extended = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"

    @Test(
        arguments: [
            ("userName", nil, "userName", nil, false),
            ("name.givenName", nil, "name", "givenName", false),
            (#"emails[type eq "work"]"#, nil, "emails", nil, true),
            (#"emails[type eq "a]b" and value pr].value"#, nil, "emails", "value", true),
            ("members[value eq \"x\"].$ref", nil, "members", "$ref", true),
            (SCIMSchemas.userURN + ":userName", nil, "userName", nil, false),
            (SCIMSchemas.userURN + ":name.givenName", nil, "name", "givenName", false),
            (SCIMSchemas.userURN + #":emails[type eq "work"].value"#, nil, "emails", "value", true),
            (SCIMSchemas.groupURN, nil, "", nil, false), (extended, nil, extended, nil, false),
            (extended + ":manager.value", extended, "manager", "value", false),
            ("urn:example:own:User:cost-centre", "urn:example:own:User", "cost-centre", nil, false),
        ] as [(String, String?, String, String?, Bool)])
    func `a path has a schema, an attribute, a filter and a part`(
        text: String, schema: String?, attribute: String, part: String?, isFiltered: Bool
    ) throws {
        let path = try SCIMPath(parsing: text)
        #expect(path.schema == schema && path.attribute == attribute)
        #expect(path.subAttribute == part && (path.filter != nil) == isFiltered)
    }

    @Test(arguments: [
        ("", SCIMFault.Kind.invalidPath), ("a.b.c", .invalidPath), ("a b", .invalidPath),
        ("emails[type pr", .invalidPath), ("emails[type pr]x", .invalidPath),
        ("emails[type pr].", .invalidPath), ("emails[type pr].a.b", .invalidPath),
        ("emails.value[type pr]", .invalidPath), ("[type pr]", .invalidPath),
        ("emails[type pr].urn:a:b", .invalidPath), ("emails[]", .invalidFilter),
        ("emails[type]", .invalidFilter), ("emails[a[b pr]]", .invalidFilter), ("1", .invalidPath),
        ("emails[type pr][type pr]", .invalidPath), ("urn:", .invalidPath), ("a:b", .invalidPath),
        (String(repeating: "a", count: 2_561), .invalidPath),
    ])
    func `anything else is no path`(text: String, kind: SCIMFault.Kind) {
        #expect(SCIMSamples.fault { _ = try SCIMPath(parsing: text) } == kind)
    }
}
