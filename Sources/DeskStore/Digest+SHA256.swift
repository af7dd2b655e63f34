import DeskCrypto
public import DeskModel

extension Digest {
    /// The SHA-256 of some bytes.
    public static func sha256(_ bytes: [UInt8]) -> Digest {
        guard let digest = Digest(bytes: SHA256.digest(bytes)) else {
            preconditionFailure("SHA-256 gave another length than 32 bytes")
        }
        return digest
    }
}
