import DeskHTTP
import DeskModel
import DeskWeb
import Synchronization

/// The bytes that may be uploaded in an hour: by a customer, by all customers of an address, by a
/// member.
///
/// The address is counted beside the customer, because a visitor without a cookie is a new
/// customer. A file counts 256 KiB at least: a small one uses a name and a block of the disk too.
final class UploadBudgets: Sendable {
    /// What a file counts at least, in bytes.
    static let leastBytes: Int64 = 256 * 1_024

    /// A subject's bytes, and the budget that they are counted in.
    private struct Payer {
        let counter: any RateCounter
        let subject: CounterSubject
    }

    private let time: TimeSource
    private let customers, networks, members: any RateCounter
    /// Held while all budgets of a file are debited, or none.
    private let turn = Mutex(())

    init(limits: APILimits, time: TimeSource, counters: any CounterSource) {
        self.time = time
        func counter(_ name: String, _ bytesPerHour: Int) -> any RateCounter {
            let bytes = Double(bytesPerHour)
            return counters.rate(
                "uploads \(name)", Rate(perSecond: bytes / 3_600, burst: bytes))
        }
        customers = counter("customer", limits.customerUploadBytesPerHour)
        networks = counter("address", limits.addressUploadBytesPerHour)
        members = counter("member", limits.memberUploadBytesPerHour)
    }

    /// Removes the coming bytes from all budgets that they count against, or from none.
    ///
    /// - Throws: `rate_limited` when one of them does not hold it.
    func take(_ bytes: Int64, by principal: Principal, from peer: Peer) throws(Problem) {
        let now = time.instant()
        let count = Self.counted(bytes)
        let wait: Duration? = turn.withLock { _ in
            var taken: [Payer] = []
            for payer in payers(principal, peer) {
                let verdict = payer.counter.take(count, by: payer.subject, at: now)
                guard verdict.isAllowed else {
                    for payer in taken {
                        payer.counter.giveBack(count, to: payer.subject, at: now)
                    }
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
        for payer in payers(principal, peer) {
            payer.counter.giveBack(rest, to: payer.subject, at: now)
        }
    }

    private func payers(_ principal: Principal, _ peer: Peer) -> [Payer] {
        let subject = RateSubject(principal, peer: peer).counted
        return switch principal {
        case .customer:
            [
                Payer(counter: customers, subject: subject),
                Payer(counter: networks, subject: peer.network.counted),
            ]
        case .agent, .key, .sandbox: [Payer(counter: members, subject: subject)]
        }
    }

    private static func counted(_ bytes: Int64) -> Double { Double(max(bytes, leastBytes)) }
}
