import DeskBytes

/// The text of a key: a prefix that names its kind, then padded base64 in the standard alphabet.
enum KeyText {
    /// The bytes behind a prefix.
    ///
    /// - Throws: when the prefix is another one, or what follows is no base64.
    static func decode(_ text: String, prefix: String) throws(WebhookKeyError) -> [UInt8] {
        guard text.hasPrefix(prefix) else {
            let found = ["whsec_", "whsk_", "whpk_"].first(where: text.hasPrefix)
            throw WebhookKeyError(
                "this begins with \(found ?? "none of whsec_, whsk_ and whpk_"); "
                    + "needed is \(prefix) followed by base64")
        }
        guard let bytes = Base64.decode(String(text.dropFirst(prefix.utf8.count))) else {
            throw WebhookKeyError(
                "what follows \(prefix) is no base64: letters, digits, + and /, filled up with = "
                    + "to a multiple of four; copy the whole text, without spaces or quotes")
        }
        return bytes
    }

    static func encode(_ bytes: [UInt8], prefix: String) -> String { prefix + Base64.encode(bytes) }
}
