import DeskLog
public import DeskModel
import DeskStore
import Synchronization

/// What keys were used for lately, of this process, until it is stored.
///
/// Answers wait for no write: what was noted in the last seconds before a crash is lost. It is for
/// people who look for a fault in their program, and no record of changes; that is the audit.
final class KeyRequestLog: Sendable {
    /// Time between two rounds in which what was noted is stored.
    static let pause = Duration.seconds(5)
    /// Most keys whose requests wait; of further ones nothing is noted until the next round.
    static let mostKeys = 1_000

    private let store: any KeyRegistry
    private let waiting = Mutex<[KeyID: [KeyRequest]]>([:])

    init(store: any KeyRegistry) { self.store = store }

    /// The keys of which requests wait.
    var count: Int { waiting.withLock { $0.count } }

    /// Notes a request; of each key the newest are held, as many as are kept.
    func note(_ request: KeyRequest, of key: KeyID) {
        waiting.withLock { waiting in
            guard waiting.count < Self.mostKeys || waiting[key] != nil else { return }
            // Dropped in halves, so that a busy key moves few of them.
            if let count = waiting[key]?.count, count >= 2 * KeyRequest.kept {
                waiting[key]?.removeFirst(KeyRequest.kept)
            }
            waiting[key, default: []].append(request)
        }
    }

    /// Stores what waits; what cannot be stored is given up.
    func flush() async throws(StoreError) {
        let taken = waiting.withLock { waiting in
            defer { waiting = [:] }
            return waiting
        }
        guard !taken.isEmpty else { return }
        try await store.note(taken.mapValues { Array($0.suffix(KeyRequest.kept)) })
    }

    /// Stores what waits, round after round, and once more when it is cancelled.
    func run(time: TimeSource, log: Log) async {
        repeat {
            // Safe: the loop asks for cancellation.
            try? await time.sleep(Self.pause)
            do {
                try await flush()
            } catch {
                log.debug("key_requests_lost", ["reason": .text("\(error)")])
            }
        } while !Task.isCancelled
    }
}

extension Services {
    /// Remembers for a while what a key's request came to.
    public func note(_ request: KeyRequest, of key: KeyID) { keyRequests.note(request, of: key) }

    /// Stores what keys were used for, until it is cancelled.
    public func keepKeyRequests() async { await keyRequests.run(time: time, log: log) }
}
