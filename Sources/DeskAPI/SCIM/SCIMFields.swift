import DeskBytes
import DeskJSON
import DeskModel
import DeskSCIM
import DeskWeb

/// Reads attributes of a resource that a provider sent; names of attributes have no case (RFC 7643, section 2.1).
struct SCIMFields {
    private let members: [(String, JSON)]

    /// Reads a resource.
    init(_ resource: JSON) {
        members = if case .object(let members) = resource { members } else { [] }
    }

    /// Refuses a resource that says that it is another kind of one.
    func require(_ schema: String) throws(Problem) {
        guard case .array(let named)? = self["schemas"] else { return }
        let isNamed = named.contains {
            if case .string(let text) = $0 {
                ASCII.equalsIgnoringCase(text.utf8, schema.utf8)
            } else {
                false
            }
        }
        guard isNamed else {
            throw .scim(.invalidSyntax, "schemas names no \(schema). Send that one.")
        }
    }

    /// An attribute; nil where it is absent or null, which mean the same (RFC 7643, section 2.5).
    subscript(name: String) -> JSON? {
        let found = members.last { ASCII.equalsIgnoringCase($0.0.utf8, name.utf8) }?.1
        if case .null? = found { return nil }
        return found
    }

    /// The attributes of a complex one.
    func part(_ name: String) -> SCIMFields { SCIMFields(self[name] ?? .null) }

    /// A line of text that shows something; nil where it is absent or empty.
    func text(_ name: String, most bytes: Int) throws(Problem) -> String? {
        guard let value = self[name] else { return nil }
        guard case .string(let text) = value, text.utf8.count <= bytes else {
            throw .scim(.invalidValue, "\(name) is a text of at most \(bytes) bytes.")
        }
        guard !text.isEmpty else { return nil }
        guard Fields.isName(text) else {
            throw .scim(.invalidValue, "\(name) is one line of text without control characters.")
        }
        return text
    }

    /// A claim; also as the text that Microsoft Entra sends, `"True"` or `"False"`.
    func claim(_ name: String) throws(Problem) -> Bool? {
        switch self[name] {
        case nil: return nil
        case .bool(let value): return value
        case .string(let text):
            if ASCII.equalsIgnoringCase(text.utf8, "true".utf8) { return true }
            if ASCII.equalsIgnoringCase(text.utf8, "false".utf8) { return false }
        default: break
        }
        throw .scim(.invalidValue, "\(name) is true or false.")
    }

    /// A whole number.
    func number(_ name: String) throws(Problem) -> Int? {
        guard let value = self[name] else { return nil }
        guard case .number(let text) = value, text.utf8.count <= 9, let number = Int(text) else {
            throw .scim(.invalidValue, "\(name) is a whole number, such as 1.")
        }
        return number
    }

    /// The names of a list, with commas between them; nil where there is none.
    func names(_ name: String) throws(Problem) -> String? {
        var names: [String] = []
        for element in try elements(name, most: SCIMProjection.maximumNames) {
            guard case .string(let text) = element else {
                throw .scim(.invalidValue, "\(name) is a list of names of attributes.")
            }
            names.append(text)
        }
        return names.isEmpty ? nil : names.joined(separator: ",")
    }

    /// The elements of an attribute with several; one that is no list counts as the only one.
    func elements(_ name: String, most: Int) throws(Problem) -> [JSON] {
        switch self[name] {
        case nil: return []
        case .array(let elements):
            guard elements.count <= most else {
                throw .scim(
                    .invalidValue, "\(name) has \(elements.count) elements: send at most \(most).")
            }
            return elements
        case let one?: return [one]
        }
    }
}

/// What a provider wants a person to be.
struct SCIMPersonFields {
    /// Most addresses and roles that are read.
    private static let mostElements = 20

    let userName: String
    let externalID: String?
    let givenName: String?
    let familyName: String?
    /// What people call the person; nil where the provider has no name for it.
    let name: String?
    /// The address that is the main one, else the first one, else the provider's name where that is one.
    let email: String?
    let isActive: Bool?
    /// The role; nil where the provider gives none.
    let role: Role?

    /// - Throws: a problem that says which attribute is not as it has to be.
    init(_ resource: JSON, roles: [Role]) throws(Problem) {
        let fields = SCIMFields(resource)
        try fields.require(SCIMSchemas.userURN)
        guard
            let userName = try fields.text("userName", most: ProvisionedPerson.nameBytes)
        else {
            throw .scim(
                .invalidValue, "userName is missing: send the name by which the person signs in.")
        }
        self.userName = userName
        externalID = try fields.text("externalId", most: ProvisionedPerson.nameBytes)
        let parts = fields.part("name")
        givenName = try parts.text("givenName", most: Fields.nameBytes)
        familyName = try parts.text("familyName", most: Fields.nameBytes)
        let joined = [givenName, familyName].compactMap(\.self).joined(separator: " ")
        let whole = joined.isEmpty || joined.utf8.count > Fields.nameBytes ? nil : joined
        let formatted = try parts.text("formatted", most: Fields.nameBytes)
        name = try fields.text("displayName", most: Fields.nameBytes) ?? formatted ?? whole
        email = try Self.email(fields) ?? Fields.normalEmail(userName)
        isActive = try fields.claim("active")
        role = try Self.role(fields, among: roles)
    }

    private static func email(_ fields: SCIMFields) throws(Problem) -> String? {
        var first: String?
        for element in try fields.elements("emails", most: mostElements) {
            let parts = SCIMFields(element)
            guard let text = try parts.text("value", most: ProvisionedPerson.nameBytes) else {
                continue
            }
            guard let email = Fields.normalEmail(text) else {
                throw .scim(
                    .invalidValue, "An address of emails is none: write it as name@example.com.")
            }
            if try parts.claim("primary") == true { return email }
            first = first ?? email
        }
        return first
    }

    /// The one role, or of several the one that is primary.
    private static func role(
        _ fields: SCIMFields, among roles: [Role]
    ) throws(Problem) -> Role? {
        var found: Set<Role> = []
        var primary: Set<Role> = []
        for element in try fields.elements("roles", most: mostElements) {
            let text: String?
            var isPrimary = false
            if case .string(let plain) = element {
                text = plain
            } else {
                let parts = SCIMFields(element)
                text = try parts.text("value", most: Fields.nameBytes)
                isPrimary = try parts.claim("primary") ?? false
            }
            guard let text else { continue }
            let named = roles.first { ASCII.equalsIgnoringCase($0.name.utf8, text.utf8) }
            guard let named else {
                let list = roles.map(\.name).joined(separator: ", ")
                throw .scim(.invalidValue, "A role of roles is none: send one of \(list).")
            }
            found.insert(named)
            if isPrimary { primary.insert(named) }
        }
        guard found.count > 1 else { return found.first }
        guard primary.count == 1 else {
            let marked = primary.isEmpty ? "none" : "\(primary.count)"
            throw .scim(
                .invalidValue,
                "roles has \(found.count) roles, \(marked) of them primary: a person has one role. Send one, "
                    + "or mark one as primary.")
        }
        return primary.first
    }
}
