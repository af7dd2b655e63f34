import DeskBroker
import DeskEventJSON
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb

/// Answers the routes of `addBots` about who controls a conversation.
struct ControlRoutes {
    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func get() async throws(Problem) -> Response {
        try await answer(try context.requireConversation())
    }

    func change() async throws(Problem) -> Response {
        let conversation = try context.requireConversation()
        let author = try context.requirePrincipal().author
        var fields = try Fields(try await context.jsonBytes())
        _ = fields.requireValue("action")
        let action = fields.word("action", ChangeControl.Action.self)
        let target = controller(&fields)
        let reason = fields.word("reason", among: [ControlReason.passed, .error]) { $0.rawValue }
        let summary = fields.text("summary", bytes: 1...Control.maximumSummaryBytes)
        let metadata = metadata(&fields)
        try fields.finish()
        guard let action else { throw .notFound }
        let permitted = services.handlingRoles
        do throws(Problem) {
            _ = try await services.brokering { broker throws(BrokerError) in
                try await broker.control(
                    conversation.id, action, to: target, isFailure: reason == .error,
                    metadata: metadata, summary: summary, permitted: permitted, by: author)
            }
        } catch {
            guard error.code != .invalid else {
                throw Problem(
                    .invalid,
                    "The business has no bot, or to names a bot that cannot be reached, a retired team, "
                        + "or a person who handles no conversations there.")
            }
            throw try await services.showingControl(of: conversation, in: error)
        }
        if case .agent(let agent) = try context.requirePrincipal() {
            services.authorNames.remember(agent.agent)
        }
        return try await answer(conversation)
    }

    private func answer(_ conversation: Conversation) async throws(Problem) -> Response {
        .json(try await services.controlText(of: conversation))
    }

    /// To whom it goes; nil for people.
    private func controller(_ fields: inout Fields) -> Controller? {
        guard let value = fields.value("to"), !value.isNull else { return nil }
        if value.kind == .object, value.members.count == 2, let kind = value["type"]?.string,
            let name = value["id"]?.string, let controller = Controller(kind: kind, name: name)
        {
            return controller
        }
        fields.note(
            .value, value, "null for people, or an object with type (bot, team, agent) and id",
            "Take the id from the bots, teams or members of the business.")
        return nil
    }

    private func metadata(_ fields: inout Fields) -> [UInt8]? {
        guard let value = fields.value("metadata"), !value.isNull else { return nil }
        guard value.kind == .object, value.rawBytes.count <= Control.maximumMetadataBytes else {
            fields.note(
                .value, value, "an object of at most \(Control.maximumMetadataBytes) bytes",
                "Leave what is larger in a system of your own, and its id here.")
            return nil
        }
        return value.count == 0 ? [] : Array(value.rawBytes)
    }
}

extension Services {
    /// Goes on unless the caller is a bot that has no control of a conversation: its signals are refused as its
    /// messages are.
    ///
    /// - Throws: `not_in_control`, with who has control.
    func requireControl(
        of conversation: Conversation, _ principal: Principal
    ) async throws(Problem) {
        guard case .key(let key) = principal.author else { return }
        let hasControl = try await asking { store throws(StoreError) in
            guard let bot = try await store.findBot(with: key, of: conversation.business) else {
                return true
            }
            return try await store.findControl(of: conversation.id)?.controller == .bot(bot.id)
        }
        guard !hasControl else { return }
        throw try await showingControl(of: conversation, in: Problem(Refusal.notInControl))
    }

    /// The refusal of a bot that has no control, with who has it; any other as it is.
    func showingControl(
        of conversation: Conversation, in problem: Problem
    ) async throws(Problem) -> Problem {
        guard problem.code == .notInControl else { return problem }
        var problem = problem
        problem.current = try await controlText(of: conversation)
        return problem
    }

    /// Who controls a conversation, as a JSON object's text.
    func controlText(of conversation: Conversation) async throws(Problem) -> [UInt8] {
        let names = authorNames
        let business = conversation.business
        let (control, bots, teams) = try await asking { store throws(StoreError) in
            let control = try await store.findControl(of: conversation.id)
            for case .agent(let id)? in [control?.controller, control?.offer] {
                try await names.load([.agent(id)])
            }
            return (
                control, try await store.bots(of: business), try await store.teams(of: business)
            )
        }
        func name(_ controller: Controller) -> String? {
            switch controller {
            case .bot(let id): bots.first { $0.id == id }?.name
            case .team(let id): teams.first { $0.id == id }?.name
            case .agent(let id): names.name(of: id)
            }
        }
        return JSONWriter.object { text in
            text.controller("controller", control?.controller, name)
            text.member("since", control?.since)
            text.controller("offer", control?.offer, name)
            text.member("answerBy", control?.answerBy)
            text.member("metadata") { text in
                guard let metadata = control?.metadata, !metadata.isEmpty else {
                    return text.null()
                }
                text.raw(metadata)
            }
        }
    }
}

extension JSONWriter {
    /// Writes a bot, with when its program asked for something last.
    mutating func bot(_ bot: Bot, lastRequest: Timestamp?) {
        object { text in
            text.member("id", bot.id.text)
            text.member("business", bot.business.text)
            text.member("name", bot.name)
            text.member("key", bot.key.text)
            text.member("webhook", bot.webhook?.text)
            text.member("answerSeconds", bot.answerSeconds)
            text.member("first", bot.isFirst)
            text.member("intents") { text in
                text.array { text in for intent in bot.intents { text.string(intent) } }
            }
            text.member("retired", bot.isRetired)
            text.member("lastRequestAt", lastRequest)
        }
    }

    /// Writes who controls, with the name that people call them; null for people.
    fileprivate mutating func controller(
        _ member: StaticString, _ controller: Controller?, _ name: (Controller) -> String?
    ) {
        self.member(member) { text in
            guard let controller else { return text.null() }
            text.object { text in
                text.member("type", controller.kind)
                text.member("id", controller.name)
                text.member("name", name(controller))
            }
        }
    }
}
