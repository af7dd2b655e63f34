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
        for event in events {
            // What was erased is not posted from memory.
            if event.type == .messageErased { state.withLock { $0 = State() } }
            let isKnown = state.withLock { $0.known[event.id.position] != nil }
            guard !isKnown else { continue }
            try await authorNames.load(event)
            let posted = Posted(
                id: event.id.text, full: EventText.business(event, authorNames),
                thin: EventText.thin(event))
            state.withLock { Self.keep(posted, at: event.id.position, in: &$0) }
        }
    }

    /// The text of an event of a business; nil when the log has it no more.
    func find(
        _ position: Position, of business: BusinessID
    ) async throws(StoreError) -> Posted? {
        if let known = state.withLock({ $0.known[position] }) { return known }
        // Those behind it are likely to be posted next.
        let page = try await store.events(
            after: Position(position.value - 1), in: .businesses([business]), limit: Self.page)
        try await remember(page.events)
        return state.withLock { $0.known[position] }
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
