import DeskBytes
import DeskHTTP
import DeskJSON
import DeskModel

/// One attachment's dictionary in a payload, in either of the protocol's spellings (protocol page 4).
struct AttachmentDictionary {
    /// The spellings, the current one first.
    private static let names: [Field: [String]] = [
        .url: ["url", "mmcs-url"], .owner: ["owner", "mmcs-owner"],
        .key: ["key", "decryption-key"], .mediaType: ["mimeType", "mime-type"],
        .size: ["size", "file-size"], .name: ["name"],
    ]

    private enum Field {
        case name, mediaType, size, url, owner, key
    }

    let name: String
    let mediaType: String
    let byteCount: Int64?
    let url: String
    /// The 32 bytes of the key.
    let key: [UInt8]

    /// Reads a dictionary of a provider's or an upstream's.
    init(_ value: JSONValue) throws(GatewayRefusal) {
        func text(_ field: Field) -> String? {
            (Self.names[field] ?? []).lazy.compactMap { value[$0]?.string }.first
        }
        func require(_ field: Field) throws(GatewayRefusal) -> String {
            if let text = text(field), !text.isEmpty { return text }
            let name = Self.names[field]?.first ?? ""
            throw GatewayRefusal(.badRequest, "\(value.pointer) has no \(name)")
        }
        name = try require(.name)
        mediaType = text(.mediaType) ?? "application/octet-stream"
        let sizes = Self.names[.size] ?? []
        byteCount =
            text(.size).flatMap { Int64($0) }
            ?? sizes.lazy.compactMap { value[$0]?.int }.first.map { Int64($0) }
        url = try require(.url)
        key = try Self.key(try require(.key), at: value)
    }

    /// Reads `00` and 64 hexadecimal digits in either case.
    static func key(_ text: String, at value: JSONValue) throws(GatewayRefusal) -> [UInt8] {
        let bytes = Array(text.lowercased().utf8)
        guard bytes.count == 66, bytes.starts(with: "00".utf8),
            let key = Hex.decode(Array(bytes.dropFirst(2)))
        else {
            throw GatewayRefusal(
                .badRequest, "\(value.pointer): a key is 00 and 64 hexadecimal digits")
        }
        return key
    }

    /// The signature in the form of `preDownload`, from any of its spellings; nil when none can be
    /// read.
    static func signature(of value: JSONValue) -> String? {
        if let base64 = value["signature-base64"]?.string { return base64 }
        let digits = value["signature"]?.string ?? value["mmcs-signature-hex"]?.string
        return digits.flatMap { Hex.decode($0) }.map { Base64.encode($0) }
    }
}
