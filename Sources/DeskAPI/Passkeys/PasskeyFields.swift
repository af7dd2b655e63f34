import DeskBytes
import DeskCrypto
import DeskJSON
import DeskModel
import DeskWeb

/// What browsers send of passkeys, with the names that the standard gives it (Web Authentication, section 5.1.8).
///
/// Binary members are base64url without padding.
enum PasskeyFields {
    /// A passkey that was made.
    struct Addition {
        let id, clientData, authenticatorData, publicKey: [UInt8]
        let algorithm: Int64

        init?(_ fields: inout Fields) {
            let id = fields.requireBinary("id", Passkey.credentialBytes)
            let client = fields.requireBinary("clientDataJSON", 2...PasskeyClientData.mostBytes)
            let data = fields.requireBinary("authenticatorData", 37...AuthenticatorData.mostBytes)
            let key = fields.requireBinary("publicKey", 16...AuthenticatorSignature.mostKeyBytes)
            if fields.requireValue("publicKeyAlgorithm")?.isNull == true {
                fields.note("publicKeyAlgorithm", "-7, -8 or -257", "Send the number of COSE.")
            }
            let algorithm = fields.number("publicKeyAlgorithm", -65_536...65_535)
            guard let id, let client, let data, let key, let algorithm else { return nil }
            (self.id, clientData, authenticatorData, publicKey) = (id, client, data, key)
            self.algorithm = Int64(algorithm)
        }
    }

    /// A passkey that signs its person in.
    struct SignIn {
        let id, clientData, authenticatorData, signature: [UInt8]
        /// The account that it was made for.
        let userHandle: [UInt8]

        init?(_ fields: inout Fields) {
            let id = fields.requireBinary("id", Passkey.credentialBytes)
            let client = fields.requireBinary("clientDataJSON", 2...PasskeyClientData.mostBytes)
            let data = fields.requireBinary("authenticatorData", 37...AuthenticatorData.mostBytes)
            let signature = fields.requireBinary(
                "signature", 8...AuthenticatorSignature.mostSignatureBytes)
            let handle = fields.requireBinary("userHandle", 1...64)
            guard let id, let client, let data, let signature, let handle else { return nil }
            (self.id, clientData, authenticatorData) = (id, client, data)
            (self.signature, userHandle) = (signature, handle)
        }
    }
}

extension Fields {
    /// Bytes that must be there, in base64url.
    fileprivate mutating func requireBinary(_ name: String, _ bounds: ClosedRange<Int>) -> [UInt8]?
    {
        func letters(_ bytes: Int) -> Int { (bytes * 4 + 2) / 3 }
        let range = letters(bounds.lowerBound)...letters(bounds.upperBound)
        guard let text = requireText(name, bytes: range) else { return nil }
        guard let bytes = Base64.decode(text, alphabet: .url) else {
            note(
                name, "base64url without padding", "Encode \(name) as RFC 4648, section 5, has it.")
            return nil
        }
        return bytes
    }
}

extension JSONWriter {
    /// Writes a passkey as its person sees it.
    mutating func passkey(_ passkey: Passkey) {
        object { text in
            text.member("id", passkey.id.text)
            text.member("name", passkey.name)
            text.member("host", passkey.host)
            text.member("createdAt", passkey.createdAt)
            text.member("usedAt", passkey.usedAt)
        }
    }

    /// Writes the members of `PublicKeyCredentialCreationOptionsJSON`.
    mutating func creationOptions(
        _ challenge: [UInt8], at site: PasskeySite, for agent: Agent, beside known: [Passkey]
    ) {
        member("rp") { text in
            text.object {
                $0.member("id", site.host)
                $0.member("name", "Frontdesk")
            }
        }
        member("user") { text in
            text.object {
                $0.member("id", Base64.encode(agent.id.handle, alphabet: .url))
                $0.member("name", agent.email)
                $0.member("displayName", agent.name)
            }
        }
        member("challenge", Base64.encode(challenge, alphabet: .url))
        member("pubKeyCredParams") { text in
            text.array { text in
                for algorithm in AuthenticatorSignature.Algorithm.allCases {
                    text.object {
                        $0.member("type", "public-key")
                        $0.member("alg", Int(algorithm.rawValue))
                    }
                }
            }
        }
        member("timeout", PasskeyChallenges.milliseconds)
        member("excludeCredentials") { text in
            text.array { text in
                for passkey in known where passkey.host.utf8.elementsEqual(site.host.utf8) {
                    text.object {
                        $0.member("type", "public-key")
                        $0.member("id", Base64.encode(passkey.credential, alphabet: .url))
                    }
                }
            }
        }
        member("authenticatorSelection") { text in
            text.object {
                $0.member("residentKey", "required")
                $0.member("requireResidentKey", true)
                $0.member("userVerification", "required")
            }
        }
        // Which maker's device it is decides nothing here.
        member("attestation", "none")
    }
}

extension PasskeyChallenges {
    /// The life of a challenge, as browsers are given it.
    static var milliseconds: Int { Int(life.components.seconds) * 1_000 }
}

extension AgentID {
    /// What authenticators know an account by: its 16 bytes, which say nothing of the person.
    var handle: [UInt8] { value.bytes }
}
