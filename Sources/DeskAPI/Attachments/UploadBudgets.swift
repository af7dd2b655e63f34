import DeskBroker
import DeskHTTP
import DeskModel
import Synchronization

/// The bytes that may be uploaded in an hour: by a customer, by all customers of an address, by a
/// member.
///
/// The address is counted beside the customer, because a visitor without a cookie is a new
/// customer. A file counts 256 KiB at least: a small one uses a name and a block of the disk too.
final class UploadBudgets: Sendable {
    /// What a file counts at least, in bytes.
    static let leastBytes: Int64 = 256 * 1_024

    /// Whose bytes are counted together.
    private enum Payer: Hashable {
        case customer(ConversationID)
        case network(ClientNetwork)
        case member(RateSubject)

        static func all(_ principal: Principal, _ peer: Peer) -> [Payer] {
            switch principal {
            case .customer(let phone): [.customer(phone.conversation), .network(peer.network)]
            case .agent, .key, .sandbox: [.member(RateSubject(principal, peer: peer))]
            }
        }
    }

    private struct State {
        var customers: RateLimiter<Payer>
        var networks: RateLimiter<Payer>
        var members: RateLimiter<Payer>

        subscript(payer: Payer) -> RateLimiter<Payer> {
            get {
                switch payer {
                case .customer: customers
                case .network: networks
                case .member: members
                }
            }
            _modify {
                switch payer {
                case .customer: yield &customers
                case .network: yield &networks
                case .member: yield &members
                }
            }
        }
    }

    private let time: TimeSource
    private let state: Mutex<State>

    init(limits: APILimits, time: TimeSource) {
        self.time = time
        func limiter(_ bytesPerHour: Int) -> RateLimiter<Payer> {
            let bytes = Double(bytesPerHour)
            return RateLimiter(Rate(perSecond: bytes / 3_600, burst: bytes))
        }
        state = Mutex(
            State(
                customers: limiter(limits.customerUploadBytesPerHour),
                networks: limiter(limits.addressUploadBytesPerHour),
                members: limiter(limits.memberUploadBytesPerHour)))
    }

    /// Removes the coming bytes from all budgets that they count against, or from none.
    ///
    /// - Throws: `rate_limited` when one of them does not hold it.
    func take(_ bytes: Int64, by principal: Principal, from peer: Peer) throws(Problem) {
        let now = time.instant()
        let count = Self.counted(bytes)
        let wait: Duration? = state.withLock { state in
            var taken: [Payer] = []
            for payer in Payer.all(principal, peer) {
                let verdict = state[payer].take(count, by: payer, at: now)
                guard verdict.isAllowed else {
                    for payer in taken { state[payer].giveBack(count, to: payer, at: now) }
                    return verdict.retryAfter
                }
                taken.append(payer)
            }
            return nil
        }
        guard let wait else { return }
        var problem = Problem(.rateLimited, "The files of one hour are too large together.")
        problem.retryAfterSeconds = wait.wholeSeconds
        throw problem
    }

    /// Returns what was removed for more bytes than came; zero when the file is not kept.
    func settle(
        _ bytes: Int64, of coming: Int64, by principal: Principal, from peer: Peer
    ) {
        let now = time.instant()
        let rest = Self.counted(coming) - (bytes == 0 ? 0 : Self.counted(bytes))
        guard rest > 0 else { return }
        state.withLock { state in
            for payer in Payer.all(principal, peer) {
                state[payer].giveBack(rest, to: payer, at: now)
            }
        }
    }

    private static func counted(_ bytes: Int64) -> Double { Double(max(bytes, leastBytes)) }
}
