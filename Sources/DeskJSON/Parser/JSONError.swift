/// Why a text is refused as JSON, and where.
public struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The reasons, each with a name that may be shown to a machine.
    public enum Code: String, Sendable, CaseIterable {
        /// Nothing but white space.
        case emptyText = "empty_text"
        /// The text starts with a byte order mark.
        case byteOrderMark = "byte_order_mark"
        /// The text is UTF-16 or UTF-32.
        case notUTF8 = "not_utf8"
        /// A byte that is not allowed here.
        case unexpectedByte = "unexpected_byte"
        /// The text ends inside a value.
        case unexpectedEnd = "unexpected_end"
        /// Something follows the value.
        case trailingBytes = "trailing_bytes"
        /// A word other than true, false and null.
        case badLiteral = "bad_literal"
        /// Digits that are not a JSON number.
        case badNumber = "bad_number"
        /// A control byte inside a string.
        case controlByte = "control_byte"
        /// A backslash before something that has no escape.
        case badEscape = "bad_escape"
        /// Half of a surrogate pair in an escape.
        case loneSurrogate = "lone_surrogate"
        /// Bytes inside a string that are not UTF-8.
        case badUTF8 = "bad_utf8"
        /// A key that its object has already.
        case duplicateKey = "duplicate_key"
        /// Deeper than the limit.
        case tooDeep = "too_deep"
        /// More values than the limit.
        case tooManyNodes = "too_many_nodes"
        /// More keys in an object than the limit.
        case tooManyKeys = "too_many_keys"
        /// A key longer than the limit.
        case keyTooLong = "key_too_long"
        /// A number text longer than the limit.
        case numberTooLong = "number_too_long"
        /// A text of 4 GiB or more.
        case textTooLong = "text_too_long"
    }

    /// The reason.
    public let code: Code
    /// Where it was found.
    public let position: JSONPosition
    /// For a duplicate key: the place of its first occurrence.
    public let earlier: JSONPosition?
    /// What was found, in one English sentence for the text's author; may quote the text.
    public let sentence: String

    /// Bytes before the fault.
    public var offset: Int { position.offset }
    /// The fault's line, from 1.
    public var line: Int { position.line }
    /// The fault's column in Unicode scalars, from 1.
    public var column: Int { position.column }

    /// Code and place, fit for a log: nothing of the text.
    public var description: String {
        "JSONError(\(code.rawValue) at line \(line), column \(column))"
    }
}
