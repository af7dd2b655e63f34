import DeskBroker
import DeskHTTP
import DeskModel
import DeskStore
import DeskWeb

extension RouteTable {
    /// Adds the participants of a conversation, and those who follow it.
    mutating func addParticipants() {
        let path = "/api/conversations/{conversation}"
        add(
            .put, path + "/participants/{agent}", operation: "addParticipant",
            permission: .handleConversations, business: .conversation, rate: .write
        ) { context async throws(Problem) in try await ParticipantRoutes(context).add() }
        add(
            .delete, path + "/participants/{agent}", operation: "removeParticipant",
            permission: .handleConversations, business: .conversation, rate: .write
        ) { context async throws(Problem) in try await ParticipantRoutes(context).remove() }
        add(
            .put, path + "/watch", operation: "watchConversation",
            permission: .watchConversations, business: .conversation, rate: .write
        ) { context async throws(Problem) in try await ParticipantRoutes(context).watch(true) }
        add(
            .delete, path + "/watch", operation: "unwatchConversation",
            permission: .watchConversations, business: .conversation, rate: .write
        ) { context async throws(Problem) in try await ParticipantRoutes(context).watch(false) }
    }
}

/// Answers the routes of `addParticipants`.
struct ParticipantRoutes {
    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func add() async throws(Problem) -> Response {
        let business = try context.requireConversation().business
        let agent = try agent()
        return try await change(
            .participate(add: [agent], remove: []),
            [.requireMember(agent, of: business, in: services.handlingRoles)])
    }

    func remove() async throws(Problem) -> Response {
        try await change(.participate(add: [], remove: [try agent()]))
    }

    func watch(_ watches: Bool) async throws(Problem) -> Response {
        try await change(.watch(try context.requireAgent().agent.id, watches))
    }

    private func agent() throws(Problem) -> AgentID {
        guard let id = context.request.parameters["agent"].flatMap({ AgentID($0) }) else {
            throw .notFound
        }
        return id
    }

    private func change(
        _ change: ConversationChange, _ demands: [Write] = []
    ) async throws(Problem) -> Response {
        let id = try context.requireConversation().id
        let author = try context.requirePrincipal().author
        let changed = try await services.brokering { broker throws(BrokerError) in
            try await broker.change(id, [change], by: author, if: .always, demanding: demands)
        }
        return try await ConversationRoutes(context).answer(changed)
    }
}
