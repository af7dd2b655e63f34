package import DeskJSON

/// Tries edits out before they are offered: they must leave fewer slips than there were.
package struct Probe {
    private let schema: JSONSchema
    private let text: [UInt8]
    private let slips: Int
    /// How many bytes of text may still be judged.
    private var budget: Int

    /// Most bytes of text that one judgement tries edits on; beyond them none are offered.
    static let maximumBytes = 4 * 1_024 * 1_024
    /// Most attempts of one judgement.
    private var attempts = 32

    package init(_ schema: JSONSchema, _ document: JSONDocument, slips: Int) {
        self.schema = schema
        text = document.bytes
        self.slips = slips
        budget = Self.maximumBytes
    }

    /// The first of some ways that fixes something and breaks nothing.
    package mutating func firstThatFixes(_ proposals: [[Edit]]) -> [Edit] {
        for edits in proposals where !edits.isEmpty {
            guard attempts > 0, budget >= text.count else { return [] }
            attempts -= 1
            budget -= text.count
            guard let root = JSONValue.parsed(Edits.apply(edits, to: text)) else { continue }
            if schema.isValid(root) || schema.findings(root).count < slips { return edits }
        }
        return []
    }
}
