/// Which keywords count in a schema resource, by its `$schema`.
struct Dialect: Sendable {
    var hasApplicators = true
    var hasUnevaluated = true
    var hasValidation = true
    var assertsFormats = false
    /// Before 2020-12: `items` may be a list, `additionalItems` follows it, no `prefixItems`.
    var isHistoric = false

    /// Draft 2020-12 as published.
    static let standard = Dialect()

    static let vocabularyRoot = "https://json-schema.org/draft/2020-12/vocab/"
    static let metaschema = "https://json-schema.org/draft/2020-12/schema"

    private static let historicRoots = [
        "https://json-schema.org/draft/2019-09/schema", "http://json-schema.org/draft-07/schema",
        "http://json-schema.org/draft-06/schema", "http://json-schema.org/draft-04/schema",
    ]

    /// The dialect of a metaschema URI, where no document is needed to know it.
    static func known(_ uri: String) -> Dialect? {
        let bare = uri.hasSuffix("#") ? String(uri.dropLast()) : uri
        if bare == metaschema { return standard }
        guard historicRoots.contains(bare) else { return nil }
        var dialect = standard
        dialect.isHistoric = true
        return dialect
    }

    /// The dialect that a metaschema document declares.
    static func declared(by metaschema: JSONValue, at uri: String) throws(SchemaError) -> Dialect {
        guard let vocabularies = metaschema["$vocabulary"], vocabularies.kind == .object else {
            return standard
        }
        var dialect = Dialect()
        dialect.hasApplicators = false
        dialect.hasUnevaluated = false
        dialect.hasValidation = false
        for member in vocabularies.members {
            let name = member.key
            let known = name.hasPrefix(vocabularyRoot) ? name.dropFirst(vocabularyRoot.count) : ""
            switch known {
            case "core", "meta-data", "format-annotation", "content": break
            case "applicator": dialect.hasApplicators = true
            case "unevaluated": dialect.hasUnevaluated = true
            case "validation": dialect.hasValidation = true
            case "format-assertion": dialect.assertsFormats = true
            default:
                guard member.value.bool != true else {
                    throw SchemaError(
                        code: .unknownVocabulary, location: uri,
                        sentence: "The vocabulary \(name) is required and not known.")
                }
            }
        }
        return dialect
    }
}
