package import DeskJSON

/// Which attributes of a resource an answer has, RFC 7644 section 3.9.
package struct SCIMProjection: Sendable {
    /// Most names of one request; one more is refused.
    package static let maximumNames = 64

    /// Attributes that every answer has, in lower case.
    private static let always: Set = ["id", "schemas"]

    /// An attribute at the top of a resource, and a part of it.
    private struct Name {
        let top: String
        let part: String?
    }

    private let names: [Name]
    /// Whether the names are what stays; otherwise they are what goes.
    private let isChoice: Bool

    /// Reads the two parameters, names with commas between them; an empty one is as none.
    ///
    /// - Throws: `invalidSyntax`.
    package init(attributes: String?, excluded: String?) throws(SCIMFault) {
        let chosen = try Self.names(attributes ?? "", "attributes")
        let dropped = try Self.names(excluded ?? "", "excludedAttributes")
        guard chosen.isEmpty || dropped.isEmpty else {
            throw SCIMFault(
                .invalidSyntax,
                "The parameters: found attributes and excludedAttributes; allowed: one of them. Leave one out."
            )
        }
        isChoice = !chosen.isEmpty
        names = isChoice ? chosen : dropped
    }

    /// Whether an attribute at the top of a resource is in no answer, so that none needs to load it.
    package func omits(_ name: String) -> Bool {
        guard !Self.always.contains(name.lowercased()) else { return false }
        let own = names.filter { SCIMNames.areEqual($0.top, name) }
        return isChoice ? own.isEmpty : own.contains { $0.part == nil }
    }

    /// The resource with the attributes that the answer has.
    package func applied(to resource: JSON) -> JSON {
        guard !names.isEmpty, case .object(let members) = resource else { return resource }
        return .object(
            members.compactMap { name, value in
                guard !omits(name) else { return nil }
                let own = names.filter { SCIMNames.areEqual($0.top, name) }
                let parts = own.compactMap(\.part)
                guard !parts.isEmpty, !Self.always.contains(name.lowercased()),
                    parts.count == own.count
                else { return (name, value) }
                return cut(value, to: parts).map { (name, $0) }
            })
    }

    /// The value with the parts of it that stay; nil when nothing does.
    private func cut(_ value: JSON, to parts: [String]) -> JSON? {
        switch value {
        case .array(let elements):
            return .array(elements.compactMap { cut($0, to: parts) })
        case .object(let members):
            let left = members.filter { member in
                parts.contains { SCIMNames.areEqual($0, member.0) } == isChoice
            }
            return left.isEmpty ? Optional.none : .some(.object(left))
        case .string, .integer, .number, .bool, .null, .raw:
            // A plain value of a multi-valued attribute is its `value`.
            return parts.contains { SCIMNames.areEqual($0, "value") } == isChoice
                ? .some(value) : Optional.none
        }
    }

    private static func names(_ text: String, _ parameter: String) throws(SCIMFault) -> [Name] {
        var names: [Name] = []
        for part in text.split(separator: ",") {
            let word = String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            guard !word.isEmpty else { continue }
            guard let name = SCIMName(word), !name.attribute.isEmpty else {
                throw SCIMFault(
                    .invalidSyntax,
                    """
                    The parameter \(parameter): found \(SCIMFault.quoted(word)); allowed: names of \
                    attributes with commas between them, such as userName,name.givenName. Correct the name.
                    """)
            }
            // The attributes of a further schema are parts of the member with its URN.
            names.append(
                name.schema.map { Name(top: $0, part: name.attribute) }
                    ?? Name(top: name.attribute, part: name.subAttribute))
        }
        guard names.count <= maximumNames else {
            throw SCIMFault(
                .invalidSyntax,
                "The parameter \(parameter): found \(names.count) names; allowed: \(maximumNames) at most. Ask for fewer."
            )
        }
        return names
    }
}
