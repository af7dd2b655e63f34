import DeskBytes
package import DeskCrypto
import DeskJSON

/// A device with one passkey, as a browser hands its answers over; what it says can be made wrong.
package struct TestAuthenticator: Sendable {
    package var key = P256.make()
    package var id = RandomBytes.make(32)
    package var host = "localhost"
    package var origin = "http://localhost:8080"
    /// Whether it counts, and what it says next.
    package var counter: UInt32 = 0
    /// Its person is there, and it made sure who that is.
    package var flags: UInt8 = 0b101
    /// Members of what the browser says, after those of the standard.
    package var more = ""
    /// The account that it was made for, in base64url.
    package var handle = ""

    package init() {}

    /// The public key, a `SubjectPublicKeyInfo` in DER: on P-256 all but the point is the same for all.
    package var publicKey: [UInt8] {
        [
            0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06,
            0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
        ] + key.point
    }

    /// What the browser says was signed.
    package func clientData(_ type: String, _ challenge: String) -> [UInt8] {
        Array(
            #"{"type":"\#(type)","challenge":"\#(challenge)","origin":"\#(origin)","crossOrigin":false\#(more)}"#
                .utf8)
    }

    /// What the authenticator says of itself; with its key when one was made.
    package func data(isNew: Bool) -> [UInt8] {
        let count = (0..<4).map { UInt8(truncatingIfNeeded: counter >> UInt32(24 - 8 * $0)) }
        let head = SHA256.digest(host) + [flags | (isNew ? 0x40 : 0)] + count
        guard isNew else { return head }
        let length = [UInt8(id.count >> 8), UInt8(id.count & 255)]
        return head + [UInt8](repeating: 0, count: 16) + length + id + [0xA0]
    }

    /// The body that adds it.
    package func addition(_ challenge: String, named name: String = "Phone") -> String {
        body([
            ("id", id), ("clientDataJSON", clientData("webauthn.create", challenge)),
            ("authenticatorData", data(isNew: true)), ("publicKey", publicKey),
        ]) + #","publicKeyAlgorithm":-7,"name":"\#(name)"}"#
    }

    /// The body that signs its person in.
    package func signIn(_ challenge: String) -> String {
        let (client, data) = (clientData("webauthn.get", challenge), data(isNew: false))
        let signature = der(key.sign(data + SHA256.digest(client)))
        return body([
            ("id", id), ("clientDataJSON", client), ("authenticatorData", data),
            ("signature", signature),
        ]) + #","userHandle":"\#(handle)"}"#
    }

    private func body(_ members: [(String, [UInt8])]) -> String {
        "{"
            + members.map { #""\#($0)":"\#(Base64.encode($1, alphabet: .url))""# }
            .joined(separator: ",")
    }

    /// A signature of two numbers, in DER as authenticators write it.
    package func der(_ signature: [UInt8]) -> [UInt8] {
        func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
            var digits = Array(bytes.drop { $0 == 0 })
            if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
            return [0x02, UInt8(digits.count)] + digits
        }
        let content = integer(signature.prefix(32)) + integer(signature.suffix(32))
        return [0x30, UInt8(content.count)] + content
    }
}
