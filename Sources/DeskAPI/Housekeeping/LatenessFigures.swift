import DeskLog
import DeskModel
import DeskStore
import DeskWeb
import Synchronization

/// What the metrics say of work that was due at a moment and is not done, whichever process is to do it.
///
/// Every process reads it from the store, so that it is seen where the one that holds the lease stands still, and where
/// none holds it. Each reading is two rows of an index.
public final class LatenessFigures: Sendable {
    /// Time between two readings of the store.
    static let pause = Duration.seconds(15)

    /// How late the oldest work was when it was looked for.
    private struct Figures {
        var work = Duration.zero
        var bots = Duration.zero
    }

    private let services: Services
    private let figures = Mutex(Figures())

    /// Shows 0 until the first reading.
    public init(services: Services) {
        self.services = services
        func show(_ lease: String, _ read: @escaping @Sendable (Figures) -> Duration) {
            services.metrics.reading(
                "frontdesk_due_late_seconds",
                help: """
                    For how long the oldest work that is due has waited for the process with the lease.
                    """,
                labels: ["lease": lease]
            ) { [weak self] in
                let late = self.map { read($0.figures.withLock { $0 }) } ?? .zero
                return Double(late / .milliseconds(1)) / 1_000
            }
        }
        show(Scheduler.lease) { $0.work }
        show(BotTimer.lease) { $0.bots }
    }

    /// Reads until it is cancelled.
    public func run() async {
        while !Task.isCancelled {
            await read()
            // Sleeping fails when it is cancelled, and then no figures are needed any more.
            do { try await services.time.sleep(Self.pause) } catch { return }
        }
    }

    private func read() async {
        do throws(StoreError) {
            let now = services.time.now()
            let work = try await services.store.nextDueTime()
            let control = try await services.store.overdueControls(until: now, after: nil, limit: 1)
            let found = Figures(
                work: Self.lateness(of: work, at: now),
                bots: Self.lateness(of: control.first?.answerBy, at: now))
            figures.withLock { $0 = found }
        } catch {
            // The earlier figures stay; what is wrong with the store is said by those who need it.
            services.log.debug("lateness_figures_kept", ["code": .text(error.code.rawValue)])
        }
    }

    private static func lateness(of due: Timestamp?, at now: Timestamp) -> Duration {
        due.map { max(.zero, now.since($0)) } ?? .zero
    }
}
