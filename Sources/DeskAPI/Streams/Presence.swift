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
    private let author: Author
    private var services: Services { context.services }
    private let stream: UniqueID
    private let standing = Mutex<[Standing: BusinessID]>([:])

    init(_ context: RequestContext, of principal: Principal) {
        self.context = context
        author = principal.author
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
    }

    /// Publishes a frame; false when it names a conversation without the caller's permission.
    func hear(_ frame: ClientFrame) async -> Bool {
        let said: (kind: Signal.Kind, conversation: ConversationID?, state: Signal.State)
        switch frame {
        case .hello: return false
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

    private func publish(_ spot: Standing, _ business: BusinessID, _ state: Signal.State) {
        let signal = Signal(
            kind: spot.kind, business: business, conversation: spot.conversation,
            who: author, state: state)
        switch spot.kind {
        case .typing, .draft: services.broker.signal(signal)
        case .presence: services.broker.signal(signal, by: stream)
        }
    }
}
