import DeskBytes
import DeskCrypto
import DeskJSON

/// Encrypts and decrypts what a browser carries from one request to another, so that any node reads what another wrote.
struct CarriedJSON: Sendable {
    private static let nonceBytes = 12
    /// Most bytes of a text that is read: of a cookie, or of a part of an address.
    private static let textBytes = 4_096

    private let key: [UInt8]
    private let label: [UInt8]

    /// - Parameters:
    ///   - key: 32 bytes that every node knows.
    ///   - label: what it is for; one with another label is none.
    init(key: [UInt8], label: String) {
        self.key = key
        self.label = Array(label.utf8)
    }

    /// A text that is fit for cookies and addresses.
    func encrypt(_ json: JSON) -> String {
        let nonce = RandomBytes.make(Self.nonceBytes)
        do throws(CryptoError) {
            let encrypted = try AESGCM.seal(json.bytes(), key: key, nonce: nonce, extra: label)
            return Base64.encode(nonce + encrypted, alphabet: .url)
        } catch { preconditionFailure("a key of 32 bytes was refused: \(error)") }
    }

    /// What was encrypted here; nil for any other text.
    func decrypt(_ text: String) -> JSONValue? {
        guard text.utf8.count <= Self.textBytes, let bytes = Base64.decode(text, alphabet: .url),
            bytes.count > Self.nonceBytes,
            // Safe: what was not encrypted here is as good as nothing.
            let json = try? AESGCM.open(
                Array(bytes[Self.nonceBytes...]), key: key,
                nonce: Array(bytes[..<Self.nonceBytes]), extra: label)
        else { return nil }
        return JSONValue.parsed(json)
    }
}
