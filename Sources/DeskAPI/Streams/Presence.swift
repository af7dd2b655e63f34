import DeskBroker
import DeskModel
import DeskStore
import DeskWeb
import Synchronization

/// The signals of one page: passed on, kept while its stream lives, and withdrawn when that ends.
final class Presence: Sendable {
    private struct Standing: Hashable {
        let kind: Signal.Kind
        let conversation: ConversationID
    }

    /// Most conversations that one page may look at or write in.
    private static let most = 128

    private let context: RequestContext
    private let principal: Principal
    private var author: Author { principal.author }
    private var services: Services { context.services }
    private let stream: UniqueID
    private let standing = Mutex<[Standing: BusinessID]>([:])
    /// The businesses where the page's agent is there through it.
    private let open = Mutex<Set<BusinessID>>([])

    init(_ context: RequestContext, of principal: Principal) {
        self.context = context
        self.principal = principal
        stream = context.services.broker.makeID()
    }

    deinit { end() }

    /// Ends the presence and typing of a page that has gone.
    func end() {
        let said = standing.withLock { standing in
            defer { standing = [:] }
            return standing
        }
        for (standing, business) in said {
            publish(standing, business, standing.kind == .typing ? .end : .idle)
        }
        let left = open.withLock { open in
            defer { open = [] }
            return open
        }
        publish(.offline, in: left)
    }

    /// Lets the page's agent be there, as the agent chose it; a key's page changes nothing.
    ///
    /// Who only reads the conversations of a business is not there for its customers.
    func begin() async throws(Problem) {
        guard case .agent(let agent) = author else { return }
        let chosen = try await services.asking { store throws(StoreError) in
            try await store.availability(of: agent)
        }
        let businesses = context.businesses.filter { handles(in: $0) }
        open.withLock { $0 = businesses }
        // First: until it is known what the agent chose, others see nothing of the page.
        for business in businesses { services.broker.signal(chosen, in: business) }
        publish(.online, in: businesses)
    }

    /// Publishes a frame; false when it names a conversation without the caller's permission.
    func hear(_ frame: ClientFrame) async -> Bool {
        let said: (kind: Signal.Kind, conversation: ConversationID?, state: Signal.State)
        switch frame {
        case .hello: return false
        case .availability(let state):
            publish(state, in: open.withLock { $0 })
            return true
        case .typing(let conversation, let state): said = (.typing, conversation, state)
        case .presence(let conversation, let state): said = (.presence, conversation, state)
        }
        guard let id = said.conversation else { return false }
        let found: Conversation?
        do {
            found = try await services.conversations.findConversation(id)
        } catch {
            // A signal may be lost; a failure of the store does not close the page's stream.
            return true
        }
        guard let found, context.isPermitted(in: found.business) else { return false }
        // Who only reads shows nothing of it.
        guard handles(in: found.business) else { return true }
        let spot = Standing(kind: said.kind, conversation: id)
        let isOver = said.state == .end || said.state == .idle
        let mayPublish = standing.withLock { standing in
            if isOver { return standing.removeValue(forKey: spot) != nil }
            guard standing[spot] != nil || standing.count < Self.most else { return false }
            standing[spot] = found.business
            return true
        }
        if mayPublish { publish(spot, found.business, said.state) }
        return true
    }

    /// Whether the caller may answer or handle conversations of a business.
    private func handles(in business: BusinessID) -> Bool {
        services.handles(principal, in: business)
    }

    private func publish(_ spot: Standing, _ business: BusinessID, _ state: Signal.State) {
        let signal = Signal(
            kind: spot.kind, business: business, conversation: spot.conversation,
            who: author, state: state)
        switch spot.kind {
        case .typing, .read, .draft, .preferences, .view, .rule, .approval:
            services.broker.signal(signal)
        case .presence, .availability, .choice: services.broker.signal(signal, by: stream)
        }
    }

    private func publish(_ state: Signal.State, in businesses: Set<BusinessID>) {
        guard case .agent(let agent) = author else { return }
        for business in businesses {
            services.broker.signal(.page(of: agent, in: business, state), by: stream)
        }
    }
}
