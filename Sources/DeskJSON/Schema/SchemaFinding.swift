/// One rule of a schema that an instance breaks.
public struct SchemaFinding: Sendable {
    /// The value that breaks it; of a finding about a key, that key's value; of a missing member,
    /// the object that lacks it.
    public let value: JSONValue
    /// The bytes to underline: the value's or the key's.
    public let range: Range<Int>
    /// Whether the finding concerns the key rather than its value.
    public let isAboutKey: Bool
    /// The keyword that was broken, such as `maxLength`; `false` for a schema that allows nothing.
    public let keyword: String
    /// The keyword's place: absolute URI, `#` and pointer.
    public let keywordLocation: String
    /// The value found, in words; long values are cut.
    public let found: String
    /// The allowed values, in words.
    public let allowed: String
    /// The member that is missing, unknown or wrongly named.
    public let name: String?
    /// The limit, when the keyword is a number.
    public let limit: Double?
    /// The measured size or value to hold against the limit.
    public let actual: Double?
    /// The probable intention: a known key or an allowed text close to the one found.
    public let suggestion: String?

    /// The path to ``value``.
    public var pointer: JSONPointer { value.pointer }
}
