/// Why a schema cannot be used.
public struct SchemaError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The reasons.
    public enum Code: String, Sendable, CaseIterable {
        /// The document is not JSON.
        case notJSON = "not_json"
        /// Nothing is registered under the URI.
        case unknownSchema = "unknown_schema"
        /// A reference leads nowhere.
        case unresolvedReference = "unresolved_reference"
        /// Two schemas claim one URI or anchor.
        case duplicateIdentifier = "duplicate_identifier"
        /// A keyword's value has the wrong form.
        case badKeyword = "bad_keyword"
        /// A pattern is not an ECMA-262 regular expression.
        case badPattern = "bad_pattern"
        /// A pattern needs what a linear-time engine cannot do.
        case unsupportedPattern = "unsupported_pattern"
        /// The schema requires a vocabulary that is not known.
        case unknownVocabulary = "unknown_vocabulary"
        /// A schema that refers to itself without going deeper into the instance.
        case endlessReference = "endless_reference"
        /// More schemas than a program can hold.
        case tooLarge = "too_large"
    }

    /// The reason.
    public let code: Code
    /// The keyword's place: absolute URI and pointer.
    public let location: String
    /// The error in one sentence for the schema's author.
    public let sentence: String

    /// Code and place.
    public var description: String { "SchemaError(\(code.rawValue) at \(location)): \(sentence)" }
}
