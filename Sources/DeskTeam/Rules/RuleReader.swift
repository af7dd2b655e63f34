package import DeskBroker
import DeskJSON
public import DeskModel
public import DeskStore

/// Carries out the rules of businesses.
///
/// A rule's actions and the note that it acted on the event are one commit, so it acts on an event at most
/// once, however often a batch comes again. Rules are carried out strictly in the order of events and,
/// of one event, in their own: what comes before the last one that acted was judged, and is not judged
/// again after a crash.
public struct RuleReader: LogReader {
    /// Tries to act on a conversation that others change meanwhile; after `quickTries` with a pause before
    /// each, which grows to a tenth of a second: a rule gives up only where others change the conversation
    /// for seconds on end.
    static let tries = 60
    static let quickTries = 5
    /// What is older than this by its own time is not acted on: it came with an archive.
    static let latest = Duration.seconds(86_400)

    let broker: Broker
    let host: any RuleHost
    var store: any Store { broker.store }

    /// Reads rules from a broker's store, and acts through the broker.
    package init(_ broker: Broker, host: any RuleHost) {
        self.broker = broker
        self.host = host
    }

    /// The name of the rules' cursor.
    public static let name = ReaderName("rules")

    /// The name of the rules' cursor.
    public var name: ReaderName { Self.name }

    /// What is long past is not acted on.
    public var beginning: ReaderBeginning { .newest }

    /// Nothing is replaced.
    public var beginningWrites: ReaderWrites { .nothing }

    /// What rules wait for.
    public func wants(_ type: EventType) -> Bool { RuleProgram.waits(for: type) }

    /// Has the rules act on a batch.
    public func apply(_ events: [Event]) async throws(StoreError) -> ReaderWrites {
        let last = try await store.lastRuleActs()
        var known: [BusinessID: [RuleProgram]] = [:]
        var touched: Set<BusinessID> = []
        for event in events {
            if let last, event.id.position < last.event { continue }
            guard event.conversation != nil, !event.isImported else { continue }
            let business = event.business
            if known[business] == nil {
                known[business] = try await store.rules(of: business).filter(\.isOn).compactMap {
                    RuleProgram($0)
                }
            }
            var programs = (known[business] ?? [])[...]
            if let last, event.id.position == last.event,
                let place = programs.lastIndex(where: { last.rules.contains($0.rule.id) })
            {
                programs = programs[(place + 1)...]
                touched.insert(business)
            }
            let waiting = programs.filter { $0.waits(for: event) }
            guard !waiting.isEmpty, isRecent(event) else { continue }
            if try await carryOut(waiting, on: event) { touched.insert(business) }
        }
        return touched.isEmpty ? .nothing : .rules(of: touched)
    }

    private func isRecent(_ event: Event) -> Bool {
        event.time.advanced(by: Self.latest) >= broker.now()
    }

    /// Has rules act on an event, and says whether any did or noted why not.
    private func carryOut(
        _ programs: [RuleProgram], on event: Event
    ) async throws(StoreError) -> Bool {
        guard let id = event.conversation?.id else { return false }
        let mark = event.body.rule
        var hasActed = false
        let hours = try await store.hours(of: event.business)
        for program in programs where mark?.chain.contains(program.rule.id) != true {
            let run = RuleRun(self, program, event, in: id, after: mark, hours: hours)
            if try await run.carryOut() { hasActed = true }
        }
        return hasActed
    }
}
