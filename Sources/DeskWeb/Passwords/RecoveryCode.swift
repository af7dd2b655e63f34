import DeskBytes
import DeskCrypto
package import DeskModel
import DeskStore

/// A code that stands in for the app of a second factor, once.
///
/// 16 characters of 5 bits: with 80 random bits a plain digest reveals nothing to who reads the
/// store, and checking one costs no turn of the password queue.
package struct RecoveryCode: Sendable {
    private static let bytes = 10
    private static let group = 4
    /// Characters without the hyphens.
    static let length = 16

    /// The code as it is shown, in groups of four.
    package let text: String
    /// What is stored of it.
    package let digest: Digest

    /// Makes a code for an account.
    package static func make(for agent: AgentID) -> RecoveryCode {
        let code = Base32.encode(RandomBytes.make(bytes), alphabet: .unambiguous)
        let letters = Array(code)
        let groups = stride(from: 0, to: letters.count, by: group).map {
            String(letters[$0..<min($0 + group, letters.count)])
        }
        return RecoveryCode(
            text: groups.joined(separator: "-"), digest: digest(of: code, agent))
    }

    /// Those that an account is given at once.
    package static func makeAll(for agent: AgentID) -> [RecoveryCode] {
        (0..<SecondFactor.recoveryCodes).map { _ in make(for: agent) }
    }

    /// Labelled with the account: the same code of another one is another digest.
    static func digest(of code: String, _ agent: AgentID) -> Digest {
        .sha256(Array("frontdesk recovery code\u{0}\(agent.text)\u{0}\(code)".utf8))
    }
}

extension SecondFactorProof {
    /// Reads what a person typed or pasted: digits of an app or a recovery code, with spaces and hyphens
    /// wherever they are; nil for anything else.
    ///
    /// Digits and letters of full width, as a Japanese keyboard writes them, are the same ones, and letters
    /// that a recovery code does not have are the digits that they look like.
    package init?(typed text: String, by agent: AgentID) {
        guard text.utf8.count <= 256 else { return nil }
        var plain: [UInt8] = []
        for scalar in text.unicodeScalars {
            switch scalar {
            case " ", "-", "\t", "\n", "\r", "\u{3000}", "\u{A0}", "\u{2010}"..."\u{2015}",
                "\u{2212}",
                "\u{FF0D}", "\u{30FC}":
                continue
            case "\u{FF01}"..."\u{FF5E}": plain.append(UInt8(scalar.value - 0xFEE0))
            default:
                guard scalar.isASCII else { return nil }
                plain.append(UInt8(scalar.value))
            }
        }
        if plain.count == TOTP.digits, plain.allSatisfy(ASCII.isDigit) {
            self = .code(String(decoding: plain, as: UTF8.self))
            return
        }
        let upper = plain.map(Self.unambiguous)
        guard upper.count == RecoveryCode.length, upper.allSatisfy(ASCII.isAlphanumeric) else {
            return nil
        }
        self = .recovery(
            RecoveryCode.digest(of: String(decoding: upper, as: UTF8.self), agent))
    }

    private static func unambiguous(_ byte: UInt8) -> UInt8 {
        let upper = byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") ? byte - 32 : byte
        return switch upper {
        case UInt8(ascii: "O"): UInt8(ascii: "0")
        case UInt8(ascii: "I"), UInt8(ascii: "L"): UInt8(ascii: "1")
        default: upper
        }
    }
}
