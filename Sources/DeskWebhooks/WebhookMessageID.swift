/// Names one webhook for all its attempts: the value of `webhook-id`, by which receivers know duplicates.
///
/// 1 to 256 visible ASCII characters and no full stop, which would let the signed content be read in two ways.
public struct WebhookMessageID: Hashable, Sendable, CustomStringConvertible {
    /// Longest id in bytes.
    public static let maximumBytes = 256

    /// The value as it is sent.
    public let text: String

    /// Checks a value; nil when it is empty, too long, or has a full stop, a space or a control byte.
    public init?(_ text: String) {
        let bytes = text.utf8
        guard (1...WebhookMessageID.maximumBytes).contains(bytes.count),
            bytes.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ".") })
        else { return nil }
        self.text = text
    }

    /// The value as it is sent; safe to log.
    public var description: String { text }
}
