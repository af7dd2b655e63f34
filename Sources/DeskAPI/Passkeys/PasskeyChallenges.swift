import DeskBytes
import DeskCrypto
import DeskModel
import DeskStore
import DeskWeb

/// Makes and judges what passkeys sign: nothing is kept of a challenge until it is answered, so that asking for many
/// fills nothing, and any node judges what another made.
struct PasskeyChallenges: Sendable {
    /// How long a person may need.
    static let life = Duration.seconds(300)

    /// What a challenge is made for; one is no answer for another.
    enum Purpose: Hashable, Sendable {
        /// Signing in.
        case signIn
        /// Adding a passkey, in this session.
        case addition(session: Digest)
    }

    private static let label = Array("frontdesk passkey challenge 1".utf8)
    private static let (timeBytes, randomBytes) = (8, 16)

    private let key: [UInt8]

    /// - Parameter key: 32 bytes that every node knows.
    init(key: [UInt8]) { self.key = key }

    /// A new one, of 56 bytes.
    func make(for purpose: Purpose, at now: Timestamp) -> [UInt8] {
        let expires = UInt64(clamping: now.advanced(by: Self.life).milliseconds)
        let head =
            (0..<Self.timeBytes).map { UInt8(truncatingIfNeeded: expires >> UInt64(56 - 8 * $0)) }
            + RandomBytes.make(Self.randomBytes)
        return head + code(of: head, purpose)
    }

    /// Until when a challenge of ours lives; nil for one of others, for another purpose, and for one that has expired.
    func expiry(
        of challenge: [UInt8], for purpose: Purpose, at now: Timestamp
    ) -> Timestamp? {
        let length = Self.timeBytes + Self.randomBytes
        guard challenge.count == length + SHA256.byteCount else { return nil }
        let head = Array(challenge.prefix(length))
        guard constantTimeEquals(Array(challenge.dropFirst(length)), code(of: head, purpose)) else {
            return nil
        }
        let milliseconds = head.prefix(Self.timeBytes).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        let expires = Timestamp(milliseconds: Int64(clamping: milliseconds))
        return now < expires ? expires : nil
    }

    /// The hash by which it is noted that a challenge was answered.
    static func digest(of challenge: [UInt8]) -> Digest { .sha256(label + challenge) }

    private func code(of head: [UInt8], _ purpose: Purpose) -> [UInt8] {
        let use: [UInt8] =
            switch purpose {
            case .signIn: [0]
            case .addition(let session): [1] + session.bytes
            }
        return HMACSHA256.code(for: Self.label + head + use, key: key)
    }
}
