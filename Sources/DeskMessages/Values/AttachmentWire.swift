import DeskBytes
import DeskJSON
public import DeskModel

/// One attachment's dictionary as an element of a payload's `attachments`.
///
/// The two directions differ (protocol page 13.1): what comes from a customer has `signature` and
/// `key` in upper-case hexadecimal and `size` as a number, and clients accept it so without
/// folding; what a business sends has `signature-base64` and `size` as a text.
public struct AttachmentWire: Hashable, Sendable {
    /// Where the ciphertext is.
    public var url: String
    /// The owner that the store gave with the address.
    public var owner: String
    /// The 32 bytes of the key.
    public var key: [UInt8]
    /// The store's checksum; opaque to clients.
    public var signature: [UInt8]
    /// Bytes of the ciphertext.
    public var byteCount: Int64

    /// Puts together what says where a file's ciphertext is.
    public init(url: String, owner: String, key: [UInt8], signature: [UInt8], byteCount: Int64) {
        self.url = url
        self.owner = owner
        self.key = key
        self.signature = signature
        self.byteCount = byteCount
    }

    /// The dictionary of a file, ready for a payload of that direction.
    public func text(of use: AttachmentUse, _ direction: Direction) -> [UInt8] {
        var members: [(String, JSON)] = [
            ("name", .string(use.name)), ("mimeType", .string(use.mediaType)),
        ]
        let hexadecimalKey = Hex.encode(key)
        switch direction {
        case .inbound:
            members.append(("size", .integer(Int(byteCount))))
            members.append(("signature", .string(Hex.encode(signature).uppercased())))
            members.append(("key", .string("00" + hexadecimalKey.uppercased())))
        case .outbound:
            members.append(("size", .string(String(byteCount))))
            members.append(("signature-base64", .string(Base64.encode(signature))))
            members.append(("key", .string("00" + hexadecimalKey)))
        }
        members.append(("url", .string(url)))
        members.append(("owner", .string(owner)))
        return JSON.object(members).bytes()
    }
}
