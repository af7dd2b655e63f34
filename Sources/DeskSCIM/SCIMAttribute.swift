import DeskJSON

/// One attribute of a schema with the characteristics of RFC 7643 section 7.
struct SCIMAttribute: Sendable {
    /// The values of `type` that our schemas use.
    enum Kind: String, Sendable { case string, boolean, reference, complex }

    /// The values of `mutability` that our schemas use.
    enum Mutability: String, Sendable { case readWrite, readOnly, immutable }

    let name: String
    var kind = Kind.string
    let description: String
    var isMultiple = false
    var isRequired = false
    var isCaseExact = false
    var mutability = Mutability.readWrite
    /// Whether no two resources of the server have the same value.
    var isUnique = false
    /// The values that are usual, or all that there are.
    var values: [String] = []
    /// What a reference leads to.
    var targets: [String] = []
    var subAttributes: [SCIMAttribute] = []

    /// It as an element of `attributes`.
    var json: JSON {
        var text: JSON = [
            "name": .string(name), "type": .string(kind.rawValue),
            "multiValued": .bool(isMultiple), "description": .string(description),
            "required": .bool(isRequired), "caseExact": .bool(isCaseExact),
            "mutability": .string(mutability.rawValue), "returned": "default",
            "uniqueness": isUnique ? "server" : "none",
        ]
        if !values.isEmpty { text.add("canonicalValues", Self.strings(values)) }
        if !targets.isEmpty { text.add("referenceTypes", Self.strings(targets)) }
        if !subAttributes.isEmpty {
            text.add("subAttributes", .array(subAttributes.map(\.json)))
        }
        return text
    }

    private static func strings(_ texts: [String]) -> JSON {
        .array(texts.map { .string($0) })
    }
}
