import DeskJSON
import Testing

@testable import DeskSCIM

/// Resources and requests of the tests.
enum SCIMSamples {
    static let user = """
        {"schemas":["urn:ietf:params:scim:schemas:core:2.0:User"],"id":"aBc","externalId":"Ext-1",\
        "userName":"Ada@Example.com","name":{"givenName":"Ada","familyName":"Müller"},\
        "displayName":"","active":true,"age":36,\
        "emails":[{"value":"ada@work.example","type":"work","primary":true},\
        {"value":"ada@home.example","type":"home"}],"tags":["Blue","green"],\
        "groups":[],"members":[{"value":"m-A"}],\
        "meta":{"resourceType":"User","created":"2026-01-02T03:04:05.000Z",\
        "lastModified":"2026-05-01T00:00:00.250Z","location":"https://desk.example/Users/aBc"},\
        "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User":{"department":"Tea"}}
        """

    static func json(_ text: String) throws -> JSON {
        JSON(try JSONDocument(parsing: text, limits: .unlimited).root)
    }

    /// Whether a filter holds for the user.
    static func holds(_ filter: String) throws -> Bool {
        try SCIMFilter(parsing: filter).matches(json(user))
    }

    /// The body of a request with operations.
    static func patch(_ operations: String) throws -> SCIMPatch {
        try SCIMPatch(
            JSONDocument(
                parsing: """
                    {"schemas":["urn:ietf:params:scim:api:messages:2.0:PatchOp"],\
                    "Operations":[\(operations)]}
                    """, limits: .unlimited
            ).root)
    }

    /// The text of a resource after operations.
    static func patched(_ resource: String, _ operations: String) throws -> String {
        try patch(operations).applied(
            to: json(resource), multiple: ["emails", "roles", "members", "groups"],
            readOnly: ["id", "meta", "groups", "schemas"]
        ).text()
    }

    /// The kind of the fault that work throws; nil when it throws none.
    static func fault(_ work: () throws -> Void) -> SCIMFault.Kind? {
        do {
            try work()
            return nil
        } catch {
            let fault = error as? SCIMFault
            #expect(fault != nil, "\(error)")
            #expect((fault?.detail.count ?? 0) < 420)
            return fault?.kind
        }
    }
}
