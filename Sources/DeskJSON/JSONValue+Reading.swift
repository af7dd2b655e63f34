extension JSONValue {
    /// The root of a text; nil for a text that is not JSON within the product's limits.
    package static func parsed(_ bytes: [UInt8]) -> JSONValue? {
        // Safe: a caller that needs the reason parses by itself.
        try? JSONDocument(parsing: bytes).root
    }

    /// The path to it as text, a JSON Pointer.
    package var path: String { pointer.description }

    /// Whether it holds other values.
    package var isContainer: Bool { kind == .object || kind == .array }
}
