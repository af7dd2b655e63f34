import DeskBroker
import DeskEventJSON
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds the messages of a conversation that are to be sent later.
    public mutating func addDelayed(limits: APILimits) {
        let path = "/api/conversations/{conversation}/scheduled"
        add(
            .get, path, operation: "listScheduled", permission: .readConversations,
            business: .conversation, query: .known(PageParameters.names)
        ) { context async throws(Problem) in try await DelayedRoutes(context).list() }
        add(
            .delete, path + "/{message}", operation: "withdrawScheduled",
            permission: .sendMessages, business: .conversation, rate: .write, goesOnWhenFull: true
        ) { context async throws(Problem) in try await DelayedRoutes(context).withdraw() }
    }
}

/// Answers the routes of `addDelayed`.
struct DelayedRoutes {
    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func list() async throws(Problem) -> Response {
        let conversation = try context.requireConversation()
        let authorNames = services.authorNames
        let found = try await services.asking { store throws(StoreError) in
            let found = try await store.dueWork(.send, in: conversation.id)
            try await authorNames.load(found.map(\.author))
            return found
        }
        let page = try context.page(of: found) { $0.name.subject }
        return .json(
            JSONWriter.object { text in
                text.list(page) { $0.scheduled($1, authorNames) }
            })
    }

    func withdraw() async throws(Problem) -> Response {
        let conversation = try context.requireConversation()
        let principal = try context.requirePrincipal()
        guard let id = context.request.parameters["message"].flatMap({ MessageID($0) }) else {
            throw .notFound
        }
        let found = try await services.asking { store throws(StoreError) in
            try await store.findDueWork(
                DueWork.Name(.send, in: conversation.id, on: id.text))
        }
        guard let found else { throw .notFound }
        guard try await mayWithdraw(found, principal) else {
            throw Problem(.forbidden, "Only its author withdraws a message.")
        }
        try await services.brokering { broker throws(BrokerError) in
            try await broker.withdraw(found, data: found.eventData())
        }
        services.rememberName(of: try context.requirePrincipal())
        var text = JSONWriter()
        text.scheduled(found, services.authorNames)
        return .json(text.bytes)
    }

    /// Its author may, and a person also what a program scheduled, or a member who may not send any more.
    private func mayWithdraw(
        _ work: DueWork, _ principal: Principal
    ) async throws(Problem) -> Bool {
        if work.author == principal.author { return true }
        guard case .agent = principal else { return false }
        if case .key = work.author { return true }
        return try await !services.maySend(work.author, in: work.business)
    }
}

extension DueWork {
    /// What an event says of a message that is to be sent: names, and nothing of its content.
    func eventData(refusedAs failure: Failure? = nil) -> [UInt8] {
        JSONWriter.object { text in
            text.member("by") {
                $0.object {
                    $0.member("type", author.kind)
                    $0.member("id", author.name)
                }
            }
            text.member("message", name.subject)
            text.member("dueAt", dueAt)
            if let failure { text.member("code", failure.code) }
        }
    }
}

extension JSONWriter {
    /// Writes a message that is to be sent later.
    mutating func scheduled(_ work: DueWork, _ authorNames: AuthorNames) {
        let message = DelayedMessage(work.data)
        object { text in
            text.member("id", work.name.subject)
            text.member("conversation", work.name.conversation.text)
            text.member("author") { $0.author(work.author, authorNames) }
            text.member("madeAt", work.madeAt)
            text.member("dueAt", work.dueAt)
            text.member("kind", message?.kind.rawValue)
            text.member("summary", message?.summary)
            text.member("payload", raw: message?.posted ?? Array("null".utf8))
            text.member("metadata") { $0.metadata(message?.metadata ?? Metadata()) }
            text.member("failure") { text in
                guard let failure = work.failure else { return text.null() }
                text.object {
                    $0.member("code", failure.code)
                    $0.member("detail", failure.detail)
                }
            }
        }
    }
}
