package import DeskJSON

/// What schemas say that fixes are made from, by the place of the subschema.
package struct FixNotes: Sendable {
    /// The values that `enum` or `const` allows.
    package var choices: [String: [JSONValue]] = [:]
    /// The current values of old ones, or of ones seen in the wild, that `x-old` lists.
    package var oldValues: [String: [String: String]] = [:]
    /// What `x-fix` says may bring a text into its form.
    package var fixes: [String: [TextFix]] = [:]

    /// Notes of a schema that says nothing.
    package init() {}

    /// The current value in place of an old one that a schema has found; nil for any other.
    package func currentValue(for finding: SchemaFinding) -> String? {
        guard !oldValues.isEmpty, finding.keyword == "const" || finding.keyword == "enum",
            let place = Self.place(ofKeyword: finding.keywordLocation)
        else { return nil }
        return finding.value.string.flatMap { oldValues[place]?[$0] }
    }

    /// The place of the subschema that contains a keyword.
    package static func place(ofKeyword location: String) -> String? {
        let bytes = location.utf8
        return bytes.lastIndex(of: UInt8(ascii: "/")).map { String(location[..<$0]) }
    }
}
