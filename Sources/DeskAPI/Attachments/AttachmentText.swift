import DeskBytes
import DeskCrypto
import DeskModel

/// An attachment in the protocol's shape.
///
/// What a device of ours fetches is the file itself over `url`; `key`, `owner` and the signature are
/// there because the protocol asks for them, and become real when a gateway sends the file on.
enum AttachmentText {
    /// The dictionary, ready to stand in a payload's `attachments`.
    static func dictionary(_ use: AttachmentUse, _ publicURL: PublicURL) -> [UInt8] {
        let digest = use.id.digest.bytes
        // The same file has the same key, so that a repeat is the same message byte for byte.
        let key = SHA256.digest(Array("attachment key ".utf8) + digest)
        return JSONText.object { text in
            text.member("name", use.name)
            text.member("mimeType", use.mediaType)
            text.member("size", String(use.byteCount))
            text.member("signature-base64", Base64.encode([0x01] + digest))
            text.member("url", "\(publicURL.origin)/api/attachments/\(use.id.text)")
            text.member("owner", "frontdesk")
            text.member("key", "00" + Hex.encode(key))
        }
    }
}
