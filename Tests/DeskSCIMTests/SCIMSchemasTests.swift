import DeskJSON
import Testing

@testable import DeskSCIM

@Suite("Documents of SCIM")
struct SCIMSchemasTests {
    private static let base = "https://desk.example/scim/v2"

    private func elements(_ value: JSON?) -> [JSON] {
        guard case .array(let elements)? = value else { return [] }
        return elements
    }

    private func attributes(_ number: Int) -> [JSON] {
        elements(SCIMSchemas.schemas(base: Self.base)[number]["attributes"])
    }

    @Test func `the server says what it is able to do`() throws {
        let config = SCIMSchemas.serviceProviderConfig(base: Self.base, documentation: "https://d")
        #expect(config["documentationUri"]?.string == "https://d")
        #expect(config["patch"]?.text() == #"{"supported":true}"#)
        #expect(config["bulk"]?["supported"]?.truth == false)
        #expect(config["filter"]?.text() == #"{"supported":true,"maxResults":200}"#)
        for name in ["changePassword", "sort", "etag"] {
            #expect(config[name]?.text() == #"{"supported":false}"#)
        }
        #expect(elements(config["authenticationSchemes"]).count == 1)
        #expect(config["meta"]?["location"]?.string == Self.base + "/ServiceProviderConfig")
        let plain = SCIMSchemas.serviceProviderConfig(base: Self.base, documentation: nil)
        #expect(plain["documentationUri"] == nil)
    }

    @Test func `the kinds of resources lead to their schemas`() {
        let types = SCIMSchemas.resourceTypes(base: Self.base)
        #expect(types.map { $0["endpoint"]?.string } == ["/Users", "/Groups"])
        let schemas = SCIMSchemas.schemas(base: Self.base)
        #expect(types.map { $0["schema"]?.string } == schemas.map { $0["id"]?.string })
        #expect(
            schemas.map { $0["meta"]?["location"]?.string }
                == [SCIMSchemas.userURN, SCIMSchemas.groupURN].map { "\(Self.base)/Schemas/\($0)" })
    }

    @Test func `every attribute has every characteristic, and a spelling that paths know`() {
        let tops = attributes(0) + attributes(1)
        let parts = tops.flatMap { elements($0["subAttributes"]) }
        for attribute in tops + parts {
            for name in [
                "name", "type", "multiValued", "description", "required", "caseExact", "mutability",
                "returned", "uniqueness",
            ] {
                #expect(attribute[name] != nil, "\(name) of \(attribute.text())")
            }
            let isReference = attribute["type"]?.string == "reference"
            #expect((attribute["referenceTypes"] != nil) == isReference)
        }
        for name in tops.compactMap({ $0["name"]?.string }) {
            #expect(SCIMNames.spelled(name.uppercased()) == name)
        }
        for name in parts.compactMap({ $0["name"]?.string }) {
            #expect(SCIMNames.spelled(sub: name.uppercased()) == name)
        }
    }

    @Test(arguments: [
        ("userName", "uniqueness", "server"), ("userName", "mutability", "readWrite"),
        ("emails", "mutability", "immutable"), ("groups", "mutability", "readOnly"),
    ])
    func `what may be changed is said`(attribute: String, characteristic: String, value: String) {
        let found = attributes(0).first { $0["name"]?.string == attribute }
        #expect(found?[characteristic]?.string == value)
    }

    @Test func `an answer to a query counts what it has and what there is`() {
        #expect(
            SCIMSchemas.list([["id": "1"], ["id": "2"]], total: 9, start: 3).text() == """
                {"schemas":["urn:ietf:params:scim:api:messages:2.0:ListResponse"],"totalResults":9,\
                "startIndex":3,"itemsPerPage":2,"Resources":[{"id":"1"},{"id":"2"}]}
                """)
    }
}
