import DeskJSON
public import DeskMessages

/// What makes a message untranslatable, with its place in the source.
public struct TranslationFault: Hashable, Sendable {
    /// Where, as a JSON Pointer.
    public let pointer: String
    /// Where, as line and column counted from 1.
    public let line: Int
    /// See ``line``.
    public let column: Int
    /// What was found.
    public let found: String
    /// What would be right there.
    public let allowed: String
    /// What to do about it.
    public let fix: String

    init(at node: JSONValue, found: String, allowed: String, fix: String) {
        pointer = node.pointer.description
        line = node.position.line
        column = node.position.column
        self.found = found
        self.allowed = allowed
        self.fix = fix
    }
}

/// Why there is no translation.
public enum TranslationError: Error, Sendable, CustomStringConvertible {
    /// The source is no JSON, or not a message of its shape: the findings say where.
    case refused(Judgement)
    /// The source is a message of its shape that cannot be translated.
    case fault(TranslationFault)
    /// Source and target are the same shape.
    case sameShape

    /// The case; nothing of a message.
    public var description: String {
        switch self {
        case .refused: "TranslationError(refused)"
        case .fault: "TranslationError(fault)"
        case .sameShape: "TranslationError(sameShape)"
        }
    }
}
