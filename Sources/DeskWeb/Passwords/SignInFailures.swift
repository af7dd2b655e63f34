package import DeskHTTP
public import DeskLog
public import DeskModel
import Synchronization

/// Counts sign-ins that failed or were refused, and has the log say from where: no flood fills a disk.
///
/// The first of a network leaves a line at once. Further ones are counted for a minute, and then a line
/// says how many there were.
/// Limit: two lines a minute for each of 100 networks; further networks share one line a minute.
public final class SignInFailures: Sendable {
    /// How long further failures of a network are counted before the next line.
    static let window = Duration.seconds(60)
    /// Most networks that have lines of their own in a minute.
    static let mostNetworks = 100

    /// What a network has failed since its last line.
    private struct Tally {
        /// The address that came first; none for the networks beyond the limit.
        let address: String?
        let begin: ContinuousClock.Instant
        var failed = 0
        var refused = 0

        init(address: String? = nil, begin: ContinuousClock.Instant) {
            self.address = address
            self.begin = begin
        }

        mutating func count(isRefused: Bool) {
            if isRefused { refused += 1 } else { failed += 1 }
        }

        func write(to log: Log) {
            log.info(
                "sign_in_failed",
                [
                    "address": .text(address ?? "others"), "failed": .number(failed),
                    "refused": .number(refused),
                ])
        }
    }

    private struct State {
        var tallies: [ClientNetwork: Tally] = [:]
        var others: Tally?
    }

    private let state = Mutex(State())
    private let log: Log
    private let time: TimeSource
    private let failed: Counter
    private let refused: Counter

    /// Begins without failures; both counts are shown from the start.
    public init(log: Log, time: TimeSource, metrics: Metrics) {
        self.log = log
        self.time = time
        failed = metrics.counter(
            "frontdesk_sign_ins_failed_total", help: "Sign-ins with a wrong password or code.")
        refused = metrics.counter(
            "frontdesk_sign_ins_refused_total",
            help: "Sign-ins refused because of those that failed before.")
    }

    /// Notes a sign-in with a wrong address, password or code; `log` names the request.
    ///
    /// Returns whether a line was written of it: what more is to be said fills the log no faster then.
    @discardableResult
    package func noteFailure(from peer: Peer, in log: Log) -> Bool {
        failed.add()
        return note(from: peer, isRefused: false, in: log)
    }

    /// Notes a sign-in that was refused before its password was looked at.
    package func noteRefusal(from peer: Peer, in log: Log) {
        refused.add()
        _ = note(from: peer, isRefused: true, in: log)
    }

    /// Has what was counted in minutes that have passed be said, until it is cancelled.
    public func run() async {
        while !Task.isCancelled {
            // Sleeping fails when it is cancelled; what was counted until then is said below.
            do { try await time.sleep(Self.window) } catch { break }
            report(endedBefore: time.instant())
        }
        report(endedBefore: nil)
    }

    private func note(from peer: Peer, isRefused: Bool, in log: Log) -> Bool {
        let now = time.instant()
        report(endedBefore: now)
        let network = peer.network
        let first: Tally? = state.withLock { state in
            if var known = state.tallies[network] {
                known.count(isRefused: isRefused)
                state.tallies[network] = known
                return nil
            }
            guard state.tallies.count < Self.mostNetworks else {
                var others = state.others ?? Tally(begin: now)
                others.count(isRefused: isRefused)
                state.others = others
                return nil
            }
            var first = Tally(address: peer.address, begin: now)
            state.tallies[network] = first
            first.count(isRefused: isRefused)
            return first
        }
        first?.write(to: log)
        return first != nil
    }

    /// Writes lines for what was counted in minutes that have passed; without a time, for all.
    private func report(endedBefore now: ContinuousClock.Instant?) {
        let ended = state.withLock { state in
            func hasEnded(_ tally: Tally) -> Bool {
                now.map { tally.begin.duration(to: $0) >= Self.window } ?? true
            }
            var ended = state.tallies.values.filter(hasEnded)
            state.tallies = state.tallies.filter { !hasEnded($0.value) }
            if let others = state.others, hasEnded(others) {
                ended.append(others)
                state.others = nil
            }
            return ended
        }
        for tally in ended where tally.failed + tally.refused > 0 { tally.write(to: log) }
    }
}
