import DeskEventJSON
import DeskModel
import DeskStore
import Synchronization

/// The texts of events that are posted, so that fifty endpoints read and write an event once.
final class EventTexts: Sendable {
    /// An event as it is posted.
    struct Posted: Sendable {
        let id: String
        let full: [UInt8]
        let thin: [UInt8]
    }

    private struct State {
        var known: [Position: Posted] = [:]
        var order: [Position] = []
        var byteCount = 0
        /// How often all was forgotten: what was read before is not remembered.
        var forgotten = 0
    }

    /// Most bytes that are remembered; beyond it the older half is forgotten.
    private static let mostBytes = 16 * 1_048_576
    /// Most events that are read at once.
    private static let page = 50

    private let store: any Store
    private let authorNames: AuthorNames
    private let state = Mutex(State())

    init(store: any Store, authorNames: AuthorNames) {
        self.store = store
        self.authorNames = authorNames
    }

    /// Remembers events that are to be posted soon.
    func remember(_ events: [Event]) async throws(StoreError) {
        _ = try await texts(of: events, readAfter: state.withLock { $0.forgotten })
    }

    /// Whether an event's text is remembered.
    func remembers(_ position: Position) -> Bool { state.withLock { $0.known[position] != nil } }

    /// Forgets all texts: one of them may carry what was erased.
    func forget() {
        state.withLock { state in state = State(forgotten: state.forgotten + 1) }
    }

    /// The text of an event of a business; nil when the log has it no more.
    func find(
        _ position: Position, of business: BusinessID
    ) async throws(StoreError) -> Posted? {
        let (known, forgotten) = state.withLock { ($0.known[position], $0.forgotten) }
        if let known { return known }
        // The row of a delivery may be damaged: no event is there.
        guard position > .start else { return nil }
        // Those behind it are likely to be posted next.
        let page = try await store.events(
            after: Position(position.value - 1), in: .businesses([business]), limit: Self.page)
        return try await texts(of: page.events, readAfter: forgotten)[position]
    }

    /// The texts of events, which are remembered unless all was forgotten since they were read.
    private func texts(
        of events: [Event], readAfter forgotten: Int
    ) async throws(StoreError) -> [Position: Posted] {
        var texts: [Position: Posted] = [:]
        for event in events {
            let position = event.id.position
            if let known = state.withLock({ $0.known[position] }) {
                texts[position] = known
                continue
            }
            try await authorNames.load(event)
            let posted = Posted(
                id: event.id.text, full: EventText.business(event, authorNames),
                thin: EventText.thin(event))
            texts[position] = posted
            state.withLock { state in
                if state.forgotten == forgotten { Self.keep(posted, at: position, in: &state) }
            }
        }
        return texts
    }

    private static func keep(_ posted: Posted, at position: Position, in state: inout State) {
        guard state.known.updateValue(posted, forKey: position) == nil else { return }
        state.order.append(position)
        state.byteCount += posted.full.count + posted.thin.count
        guard state.byteCount > mostBytes else { return }
        for old in state.order.prefix(state.order.count / 2) {
            guard let gone = state.known.removeValue(forKey: old) else { continue }
            state.byteCount -= gone.full.count + gone.thin.count
        }
        state.order.removeFirst(state.order.count / 2)
    }
}
