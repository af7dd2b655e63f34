import DeskBytes

/// What is known of the attributes of User and Group by their names.
enum SCIMNames {
    /// The attributes, in the spelling of RFC 7643.
    private static let attributes = [
        "schemas", "id", "externalId", "meta", "userName", "name", "displayName", "nickName",
        "profileUrl", "title", "userType", "preferredLanguage", "locale", "timezone", "active",
        "password", "emails", "phoneNumbers", "ims", "photos", "addresses", "groups",
        "entitlements", "roles", "x509Certificates", "members",
    ]
    /// The sub-attributes of all of them.
    private static let subAttributes = [
        "resourceType", "created", "lastModified", "location", "version", "formatted",
        "familyName", "givenName", "middleName", "honorificPrefix", "honorificSuffix", "value",
        "display", "type", "primary", "$ref", "streetAddress", "locality", "region", "postalCode",
        "country",
    ]
    /// Attributes whose texts differ by case, in lower case; every other text compares without.
    private static let caseExact: Set = [
        "id", "externalid", "meta.location", "members.value", "members.$ref", "groups.value",
        "groups.$ref",
    ]
    /// Attributes that are moments, in lower case.
    private static let moments: Set = ["meta.created", "meta.lastmodified"]
    /// Attributes that are true or false, in lower case.
    private static let booleans: Set = ["active", "primary"]

    private static let spellings = table(attributes)
    private static let subSpellings = table(subAttributes)

    /// The attribute in the spelling of its schema; an unknown one as it is.
    static func spelled(_ attribute: String) -> String {
        spellings[attribute.lowercased()] ?? attribute
    }

    /// The sub-attribute in the spelling of its schema; an unknown one as it is.
    static func spelled(sub attribute: String) -> String {
        subSpellings[attribute.lowercased()] ?? attribute
    }

    /// Whether texts of the attribute, such as `members.value`, differ by case.
    static func isCaseExact(_ path: String) -> Bool { caseExact.contains(path.lowercased()) }

    /// Whether the attribute is a moment.
    static func isMoment(_ path: String) -> Bool { moments.contains(path.lowercased()) }

    /// Whether the attribute or sub-attribute is true or false.
    static func isBoolean(_ name: String) -> Bool { booleans.contains(name.lowercased()) }

    /// Whether both name one attribute.
    static func areEqual(_ left: String, _ right: String) -> Bool {
        ASCII.equalsIgnoringCase(left.utf8, right.utf8)
    }

    private static func table(_ names: [String]) -> [String: String] {
        Dictionary(uniqueKeysWithValues: names.map { ($0.lowercased(), $0) })
    }
}
