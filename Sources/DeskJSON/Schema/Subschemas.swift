/// Where a schema holds further schemas.
enum Subschemas {
    /// Keywords whose value is one schema (or, for `items` of old, a list of them).
    static let single = [
        "items", "additionalItems", "additionalProperties", "unevaluatedItems",
        "unevaluatedProperties", "contains", "propertyNames", "not", "if", "then", "else",
        "contentSchema",
    ]
    /// Keywords whose value is a list of schemas.
    static let lists = ["allOf", "anyOf", "oneOf", "prefixItems", "items"]
    /// Keywords whose value is an object of schemas.
    static let named = [
        "$defs", "definitions", "properties", "patternProperties", "dependentSchemas",
        "dependencies",
    ]

    /// The entries of all schemas directly inside.
    static func entries(of schema: JSONValue) -> [Int] {
        var entries: [Int] = []
        for member in schema.members {
            let key = member.key
            let value = member.value
            switch value.kind {
            case .object where single.contains(key): entries.append(value.index)
            case .object where named.contains(key):
                entries += value.members.map { $0.value.index }
            case .array where lists.contains(key): entries += value.elements.map { $0.index }
            case .null, .boolean, .number, .string, .array, .object: break
            }
        }
        return entries
    }
}
