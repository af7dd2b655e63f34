import DeskBytes
import DeskModel

/// The secret of a link as people pass it on: base64.
public enum LinkSecret {
    /// Fewest and most bytes of a secret that an operator enters.
    public static let bytes = 16...256

    /// What a secret must be, in words.
    public static let rule =
        "base64 of \(bytes.lowerBound) to \(bytes.upperBound) bytes, as it was handed out"

    /// The key that a text encodes; nil when it is no such text.
    public static func decode(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= 400,
            let key = Base64.decode(text, padding: .optional), bytes.contains(key.count)
        else { return nil }
        return key
    }

    /// The text of a key.
    public static func encode(_ key: [UInt8]) -> String { Base64.encode(key) }
}

/// The MSP id of a link: what tokens name a provider by.
public enum LinkMSP {
    /// What an MSP id must be, in words.
    public static let rule =
        "1 to \(GatewayLink.maximumMSPBytes) visible ASCII characters without spaces"

    /// Whether a text may be one.
    public static func isAllowed(_ text: String) -> Bool {
        (1...GatewayLink.maximumMSPBytes).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
