import DeskJSON
import Testing

@testable import DeskSCIM

@Suite("Projections of SCIM")
struct SCIMProjectionTests {
    private static let resource = """
        {"schemas":["s"],"id":"1","userName":"ada","name":{"givenName":"Ada","familyName":"L"},\
        "emails":[{"value":"a","type":"work"},{"type":"home"}],"urn:x:y:User":{"a":1,"b":2}}
        """

    @Test(
        arguments: [
            (nil, nil, resource), ("", " , ", resource),
            ("USERNAME", nil, #"{"schemas":["s"],"id":"1","userName":"ada"}"#),
            (
                "name.givenName,emails.value", nil,
                #"{"schemas":["s"],"id":"1","name":{"givenName":"Ada"},"emails":[{"value":"a"}]}"#
            ),
            (
                " name , name.givenName", nil,
                #"{"schemas":["s"],"id":"1","name":{"givenName":"Ada","familyName":"L"}}"#
            ),
            ("unknown,id.x", nil, #"{"schemas":["s"],"id":"1"}"#),
            (
                SCIMSchemas.userURN + ":userName", nil,
                #"{"schemas":["s"],"id":"1","userName":"ada"}"#
            ),
            ("urn:x:y:User:a", nil, #"{"schemas":["s"],"id":"1","urn:x:y:User":{"a":1}}"#),
            (
                nil, "id,schemas,name,emails,urn:x:y:User:a",
                #"{"schemas":["s"],"id":"1","userName":"ada","urn:x:y:User":{"b":2}}"#
            ),
            (
                nil, "name.givenName,name.familyName,emails.type,urn:x:y:User:a,urn:x:y:User:b",
                #"{"schemas":["s"],"id":"1","userName":"ada","emails":[{"value":"a"}]}"#
            ),
        ] as [(String?, String?, String)])
    func `an answer has what is asked for, and always id and schemas`(
        attributes: String?, excluded: String?, expected: String
    ) throws {
        let projection = try SCIMProjection(attributes: attributes, excluded: excluded)
        let resource = try SCIMSamples.json(Self.resource)
        #expect(projection.applied(to: resource).text() == expected)
    }

    @Test(
        arguments: [
            (nil, nil, "members", false), ("id", nil, "members", true),
            ("Members", nil, "members", false),
            ("members.value", nil, "members", false), (nil, "members", "members", true),
            (nil, "members.display", "members", false), (nil, "id", "id", false),
            ("x", nil, "ID", false),
        ] as [(String?, String?, String, Bool)])
    func `what no answer has need not be loaded`(
        attributes: String?, excluded: String?, name: String, omits: Bool
    ) throws {
        #expect(
            try SCIMProjection(attributes: attributes, excluded: excluded).omits(name) == omits)
    }

    @Test(
        arguments: [
            ("a", "b"), ("a b", nil), (nil, "a[b pr]"), (SCIMSchemas.userURN, nil),
            (Array(repeating: "a", count: 65).joined(separator: ","), nil),
        ] as [(String?, String?)])
    func `both parameters, no names and too many names are refused`(
        attributes: String?, excluded: String?
    ) throws {
        let kind = SCIMSamples.fault {
            _ = try SCIMProjection(attributes: attributes, excluded: excluded)
        }
        #expect(kind == .invalidSyntax)
        let most = Array(repeating: "a", count: 64).joined(separator: ",")
        _ = try SCIMProjection(attributes: most, excluded: nil)
    }
}
