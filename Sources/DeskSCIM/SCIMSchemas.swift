import DeskBytes
package import DeskJSON

/// The URNs and the documents by which a SCIM server describes itself.
package enum SCIMSchemas {
    /// The schema of a person.
    package static let userURN = "urn:ietf:params:scim:schemas:core:2.0:User"
    /// The schema of a team.
    package static let groupURN = "urn:ietf:params:scim:schemas:core:2.0:Group"
    /// The schema of the document that says what the server is able to do.
    package static let serviceProviderConfigURN =
        "urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"
    /// The schema of the document about one kind of resource.
    package static let resourceTypeURN = "urn:ietf:params:scim:schemas:core:2.0:ResourceType"
    /// The schema of the document about a schema.
    package static let schemaURN = "urn:ietf:params:scim:schemas:core:2.0:Schema"
    /// The body of a PATCH request.
    package static let patchURN = "urn:ietf:params:scim:api:messages:2.0:PatchOp"
    /// The answer to a query.
    package static let listURN = "urn:ietf:params:scim:api:messages:2.0:ListResponse"
    /// The body of a POST request to `.search`.
    package static let searchURN = "urn:ietf:params:scim:api:messages:2.0:SearchRequest"
    /// The answer that names a fault.
    package static let errorURN = "urn:ietf:params:scim:api:messages:2.0:Error"

    /// Most resources of one answer to a query.
    package static let maximumResults = 200

    /// The answer to a query: some of the resources that match, and how many do.
    ///
    /// `start` counts from 1.
    package static func list(_ resources: [JSON], total: Int, start: Int) -> JSON {
        [
            "schemas": [.string(listURN)], "totalResults": .integer(total),
            "startIndex": .integer(start), "itemsPerPage": .integer(resources.count),
            "Resources": .array(resources),
        ]
    }

    /// What the server is able to do.
    ///
    /// `base` is the address of the SCIM interface, without a slash at its end.
    package static func serviceProviderConfig(base: String, documentation: String?) -> JSON {
        var config: JSON = ["schemas": [.string(serviceProviderConfigURN)]]
        if let documentation { config.add("documentationUri", .string(documentation)) }
        config.add("patch", ["supported": true])
        config.add("bulk", ["supported": false, "maxOperations": 0, "maxPayloadSize": 0])
        config.add("filter", ["supported": true, "maxResults": .integer(maximumResults)])
        config.add("changePassword", ["supported": false])
        config.add("sort", ["supported": false])
        config.add("etag", ["supported": false])
        config.add(
            "authenticationSchemes",
            [
                [
                    "type": "oauthbearertoken", "name": "Bearer token",
                    "description": "A token of the business in the header Authorization.",
                    "specUri": "https://www.rfc-editor.org/info/rfc6750", "primary": true,
                ]
            ])
        config.add("meta", meta("ServiceProviderConfig", base + "/ServiceProviderConfig"))
        return config
    }

    /// The kinds of resources: User and Group.
    package static func resourceTypes(base: String) -> [JSON] {
        [
            ("User", "/Users", "A person of the team", userURN),
            ("Group", "/Groups", "A team", groupURN),
        ].map { name, endpoint, description, schema in
            [
                "schemas": [.string(resourceTypeURN)], "id": .string(name), "name": .string(name),
                "description": .string(description), "endpoint": .string(endpoint),
                "schema": .string(schema), "schemaExtensions": [],
                "meta": meta("ResourceType", "\(base)/ResourceTypes/\(name)"),
            ]
        }
    }

    /// The schemas of User and Group with the attributes that the server has.
    package static func schemas(base: String) -> [JSON] {
        [
            (userURN, "User", "A person of the team", userAttributes),
            (groupURN, "Group", "A team", groupAttributes),
        ].map { urn, name, description, attributes in
            [
                "schemas": [.string(schemaURN)], "id": .string(urn), "name": .string(name),
                "description": .string(description),
                "attributes": .array(attributes.map(\.json)),
                "meta": meta("Schema", "\(base)/Schemas/\(urn)"),
            ]
        }
    }

    /// Whether the attributes of a schema, whose URN begins the text, are at the top of a resource.
    static func isCore(_ text: String) -> Bool {
        let prefix = "urn:ietf:params:scim:schemas:core:"
        return ASCII.equalsIgnoringCase(text.utf8.prefix(prefix.utf8.count), prefix.utf8)
    }

    private static func meta(_ type: String, _ location: String) -> JSON {
        ["resourceType": .string(type), "location": .string(location)]
    }
}
