import DeskBroker
import DeskHTTP
import DeskLinks
import DeskLog
import DeskModel
import DeskStore
import DeskWeb

/// Answers the route that erases the content of one message.
struct ErasingRoute {
    private let context: RequestContext

    init(_ context: RequestContext) { self.context = context }

    /// The tombstone; the same where the message is one already.
    func erase() async throws(Problem) -> Response {
        let conversation = try context.requireConversation()
        let author = try context.requirePrincipal().author
        guard let id = context.request.parameters["message"].flatMap({ MessageID($0) }) else {
            throw .notFound
        }
        try await context.requireNoHold(on: [conversation.id], of: conversation.business)
        try await context.requireApproval(of: .eraseMessage, in: [conversation.business])
        let replies = context.services.links.replies(of: [id], in: conversation.business)
        let isErased = try await context.services.brokering { broker throws(BrokerError) in
            try await broker.erase(id, in: conversation.id, by: author, objects: replies)
        }
        if isErased {
            context.log.info("message_erased", ["conversation": .text(conversation.id.text)])
        }
        return try await ThreadRoutes(context).get()
    }
}
