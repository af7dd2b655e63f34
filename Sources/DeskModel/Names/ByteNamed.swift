/// An identifier that a client made: text that is compared and hashed as bytes, never as
/// characters.
///
/// Swift's `String` calls "\u{e9}" and "e\u{301}" equal; two senders' ids must not be.
public protocol ByteNamed: Hashable, Sendable, CustomStringConvertible {
    /// The text as it came.
    var text: String { get }
}

extension ByteNamed {
    /// Equal when every byte is.
    public static func == (left: Self, right: Self) -> Bool {
        var left = left.text
        var right = right.text
        return left.withUTF8 { left in
            right.withUTF8 { right in
                unsafe left.count == right.count && left.elementsEqual(right)
            }
        }
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }

    /// The same as `text`.
    public var description: String { text }
}

/// Names a message in its conversation; made by the sender, compared as bytes.
public struct MessageID: ByteNamed {
    /// Longest id in bytes; a UUID's text needs 36.
    public static let maximumBytes = 128

    /// The id as the sender wrote it.
    public let text: String

    /// Accepts 1 to 128 printable ASCII bytes without spaces; anything else is nil.
    public init?(_ text: String) {
        var bytes = text
        let isPrintable = bytes.withUTF8 { bytes in
            guard (1...Self.maximumBytes).contains(bytes.count) else { return false }
            return unsafe bytes.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        }
        guard isPrintable else { return nil }
        self.text = text
    }

    /// Makes an id of a UUID's text.
    public init(_ value: UniqueID) { text = value.text }
}

/// Names one customer of one business: `urn:mbid:` and base64.
public struct CustomerID: ByteNamed {
    /// What every customer's name starts with.
    public static let prefix = "urn:mbid:"
    /// Longest name in bytes.
    public static let maximumBytes = 256

    /// The whole name, prefix included.
    public let text: String

    /// Accepts the prefix and 1 or more characters of base64 (either alphabet); else nil.
    public init?(_ text: String) {
        let bytes = text.utf8
        guard bytes.count > Self.prefix.utf8.count, bytes.count <= Self.maximumBytes,
            bytes.starts(with: Self.prefix.utf8),
            bytes.dropFirst(Self.prefix.utf8.count).allSatisfy(Self.isBase64)
        else { return nil }
        self.text = text
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"),
            UInt8(ascii: "="), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

/// Names a template within its business.
public struct TemplateName: ByteNamed {
    /// Longest name in bytes.
    public static let maximumBytes = 64

    /// The name as its author wrote it.
    public let text: String

    /// What a new template's name matches, as the schema, the OpenAPI file and the pages say it too.
    public static let pattern = "^[a-z0-9][a-z0-9._-]{0,63}$"
    /// The same in words.
    public static let rule = "1 to 64 of a-z, 0-9, ., _ and -, the first a letter or a digit"

    /// Whether a new template may have the name; names of old ones may begin with punctuation.
    public var suitsNewTemplates: Bool {
        text.utf8.first.map { $0 != 0x2D && $0 != 0x2E && $0 != 0x5F } ?? false
    }

    /// Behind every name, for the order of lists; no template has it.
    public static let beyondAll = TemplateName(unchecked: "{")

    private init(unchecked text: String) { self.text = text }

    /// Accepts 1 to 64 of `a`-`z`, `0`-`9`, `-`, `_` and `.`; anything else is nil.
    public init?(_ text: String) {
        let bytes = text.utf8
        guard (1...Self.maximumBytes).contains(bytes.count), bytes.allSatisfy(Self.isAllowed)
        else { return nil }
        self.text = text
    }

    /// The names that translations of the template into a locale such as `ja_JP` have: with its
    /// region, then by its language alone.
    public func translations(into locale: String) -> [TemplateName] {
        let parts = locale.lowercased().split { $0 == "_" || $0 == "-" }.prefix(3)
        guard !parts.isEmpty else { return [] }
        return (1...parts.count).reversed().compactMap { count in
            TemplateName("\(text).\(parts.prefix(count).joined(separator: "-"))")
        }
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
