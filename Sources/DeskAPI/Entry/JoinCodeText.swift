import DeskBytes
import DeskCrypto
package import DeskModel
import DeskStore

/// The two secrets of a join code: the long one in the link, the short one that is typed.
package struct JoinCodeText: Sendable, Equatable {
    /// How long a join code is good, in seconds; then its link and its typed form are 404.
    package static let lifeSeconds = 10 * 60
    /// Conversations that one join code may begin; more than one, so that a first message that was
    /// sent twice finds its code.
    package static let uses = 3

    /// Letters of the typed form: base 32 (RFC 4648), which has no 0, 1 and 8.
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    /// The first five letters find the code, the last five authenticate.
    static let typedLetters = 10

    /// The code in the link, 43 letters for 256 bits.
    package let link: String
    /// Five letters.
    package let locator: String
    /// Five letters.
    let proof: String
    /// What is stored of the typed form's second half.
    package let proofDigest: Digest

    /// Makes the secrets of the code with this public name; the same name and key give the same.
    package init(id: String, key: [UInt8]) {
        link = Base64.encode(
            HMACSHA256.code(for: Array("link \(id)".utf8), key: key), alphabet: .url)
        let bits = HMACSHA256.code(for: Array("typed \(id)".utf8), key: key)
        let typed = bits.prefix(Self.typedLetters).map { Self.letters[Int($0 & 31)] }
        locator = String(decoding: typed.prefix(5), as: UTF8.self)
        proof = String(decoding: typed.suffix(5), as: UTF8.self)
        proofDigest = Self.proofDigest(of: proof, key: key)
    }

    /// The form that people type: `ABCDE-FGHJK`.
    package var typed: String { "\(locator)-\(proof)" }

    /// The hash of the link's code, which is stored.
    package var linkDigest: Digest { Self.linkDigest(of: link) }

    /// The hash by which a link's code is looked up.
    static func linkDigest(of link: String) -> Digest { .sha256(Array(link.utf8)) }

    /// What a typed form's second half is compared by.
    ///
    /// Keyed: a reader of the store could try the 2^25 values of a plain digest in a second.
    static func proofDigest(of proof: String, key: [UInt8]) -> Digest {
        let code = HMACSHA256.code(for: Array("proof \(proof)".utf8), key: key)
        guard let digest = Digest(bytes: code) else {
            preconditionFailure("HMAC-SHA-256 has another count of bytes")
        }
        return digest
    }

    /// Reads a typed code, forgiving case, spaces, dashes and look-alikes; else nil.
    static func read(_ typed: String) -> (locator: String, proof: String)? {
        guard typed.utf8.count <= 64 else { return nil }
        var read: [UInt8] = []
        for byte in ASCII.lowercased(typed.utf8) {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "-"): continue
            case UInt8(ascii: "0"): read.append(UInt8(ascii: "O"))
            case UInt8(ascii: "1"): read.append(UInt8(ascii: "I"))
            case UInt8(ascii: "8"): read.append(UInt8(ascii: "B"))
            default:
                let upper = ASCII.isLetter(byte) ? byte - 0x20 : byte
                guard letters.contains(upper) else { return nil }
                read.append(upper)
            }
        }
        guard read.count == typedLetters else { return nil }
        return (
            String(decoding: read.prefix(5), as: UTF8.self),
            String(decoding: read.suffix(5), as: UTF8.self)
        )
    }
}
