/// A value in a log record: a number, a truth, or text that is safe to show.
///
/// Text must be ids, codes, counts and names of our own; never message text, tokens or addresses of a
/// customer.
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
    /// Makes a truth value.
    public init(booleanLiteral value: Bool) { self = .truth(value) }
}
