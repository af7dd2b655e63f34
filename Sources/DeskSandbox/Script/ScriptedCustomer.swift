public import DeskAPI
import DeskBroker
import DeskBytes
import DeskLog
import DeskMessages
public import DeskModel
import DeskStore
public import DeskWeb

/// The customer who waits in the sandbox business from the first start on, and answers by a script.
///
/// It goes through the same checks as a phone does.
public struct ScriptedCustomer: Sendable {
    /// The one customer of this sort; the name spells it out in base64.
    static let customer = CustomerID(
        CustomerID.prefix + Base64.encode(Array("the scripted customer".utf8)))

    /// How long it seems to write.
    private static let writing = Duration.milliseconds(900)
    private static let author = Author.script("scripted-customer")

    private let services: Services
    private let business: Business

    /// Plays customers of the sandbox's business.
    public init(services: Services, business: Business) {
        self.services = services
        self.business = business
    }

    /// Writes first, unless that happened in an earlier run.
    public func begin() async throws(Problem) {
        guard let id = Self.customer, try await findConversation() == nil else { return }
        let posted = PostedText(
            id: services.broker.makeMessageID(), text: Script.opening, locale: "en_US")
        _ = try await end.begin(
            posted, as: Customer(id: id, name: "Robin (scripted)"),
            ConversationID(services.broker.makeID()), session: nil, code: nil)
    }

    /// Answers until the task is cancelled.
    public func run() async {
        while !Task.isCancelled {
            do {
                guard let conversation = try await findConversation() else { return }
                try await follow(conversation.id)
            } catch {
                services.log.warning("script_paused", ["code": .text(error.code.rawValue)])
            }
            // Only cancellation ends a sleep early, and the loop sees it.
            try? await services.time.sleep(.seconds(1))  // Safe: the loop asks for cancellation.
        }
    }

    private var end: CustomerSide {
        CustomerSide(services: services, business: business, author: Self.author, origin: .script)
    }

    private func findConversation() async throws(Problem) -> Conversation? {
        guard let customer = Self.customer else { return nil }
        return try await services.asking { store throws(StoreError) in
            try await store.findConversation(of: customer, with: business.id)
        }
    }

    private func follow(_ conversation: ConversationID) async throws(Problem) {
        let reader = services.broker.events(after: nil, in: .conversation(conversation))
        while true {
            let item = try await services.asking { _ throws(StoreError) in
                try await reader.next()
            }
            switch item {
            case .event(let shared):
                guard case .message(let message) = shared.event.body,
                    message.facts.direction == .outbound
                else { continue }
                try await answer(message, in: conversation)
            case .signal, .live, .reset: continue
            case .cutOff, nil: return
            }
        }
    }

    private func answer(
        _ message: StoredMessage, in conversation: ConversationID
    ) async throws(Problem) {
        let (whole, thread) = try await services.asking { store throws(StoreError) in
            let whole = try await store.findMessage(message.id, in: conversation)
            let page = try await store.messages(in: conversation, .newest, limit: 300)
            return (whole, page.elements)
        }
        let own = thread.filter { $0.facts.origin == .script }
        let said = own.count { $0.facts.kind == .text } - 1
        guard let whole, let state = try await findConversation(),
            let step = Script.step(
                after: whole.facts.kind, payload: whole.payload.carriedBytes ?? [],
                said: max(0, said), written: own.count)
        else { return }
        end.signalTyping(.start, in: conversation)
        // Safe: a sleep cut short is a sleep that the end of the server cut short.
        try? await services.time.sleep(Self.writing)
        end.signalTyping(.end, in: conversation)
        guard !Task.isCancelled else { return }
        let id = services.broker.makeMessageID()
        switch step {
        case .say(let text):
            _ = try await end.say(PostedText(id: id, text: text, locale: "en_US"), in: state)
        case .choose(let choice):
            let posted = PostedChoice(id: id.text, inReplyTo: whole.id.text, choice: choice)
            _ = try await end.choose(posted, posted: Array(id.text.utf8), in: state)
        }
    }
}
