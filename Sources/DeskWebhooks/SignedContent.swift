/// What is signed: `id.timestamp.body`, byte for byte as sent.
enum SignedContent {
    static func bytes(id: WebhookMessageID, timestamp: String, body: [UInt8]) -> [UInt8] {
        var content: [UInt8] = []
        content.reserveCapacity(id.text.utf8.count + timestamp.utf8.count + body.count + 2)
        content.append(contentsOf: id.text.utf8)
        content.append(UInt8(ascii: "."))
        content.append(contentsOf: timestamp.utf8)
        content.append(UInt8(ascii: "."))
        content.append(contentsOf: body)
        return content
    }
}

/// The two kinds of signatures, by what is written before the comma.
enum SignatureVersion: String {
    /// HMAC with SHA-256.
    case symmetric = "v1"
    /// Ed25519.
    case asymmetric = "v1a"
}
