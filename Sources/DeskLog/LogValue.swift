/// A value in a log record: a number, a boolean, or text that is safe to log.
///
/// Text holds ids, codes, counts and names that the server made; never message text, tokens or a
/// customer's addresses.
public enum LogValue: Sendable, Hashable {
    case text(String)
    case number(Int)
    case truth(Bool)
}

extension LogValue: ExpressibleByStringLiteral {
    /// Makes a text value.
    public init(stringLiteral value: String) { self = .text(value) }
}

extension LogValue: ExpressibleByStringInterpolation {}

extension LogValue: ExpressibleByIntegerLiteral {
    /// Makes a number value.
    public init(integerLiteral value: Int) { self = .number(value) }
}

extension LogValue: ExpressibleByBooleanLiteral {
    /// Makes a boolean value.
    public init(booleanLiteral value: Bool) { self = .truth(value) }
}
