import DeskAPI
import DeskBroker
import DeskHTTP
import DeskMessages
import DeskModel
import DeskStore
import DeskWeb

/// The phone of an invited number: the sandbox plays it, since the number has no owner.
struct InvitedPhone {
    private enum Word: String, CaseIterable {
        case accept, decline
    }

    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    /// Accepts an invitation, or declines it by leaving (protocol page 3.12).
    func answer() async throws(Problem) -> Response {
        let conversation = try context.requireConversation()
        var fields = try Fields(try await context.jsonBytes())
        let name = fields.requireText("message", bytes: 1...MessageID.maximumBytes)
        let word = fields.word("answer", Word.self)
        if word == nil { fields.note("answer", "accept or decline", "Say which of the two.") }
        try fields.finish()
        let business = try await services.requireBusiness(conversation.business)
        guard business.mode == .test, let name, let id = MessageID(name), let word else {
            throw Problem.nothingOffered
        }
        try await requireOpen(id, in: conversation)
        let author = Author.customer(device: "invited")
        switch word {
        case .accept:
            let end = CustomerSide(
                services: services, business: business, author: author, origin: .sandbox)
            let choice = PostedChoice(
                id: services.broker.makeMessageID().text, inReplyTo: id.text,
                choice: .invitation(identifier: "yes"))
            _ = try await end.choose(choice, posted: Array(choice.id.utf8), in: conversation)
        case .decline:
            _ = try await services.brokering { broker throws(BrokerError) in
                try await broker.change(conversation.id, .leave, by: author)
            }
        }
        return Response(status: .noContent)
    }

    /// An invitation is answered once.
    private func requireOpen(
        _ id: MessageID, in conversation: Conversation
    ) async throws(Problem) {
        let (found, page) = try await services.asking { store throws(StoreError) in
            (
                try await store.findMessage(id, in: conversation.id),
                try await store.messages(in: conversation.id, .newest, limit: 300)
            )
        }
        guard let found, found.facts.direction == .outbound, found.facts.kind == .invitation,
            !conversation.hasLeft,
            !page.elements.contains(where: { $0.facts.inReplyTo == id })
        else { throw Problem.nothingOffered }
    }
}
