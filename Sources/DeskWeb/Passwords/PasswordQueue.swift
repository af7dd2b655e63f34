import DeskBytes
public import DeskCrypto
public import DeskModel
import Dispatch
import Synchronization

/// Hashes and checks passwords, two at a time and in the order they came; scrypt needs a quarter
/// second each.
///
/// Limit: 256 more may wait, for 30 seconds each; beyond either the answer is 503.
public final class PasswordQueue: Sendable {
    private struct Waiter {
        let since: ContinuousClock.Instant
        /// Resumed with whether it is the waiter's turn.
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var running = 0
        var waiting: [Waiter] = []
    }

    private let state = Mutex(State())
    private let limits: WebLimits
    private let time: TimeSource
    private let scrypt: Scrypt

    /// Opens a queue; weaker parameters are for tests.
    public init(limits: WebLimits, time: TimeSource = .system, scrypt: Scrypt = .password) {
        self.limits = limits
        self.time = time
        self.scrypt = scrypt
    }

    /// The longest time that a password waits for its turn.
    package var longestWait: Duration { .seconds(limits.passwordWaitSeconds) }

    /// The text to store for a password: parameters, salt and key.
    public func hash(_ password: String) async throws(Problem) -> String {
        try await hash(password, beside: []).text
    }

    /// The text to store for a password of an address that has accounts already, with the place of the
    /// account whose password it is; nil when it is none of theirs.
    ///
    /// All accounts of an address have the salt of its first, so that one derivation finds which
    /// matches.
    package func hash(
        _ password: String, beside accounts: [String], begin: () throws(Problem) -> Void = {}
    ) async throws(Problem) -> (text: String, match: Int?) {
        let parsed = accounts.map { StoredPassword($0) }
        let first = parsed.lazy.compactMap(\.self).first
        let salt = first?.salt ?? RandomBytes.make(16)
        let scrypt = first?.scrypt ?? scrypt
        let key = try await work(begin: begin) { () throws(CryptoError) in
            try scrypt.derive(password: Array(password.utf8), salt: salt)
        }
        let text = [
            "scrypt", String(scrypt.cost), String(scrypt.blockSize), String(scrypt.parallelism),
            Base64.encode(salt, alphabet: .url), Base64.encode(key, alphabet: .url),
        ].joined(separator: "$")
        var match: Int?
        for (place, one) in parsed.enumerated() {
            guard let one, one.salt == salt, one.scrypt == scrypt else { continue }
            if constantTimeEquals(key, one.key), match == nil { match = place }
        }
        return (text, match)
    }

    /// Whether a password is the one a stored text was made of; an unreadable text fits none.
    ///
    /// Without a stored text the same work is done, so that the time does not show who has an
    /// account. `begin` is asked when the work starts; what it throws ends the work.
    public func matches(
        _ password: String, stored: String?, begin: () throws(Problem) -> Void = {}
    ) async throws(Problem) -> Bool {
        try await findMatch(password, among: stored.map { [$0] } ?? [], begin: begin) != nil
    }

    /// The place of the first stored text that a password fits; they are those of one address.
    ///
    /// However many there are, and without any, the same work is done: the time does not show who
    /// has an account.
    package func findMatch(
        _ password: String, among stored: [String], begin: () throws(Problem) -> Void = {}
    ) async throws(Problem) -> Int? {
        try await hash(password, beside: stored, begin: begin).match
    }

    /// Runs some work of this queue's size when it is its turn; refused when too much waits.
    package func work(
        begin: () throws(Problem) -> Void = {},
        _ derive: @escaping @Sendable () throws(CryptoError) -> [UInt8]
    ) async throws(Problem) -> [UInt8] {
        guard await enter() else {
            var problem = Problem(.unavailable, "Too many people sign in at this moment.")
            problem.retryAfterSeconds = 2
            throw problem
        }
        defer { leave() }
        try begin()
        let result: Result<[UInt8], CryptoError> = await withCheckedContinuation { waiter in
            // A serial queue has a thread of its own. A concurrent one's are those of the shared pool, one for each
            // processor: two derivations would leave none to all other tasks.
            DispatchQueue(label: "frontdesk.password").async {
                waiter.resume(returning: Result { () throws(CryptoError) in try derive() })
            }
        }
        do {
            return try result.get()
        } catch {
            throw Problem(.unavailable, "The password cannot be worked on at the moment.")
        }
    }

    // MARK: Turns

    /// Waits for a turn; false when too much waits or the wait was too long.
    private func enter() async -> Bool {
        await withCheckedContinuation { continuation in
            let answer: Bool? = state.withLock { state in
                if state.running < limits.passwordsAtOnce {
                    state.running += 1
                    return true
                }
                guard state.waiting.count < limits.passwordQueue else { return false }
                state.waiting.append(Waiter(since: time.instant(), continuation: continuation))
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    /// Gives the turn on; those whose wait was too long are refused on the way.
    private func leave() {
        let now = time.instant()
        let (late, next): ([Waiter], Waiter?) = state.withLock { state in
            let isLate = { (waiter: Waiter) in waiter.since.duration(to: now) > self.longestWait }
            let late = Array(state.waiting.prefix(while: isLate))
            state.waiting.removeFirst(late.count)
            guard !state.waiting.isEmpty else {
                state.running -= 1
                return (late, nil)
            }
            return (late, state.waiting.removeFirst())
        }
        for waiter in late { waiter.continuation.resume(returning: false) }
        next?.continuation.resume(returning: true)
    }
}

/// A parsed stored password.
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
