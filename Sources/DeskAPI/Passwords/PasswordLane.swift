import DeskBytes
public import DeskCrypto
import Dispatch
import Synchronization

/// Hashes and checks passwords, two at a time on a lane of its own; scrypt takes a quarter second each.
///
/// Limit: 16 more may wait; beyond that the answer is 503.
public final class PasswordLane: Sendable {
    private let queues: [DispatchQueue]
    /// How many are at work or wait, for each queue.
    private let taken: Mutex<[Int]>
    private let most: Int
    private let scrypt: Scrypt

    /// Opens a lane; weaker parameters are for tests.
    public init(limits: APILimits, scrypt: Scrypt = .password) {
        queues = (0..<limits.passwordsAtOnce).map {
            DispatchQueue(label: "frontdesk.passwords.\($0)")
        }
        taken = Mutex(Array(repeating: 0, count: limits.passwordsAtOnce))
        most = limits.passwordsAtOnce + limits.passwordQueue
        self.scrypt = scrypt
    }

    /// The text to store for a password: parameters, salt and key.
    public func hash(_ password: String) async throws(Problem) -> String {
        let salt = RandomBytes.make(16)
        let scrypt = scrypt
        let key = try await work { () throws(CryptoError) in
            try scrypt.derive(password: Array(password.utf8), salt: salt)
        }
        return [
            "scrypt", String(scrypt.cost), String(scrypt.blockSize), String(scrypt.parallelism),
            Base64.encode(salt, alphabet: .url), Base64.encode(key, alphabet: .url),
        ].joined(separator: "$")
    }

    /// Whether a password is the one a stored text was made of; an unreadable text fits none.
    ///
    /// Without a stored text the same work is done, so that time tells nothing of who has an account.
    public func matches(_ password: String, stored: String?) async throws(Problem) -> Bool {
        let parsed = stored.flatMap { StoredPassword($0) }
        let salt = parsed?.salt ?? [UInt8](repeating: 0, count: 16)
        let scrypt = parsed?.scrypt ?? scrypt
        let key = try await work { () throws(CryptoError) in
            try scrypt.derive(password: Array(password.utf8), salt: salt)
        }
        guard let parsed else { return false }
        return constantTimeEquals(key, parsed.key)
    }

    /// Runs some work of this lane's size when it is its turn; refused when too much waits.
    func work(
        _ derive: @escaping @Sendable () throws(CryptoError) -> [UInt8]
    ) async throws(Problem) -> [UInt8] {
        let queue: Int? = taken.withLock { taken in
            guard taken.reduce(0, +) < most, let least = taken.min(),
                let queue = taken.firstIndex(of: least)
            else { return nil }
            taken[queue] += 1
            return queue
        }
        guard let queue else {
            var problem = Problem(.unavailable, "Too many people sign in at this moment.")
            problem.retryAfterSeconds = 2
            throw problem
        }
        defer { taken.withLock { $0[queue] -= 1 } }
        let result: Result<[UInt8], CryptoError> = await withCheckedContinuation { waiter in
            queues[queue].async {
                waiter.resume(returning: Result { () throws(CryptoError) in try derive() })
            }
        }
        do {
            return try result.get()
        } catch {
            throw Problem(.unavailable, "The password cannot be worked on at the moment.")
        }
    }
}

/// A stored password, taken apart.
private struct StoredPassword {
    let scrypt: Scrypt
    let salt: [UInt8]
    let key: [UInt8]

    init?(_ text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0] == "scrypt", let cost = UInt64(parts[1]),
            let blockSize = UInt64(parts[2]), let parallelism = UInt64(parts[3]),
            let salt = Base64.decode(String(parts[4]), alphabet: .url),
            let key = Base64.decode(String(parts[5]), alphabet: .url), !key.isEmpty
        else { return nil }
        scrypt = Scrypt(cost: cost, blockSize: blockSize, parallelism: parallelism)
        self.salt = salt
        self.key = key
    }
}
