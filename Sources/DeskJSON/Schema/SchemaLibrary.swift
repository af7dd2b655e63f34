/// Schemas by URI; references are looked up here and nowhere else, never in a network.
public struct SchemaLibrary: Sendable {
    /// A library that knows the metaschemas of draft 2020-12 and nothing else.
    public init() {}

    /// Adds a schema document under a URI; its own `$id` counts too.
    ///
    /// - Throws: `notJSON`, `duplicateIdentifier` or `badKeyword`; then nothing was added.
    public mutating func register(_ bytes: [UInt8], at uri: String) throws(SchemaError) {
        throw SchemaError(code: .unknownSchema, location: uri, sentence: "Not built yet.")
    }

    /// Compiles the schema at a URI, which may have a fragment, with all it refers to.
    public func compile(
        _ uri: String, formats: SchemaFormats = .asserted
    ) throws(SchemaError) -> JSONSchema {
        throw SchemaError(code: .unknownSchema, location: uri, sentence: "Not built yet.")
    }
}

/// What `format` means.
public enum SchemaFormats: Sendable {
    /// A string that breaks its format is invalid.
    case asserted
    /// `format` is a note, unless the schema's dialect has the assertion vocabulary.
    case annotated
}
