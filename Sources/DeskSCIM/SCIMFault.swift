import DeskModel

/// Why a SCIM request cannot be served, in the terms of RFC 7644 section 3.12.
package struct SCIMFault: Error, Sendable, CustomStringConvertible {
    /// The values of `scimType`.
    package enum Kind: String, Sendable, CaseIterable {
        case invalidFilter, tooMany, uniqueness, mutability, invalidSyntax
        case invalidPath, noTarget, invalidValue, invalidVers, sensitive
    }

    /// The value of `scimType`.
    package let kind: Kind
    /// What was found, what is allowed, how to correct it.
    package let detail: String

    /// Most characters of a foreign text that a sentence quotes.
    private static let maximumQuoted = 80

    /// A fault with its sentence.
    package init(_ kind: Kind, _ detail: String) {
        self.kind = kind
        self.detail = detail
    }

    /// The code alone, since the sentence quotes what was sent.
    package var description: String { "SCIMFault(\(kind.rawValue))" }

    /// A foreign text in quotes, on one line, cut.
    package static func quoted(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard scalars.dropFirst(maximumQuoted).isEmpty else {
            return Quoted.text(String(scalars.prefix(maximumQuoted - 1)) + "\u{2026}")
        }
        return Quoted.text(text)
    }
}
