/// A key that is compared, hashed and ordered by its bytes alone.
///
/// `String` equality is canonical equivalence: two different byte sequences can be one dictionary
/// key. Ids, names, keys and tokens from outside are therefore kept as `ByteString`.
public struct ByteString: Hashable, Sendable, Comparable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    /// The bytes themselves.
    public let bytes: [UInt8]

    /// Wraps the bytes as they are.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Wraps the UTF-8 of the text.
    public init(_ text: String) { bytes = Array(text.utf8) }

    /// Wraps the UTF-8 of a literal.
    public init(stringLiteral value: String) { self.init(value) }

    /// The bytes as text; ill-formed UTF-8 becomes U+FFFD.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The same as ``text``.
    public var description: String { text }

    /// Order of the bytes, not of any language.
    public static func < (left: ByteString, right: ByteString) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}

extension String {
    /// Whether both are the same UTF-8 bytes; `==` would also equate canonical equivalents.
    public func equalsBytes(_ other: String) -> Bool {
        utf8.elementsEqual(other.utf8)
    }

    /// Whether the UTF-8 of the text is exactly these bytes.
    public func equalsBytes(_ other: some Sequence<UInt8>) -> Bool {
        utf8.elementsEqual(other)
    }
}
