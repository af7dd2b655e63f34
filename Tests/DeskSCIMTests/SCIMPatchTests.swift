import DeskJSON
import Testing

@testable import DeskSCIM

@Suite("PATCH requests of SCIM")
struct SCIMPatchTests {
    @Test(arguments: [
        // One value.
        ("{}", #"{"op":"add","path":"USERNAME","value":"a"}"#, #"{"userName":"a"}"#),
        (
            #"{"USERname":"a"}"#, #"{"op":"Replace","path":"userName","value":"b"}"#,
            #"{"USERname":"b"}"#
        ),
        (#"{"a":1,"b":2}"#, #"{"op":"REMOVE","path":"A"}"#, #"{"b":2}"#),
        (#"{"a":1}"#, #"{"op":"replace","path":"a","value":null}"#, "{}"),
        (#"{"a":1}"#, #"{"op":"add","path":"a","value":null}"#, #"{"a":1}"#),
        (#"{"a":1}"#, #"{"op":"remove","path":"b"}"#, #"{"a":1}"#),
        // Parts of one value.
        (
            "{}", #"{"op":"add","path":"name.givenname","value":"A"}"#,
            #"{"name":{"givenName":"A"}}"#
        ),
        (
            #"{"name":{"givenName":"A","familyName":"L"}}"#,
            #"{"op":"replace","path":"name","value":{"FAMILYNAME":"M","formatted":null}}"#,
            #"{"name":{"givenName":"A","familyName":"M"}}"#
        ),
        (#"{"name":{"givenName":"A"}}"#, #"{"op":"remove","path":"name.givenName"}"#, "{}"),
        (
            #"{"name":{"givenName":"A"}}"#, #"{"op":"replace","path":"name.x","value":5}"#,
            #"{"name":{"givenName":"A","x":5}}"#
        ),
        // Several values.
        (
            "{}", #"{"op":"add","path":"emails","value":{"Value":"a","$ref":null}}"#,
            #"{"emails":[{"value":"a"}]}"#
        ),
        (
            #"{"members":[{"value":"a"}]}"#,
            #"{"op":"add","path":"members","value":[{"value":"b"},{"value":"a"},{"value":"b"}]}"#,
            #"{"members":[{"value":"a"},{"value":"b"}]}"#
        ),
        (
            #"{"members":[{"value":"a"}]}"#, #"{"op":"add","path":"members","value":"A"}"#,
            #"{"members":[{"value":"a"},{"value":"A"}]}"#
        ),
        (
            #"{"emails":[{"type":"x","display":"y"}]}"#,
            #"{"op":"add","path":"emails","value":[{"display":"y","type":"x"},{"type":"z"}]}"#,
            #"{"emails":[{"type":"x","display":"y"},{"type":"z"}]}"#
        ),
        (#"{"members":[{"value":"a"}]}"#, #"{"op":"replace","path":"members","value":[]}"#, "{}"),
        (
            #"{"members":[{"value":"a"}]}"#,
            #"{"op":"replace","path":"members","value":[{"value":"c"}]}"#,
            #"{"members":[{"value":"c"}]}"#
        ),
        (#"{"members":[{"value":"a"}],"b":1}"#, #"{"op":"remove","path":"members"}"#, #"{"b":1}"#),
        (
            #"{"tags":["a"]}"#, #"{"op":"add","path":"tags","value":["a","b"]}"#,
            #"{"tags":["a","b"]}"#
        ),
        // Filters.
        (
            #"{"members":[{"value":"a"},{"value":"b"}]}"#,
            #"{"op":"remove","path":"members[value eq \"a\" or value eq \"x\"]"}"#,
            #"{"members":[{"value":"b"}]}"#
        ),
        (
            #"{"members":[{"value":"a"}]}"#, #"{"op":"remove","path":"members[value eq \"x\"]"}"#,
            #"{"members":[{"value":"a"}]}"#
        ),
        (
            #"{"emails":[{"value":"a","type":"w"},{"type":"w"}]}"#,
            #"{"op":"remove","path":"emails[type eq \"W\"].type"}"#, #"{"emails":[{"value":"a"}]}"#
        ),
        (
            #"{"emails":[{"value":"a","type":"w"},{"value":"b","type":"h"}]}"#,
            #"{"op":"replace","path":"emails[type eq \"w\"]","value":{"value":"c"}}"#,
            #"{"emails":[{"value":"c"},{"value":"b","type":"h"}]}"#
        ),
        (
            #"{"emails":[{"value":"a","type":"w"}]}"#,
            #"{"op":"add","path":"emails[type eq \"w\"]","value":{"display":"A"}}"#,
            #"{"emails":[{"value":"a","type":"w","display":"A"}]}"#
        ),
        (
            #"{"emails":[{"value":"a"},{"value":"b"}]}"#,
            #"{"op":"replace","path":"emails.type","value":"w"}"#,
            #"{"emails":[{"value":"a","type":"w"},{"value":"b","type":"w"}]}"#
        ),
        // At most one value is the primary one.
        (
            #"{"emails":[{"value":"a","primary":true}]}"#,
            #"{"op":"add","path":"emails","value":[{"value":"b","primary":true}]}"#,
            #"{"emails":[{"value":"a","primary":false},{"value":"b","primary":true}]}"#
        ),
        (
            #"{"emails":[{"value":"a","primary":true},{"value":"b"}]}"#,
            #"{"op":"replace","path":"emails[value eq \"b\"].primary","value":true}"#,
            #"{"emails":[{"value":"a","primary":false},{"value":"b","primary":true}]}"#
        ),
        (
            #"{"emails":[{"value":"a","primary":true},{"value":"b"}]}"#,
            #"{"op":"replace","path":"emails[value eq \"b\"].value","value":"c"}"#,
            #"{"emails":[{"value":"a","primary":true},{"value":"c"}]}"#
        ),
        // Without a path; what the server sets is left out.
        (
            #"{"id":"1","displayName":"a"}"#,
            #"{"op":"replace","value":{"id":"2","META":{},"displayName":"b","active":"False"}}"#,
            #"{"id":"1","displayName":"b","active":"False"}"#
        ),
        (
            #"{"emails":[{"value":"a"}]}"#,
            #"{"op":"add","path":"","value":{"emails":{"value":"b"}}}"#,
            #"{"emails":[{"value":"a"},{"value":"b"}]}"#
        ),
        // In order.
        (
            "{}", #"{"op":"add","path":"a","value":1},{"op":"replace","path":"a","value":2}"#,
            #"{"a":2}"#
        ),
    ])
    func `an operation changes what it names`(
        resource: String, operations: String, expected: String
    ) throws {
        #expect(try SCIMSamples.patched(resource, operations) == expected)
    }

    @Test(arguments: [
        ("{}", #"{"op":"remove"}"#, SCIMFault.Kind.noTarget),
        ("{}", #"{"op":"remove","value":{"a":1}}"#, .noTarget),
        ("{}", #"{"op":"replace","path":"emails[value co \"a\"].type","value":"w"}"#, .noTarget),
        (
            "{}",
            #"{"op":"add","path":"emails[value eq \"a\" or value eq \"b\"].type","value":"w"}"#,
            .noTarget
        ),
        (
            "{}", #"{"op":"replace","path":"emails[type eq \"w\"]","value":{"value":"a"}}"#,
            .noTarget
        ),
        ("{}", #"{"op":"replace","path":"ID","value":"2"}"#, .mutability),
        ("{}", #"{"op":"add","path":"meta.location","value":"2"}"#, .mutability),
        ("{}", #"{"op":"remove","path":"groups[value eq \"2\"]"}"#, .mutability),
        ("{}", #"{"op":"move","path":"a"}"#, .invalidSyntax), ("{}", "7", .invalidSyntax),
        ("{}", #"{"op":"add","path":7,"value":1}"#, .invalidSyntax),
        ("{}", #"{"op":"add","path":"a"}"#, .invalidValue), ("{}", #"{"op":"add"}"#, .invalidValue),
        ("{}", #"{"op":"add","value":[1]}"#, .invalidValue),
        ("{}", #"{"op":"add","value":{"a b":1}}"#, .invalidPath),
        ("{}", #"{"op":"add","path":"a b","value":1}"#, .invalidPath),
        ("{}", #"{"op":"add","path":"a[b]","value":1}"#, .invalidFilter),
        (#"{"a":1}"#, #"{"op":"add","path":"a.b","value":1}"#, .invalidPath),
        (#"{"a":1}"#, #"{"op":"add","path":"a[b pr]","value":1}"#, .invalidPath),
        ("{}", "", .invalidSyntax),
    ])
    func `what cannot be done is refused by its kind`(
        resource: String, operations: String, kind: SCIMFault.Kind
    ) {
        let found = SCIMSamples.fault { _ = try SCIMSamples.patched(resource, operations) }
        #expect(found == kind)
    }

    @Test(arguments: ["{}", "[]", "7", #"{"schemas":[]}"#, #"{"schemas":["x"],"Operations":[]}"#])
    func `a body that is no PATCH request is refused`(body: String) throws {
        let root = try JSONDocument(parsing: body).root
        #expect(SCIMSamples.fault { _ = try SCIMPatch(root) } == .invalidSyntax)
    }
}
