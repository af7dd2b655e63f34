import DeskLog
import DeskModel
import DeskStore
import Synchronization

/// What the metrics say of each business: its open conversations, and its longest wait.
///
/// Limit: 100 businesses, the oldest; read at most once in 15 s, and only while the metrics are read.
public final class BusinessFigures: Sendable {
    /// Time between two readings of the store.
    static let pause = Duration.seconds(15)
    /// Most businesses that have figures.
    static let mostBusinesses = 100

    private struct Figure {
        var open = 0
        /// Since when the customer waits who waits longest.
        var since: Timestamp?
    }

    private struct State {
        /// Whether the metrics were read since the store was.
        var wasAsked = true
        var figures: [BusinessID: Figure] = [:]
    }

    private let services: Services
    private let state = Mutex(State())

    /// Reads nothing yet.
    public init(services: Services) { self.services = services }

    /// Reads the store while the metrics are read, until it is cancelled.
    public func run() async {
        while !Task.isCancelled {
            if takeAsked() { await read() }
            // Sleeping fails when it is cancelled, and then no figures are needed any more.
            do { try await services.time.sleep(Self.pause) } catch { return }
        }
    }

    private func takeAsked() -> Bool {
        state.withLock { state in
            defer { state.wasAsked = state.figures.isEmpty }
            return state.wasAsked
        }
    }

    private func read() async {
        do throws(StoreError) {
            let businesses = try await services.store.businesses().map(\.id)
            for business in businesses.prefix(Self.mostBusinesses) {
                guard !Task.isCancelled else { return }
                let filter = ConversationFilter(businesses: [business], states: [.open])
                // From kept counts and an index; where bots have conversations all who wait are looked at.
                let open = try await services.store.countConversations(filter, mineOf: nil).all
                let since = try await services.store.waitingConversations(filter).since
                let isNew = state.withLock { state in
                    state.figures.updateValue(Figure(open: open, since: since), forKey: business)
                        == nil
                }
                if isNew { show(business) }
            }
        } catch {
            // The earlier figures stay; what is wrong with the store is said by those who need it.
            // Asked for again, since without figures no reading of the metrics can ask.
            state.withLock { $0.wasAsked = true }
            services.log.debug("business_figures_kept", ["code": .text(error.code.rawValue)])
        }
    }

    private func show(_ business: BusinessID) {
        services.metrics.reading(
            "frontdesk_conversations_open", help: "Open conversations of a business.",
            labels: ["business": business.text]
        ) { Double(self.figure(of: business).open) }
        let now = services.time.now
        services.metrics.reading(
            "frontdesk_longest_wait_seconds",
            help: "For how long the customer of a business has waited longest for people.",
            labels: ["business": business.text]
        ) {
            self.figure(of: business).since.map { since in
                Double(max(0, now().milliseconds - since.milliseconds)) / 1_000
            } ?? 0
        }
    }

    /// The figures as read last; that they are asked for is noted.
    private func figure(of business: BusinessID) -> Figure {
        state.withLock { state in
            state.wasAsked = true
            return state.figures[business] ?? Figure()
        }
    }
}
