import DeskCrypto
import DeskMessages
package import DeskModel
package import DeskWeb

/// An attachment in the protocol's shape.
///
/// What a device of ours fetches is the file itself over `url`; `key`, `owner` and the signature are
/// there because the protocol asks for them, and become real when a gateway sends the file on.
package enum AttachmentText {
    /// The dictionary as the `attachments` of a payload of that direction contain it.
    package static func dictionary(
        _ use: AttachmentUse, _ direction: Direction, _ publicURL: PublicURL
    ) -> [UInt8] {
        let digest = use.id.digest.bytes
        // The same file has the same key, so that a repeat is the same message byte for byte.
        let key = SHA256.digest(Array("attachment key ".utf8) + digest)
        return AttachmentWire(
            url: "\(publicURL.origin)/api/attachments/\(use.id.text)", owner: "frontdesk",
            key: key, signature: [0x01] + digest, byteCount: use.byteCount
        ).text(of: use, direction)
    }
}
