import DeskJSON
import Testing

@testable import DeskSCIM

@Suite("PATCH requests as identity providers send them")
struct SCIMProviderTests {
    @Test(arguments: [
        // Microsoft Entra: parts of values that are not there yet.
        (
            "{}", #"{"op":"Add","path":"emails[type eq \"work\"].value","value":"a@b"}"#,
            #"{"emails":[{"type":"work","value":"a@b"}]}"#
        ),
        (
            #"{"emails":[{"type":"home","value":"h"}]}"#,
            #"{"op":"Replace","path":"emails[type eq \"work\"].value","value":"a@b"}"#,
            #"{"emails":[{"type":"home","value":"h"},{"type":"work","value":"a@b"}]}"#
        ),
        (
            #"{"emails":[{"type":"work","value":"x"}]}"#,
            #"{"op":"Replace","path":"emails[type eq \"work\"].value","value":"a@b"}"#,
            #"{"emails":[{"type":"work","value":"a@b"}]}"#
        ),
        (
            "{}", #"{"op":"Add","path":"roles[primary eq \"True\"].value","value":"agent"}"#,
            #"{"roles":[{"primary":true,"value":"agent"}]}"#
        ),
        (
            #"{"roles":[{"primary":true,"value":"x"}]}"#,
            #"{"op":"Replace","path":"roles[primary eq \"True\"].value","value":"agent"}"#,
            #"{"roles":[{"primary":true,"value":"agent"}]}"#
        ),
        (
            "{}", #"{"op":"Add","path":"addresses[type eq \"work\"].locality","value":"Kiel"}"#,
            #"{"addresses":[{"type":"work","locality":"Kiel"}]}"#
        ),
        // Microsoft Entra: a person is suspended.
        (
            #"{"active":true}"#, #"{"op":"Replace","path":"active","value":false}"#,
            #"{"active":false}"#
        ),
        (
            #"{"active":true}"#, #"{"op":"Replace","path":"active","value":"False"}"#,
            #"{"active":"False"}"#
        ),
        // Microsoft Entra: keys that are paths.
        (
            #"{"name":{"familyName":"L"}}"#,
            #"""
            {"op":"replace","value":{"displayName":"A","name.givenName":"Ada",
            "emails[type eq \"work\"].value":"a@b",
            "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department":"Tea"}}
            """#,
            #"""
            {"name":{"familyName":"L","givenName":"Ada"},"displayName":"A",\#
            "emails":[{"type":"work","value":"a@b"}],\#
            "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User":{"department":"Tea"}}
            """#
        ),
        (
            #"{"urn:ietf:params:scim:schemas:extension:enterprise:2.0:User":{"department":"Tea"}}"#,
            #"""
            {"op":"Add","value":{"urn:ietf:params:scim:schemas:extension:enterprise:2.0:User":{"x":"1"},
            "urn:ietf:params:scim:schemas:core:2.0:User":{"title":"Dr","id":"7"}}},
            {"op":"Remove","path":"urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department"}
            """#,
            #"""
            {"urn:ietf:params:scim:schemas:extension:enterprise:2.0:User":{"x":"1"},"title":"Dr"}
            """#
        ),
        // Microsoft Entra: members of a group, and the older form of a removal.
        (
            "{}", #"{"op":"Add","path":"members","value":[{"$ref":null,"value":"f648"}]}"#,
            #"{"members":[{"value":"f648"}]}"#
        ),
        (
            #"{"members":[{"value":"a","display":"A"},{"value":"b"},{"value":"c"}]}"#,
            #"{"op":"Remove","path":"members","value":[{"$ref":null,"value":"a"},{"value":"c"}]}"#,
            #"{"members":[{"value":"b"}]}"#
        ),
        (
            #"{"members":[{"value":"a"},{"value":"b"}]}"#,
            #"{"op":"Remove","path":"members","value":{"value":"a"}}"#,
            #"{"members":[{"value":"b"}]}"#
        ),
        (
            #"{"members":[{"value":"a"}]}"#, #"{"op":"Remove","path":"members","value":[]}"#,
            #"{"members":[{"value":"a"}]}"#
        ),
        // Okta.
        (#"{"active":true}"#, #"{"op":"replace","value":{"active":false}}"#, #"{"active":false}"#),
        (
            #"{"id":"1","displayName":"A"}"#,
            #"{"op":"replace","value":{"id":"abf4","displayName":"Tea"}}"#,
            #"{"id":"1","displayName":"Tea"}"#
        ),
        (
            #"{"members":[{"value":"23a3"},{"value":"89bb"}]}"#,
            #"""
            {"op":"remove","path":"members[value eq \"89bb\"]"},
            {"op":"add","path":"members","value":[{"value":"52c1","display":"test@okta.example"}]}
            """#,
            #"{"members":[{"value":"23a3"},{"value":"52c1","display":"test@okta.example"}]}"#
        ),
        (
            #"{"members":[{"value":"a"}]}"#,
            #"{"op":"replace","path":"members","value":[{"value":"b","display":"B"}]}"#,
            #"{"members":[{"value":"b","display":"B"}]}"#
        ),
    ])
    func `a documented form does what its sender means`(
        resource: String, operations: String, expected: String
    ) throws {
        #expect(try SCIMSamples.patched(resource, operations) == expected)
    }

    @Test func `a request has 1,000 operations at most`() throws {
        let one = #"{"op":"add","path":"a","value":1}"#
        let most = Array(repeating: one, count: 1_000).joined(separator: ",")
        #expect(try SCIMSamples.patched("{}", most) == #"{"a":1}"#)
        let kind = SCIMSamples.fault { _ = try SCIMSamples.patch(most + "," + one) }
        #expect(kind == .invalidSyntax)
    }

    private func object(_ count: Int) -> String {
        "{" + (0..<count).map { #""a\#($0)":1"# }.joined(separator: ",") + "}"
    }

    @Test func `objects without a path count as an operation for each attribute`() throws {
        let most = Array(repeating: object(100), count: 10)
            .map { #"{"op":"add","value":\#($0)}"# }.joined(separator: ",")
        #expect(try SCIMSamples.patched("{}", most) == object(100))
        let one = #"{"op":"add","path":"a","value":1}"#
        for more in [most + "," + one, one + "," + most] {
            #expect(SCIMSamples.fault { _ = try SCIMSamples.patch(more) } == .tooMany)
        }
    }

    @Test(arguments: [
        #"{"op":"add","value":VALUE}"#, #"{"op":"add","path":"name","value":VALUE}"#,
        #"{"op":"add","path":"name","value":{"a":1}},{"op":"add","path":"name","value":VALUE}"#,
        #"{"op":"add","path":"emails","value":[VALUE]}"#,
        #"{"op":"replace","path":"emails","value":[{"value":"a"},VALUE]}"#,
        #"{"op":"add","path":"emails[a0 eq 1].a1","value":VALUE}"#,
        #"{"op":"add","path":"emails[value eq \"a\"]","value":VALUE}"#,
    ])
    func `an object has 100 members at most`(operations: String) {
        for (count, kind) in [(98, nil), (101, SCIMFault.Kind.invalidValue)] {
            let text = operations.replacing("VALUE", with: object(count))
            let found = SCIMSamples.fault { _ = try SCIMSamples.patched("{}", text) }
            #expect(found == kind, "\(count)")
        }
    }

    @Test func `an object that grows operation by operation has 100 members at most`() {
        for path in ["name", #"emails[type eq \"w\"]"#] {
            let operations = (0..<101).map {
                #"{"op":"add","path":"\#(path)","value":{"a\#($0)":1}}"#
            }
            let found = SCIMSamples.fault {
                _ = try SCIMSamples.patched("{}", operations.joined(separator: ","))
            }
            #expect(found == .invalidValue, "\(path)")
        }
    }

    @Test func `values without an id are compared as long as that is little work`() throws {
        let long =
            #"{"op":"add","path":"emails","value":{"display":"\#(String(repeating: "x", count: 200_000))"}}"#
        let short = (0..<990).map { #"{"op":"add","path":"emails","value":{"display":"\#($0)"}}"# }
        let few = ([long] + short.prefix(9)).joined(separator: ",")
        #expect(SCIMSamples.fault { _ = try SCIMSamples.patched("{}", few) } == nil)
        let many = ([long] + short).joined(separator: ",")
        #expect(SCIMSamples.fault { _ = try SCIMSamples.patched("{}", many) } == .tooMany)
    }

    private func members(_ range: Range<Int>) -> String {
        "[" + range.map { #"{"value":"\#($0)"}"# }.joined(separator: ",") + "]"
    }

    @Test func `a list has 10,000 values at most`() throws {
        let full = #"{"members":\#(members(0..<9_999))}"#
        for (more, kind) in [(1, nil), (2, SCIMFault.Kind.invalidValue)] {
            let value = members(20_000..<(20_000 + more))
            let found = SCIMSamples.fault {
                _ = try SCIMSamples.patched(
                    full, #"{"op":"add","path":"members","value":\#(value)}"#)
            }
            #expect(found == kind)
        }
    }

    @Test func `a resource has 1 MiB at most, also when a short request writes it often`() throws {
        for (count, kind) in [(1_048_568, nil), (1_048_569, SCIMFault.Kind.invalidValue)] {
            let text = String(repeating: "x", count: count)
            let found = SCIMSamples.fault {
                _ = try SCIMSamples.patched("{}", #"{"op":"add","path":"a","value":"\#(text)"}"#)
            }
            #expect(found == kind)
        }
        let text = String(repeating: "x", count: 1_000)
        let found = SCIMSamples.fault {
            _ = try SCIMSamples.patched(
                #"{"members":\#(members(0..<2_000))}"#,
                #"{"op":"add","path":"members[value pr].display","value":"\#(text)"}"#)
        }
        #expect(found == .invalidValue)
    }

    @Test func `filters over too many values are refused`() throws {
        let filter = Array(repeating: "a pr", count: 64).joined(separator: " and ")
        let one = #"{"op":"remove","path":"members[\#(filter)]"}"#
        let found = SCIMSamples.fault {
            _ = try SCIMSamples.patched(
                #"{"members":\#(members(0..<10_000))}"#,
                Array(repeating: one, count: 16).joined(separator: ","))
        }
        #expect(found == .tooMany)
    }
}
