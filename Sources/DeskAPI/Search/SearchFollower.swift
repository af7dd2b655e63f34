import DeskBroker
import DeskLog
import DeskModel
public import DeskStore
import DeskWeb

/// Reads the log into the search index for as long as the server runs and holds the index's lease.
///
/// An index has one writer, whichever process it is in; the others search what that one indexed.
/// It asks whether there is news instead of listening, so that accepting a message has nothing to
/// do with it. While messages come fast it pauses and leaves the processor to them: search trails
/// then, says so, and catches up when they come slower or when it is too far behind.
public struct SearchFollower: Sendable {
    /// Time between two looks at the log when nothing is left to read or it pauses.
    static let rest = Duration.milliseconds(100)
    /// Time after a failure.
    static let pause = Duration.seconds(5)

    /// The lease of the process that writes the index.
    static let lease = "search"

    private let services: Services
    private let index: any SearchIndex
    private var schedule: IndexSchedule

    /// Follows the services' store.
    public init(services: Services, index: any SearchIndex) {
        self.services = services
        self.index = index
        schedule = IndexSchedule(
            newest: services.store.newest, at: services.time.instant(),
            busyEvents: IndexSchedule.busyForSearch)
    }

    /// Reads whenever this process holds the lease, until it is cancelled.
    public func run() async {
        await LeaseHolder(of: services.store, named: Self.lease).run { _ in await follow() }
    }

    /// Reads until it is cancelled.
    private func follow() async {
        var follower = self
        while !Task.isCancelled {
            let rest = await follower.step()
            if rest == .zero { continue }
            do { try await services.time.sleep(rest) } catch { return }
        }
    }

    /// Indexes one batch or pauses; returns how long to wait after it.
    mutating func step() async -> Duration {
        // The last room on the disk is for messages that were not acknowledged yet.
        guard !services.disk.isFull else { return Self.pause }
        let step = schedule.next(
            newest: services.store.newest, indexed: index.indexed, at: services.time.instant())
        guard step != .standBack else { return Self.rest }
        do throws(StoreError) {
            let advance = try await index.advance(isUrgent: step == .urgent)
            if advance.isAnew { services.log.warning("search_rebuilt") }
            for position in advance.damaged {
                services.log.error("search_skipped", ["position": .number(Int(position.value))])
            }
            return advance.mayGoOn ? .zero : Self.rest
        } catch {
            switch error.code {
            case .closed: break
            case .damaged, .refused:
                services.log.warning("search_damaged", ["detail": .text(error.detail)])
            case .busy, .full, .failed, .unknown, .unavailable, .keyMissing, .tooNew, .overloaded,
                .superseded:
                services.log.error("search_failed", ["code": .text(error.code.rawValue)])
            }
            return Self.pause
        }
    }
}
