import DeskBroker
import DeskEventJSON
import DeskHTTP
import DeskJSON
import DeskMessages
import DeskModel
import DeskStore
import DeskTeam
import DeskWeb

/// Has a macro done to a conversation: everything in one commit, or nothing.
struct MacroRun {
    private let context: RequestContext
    private let conversation: Conversation
    private var services: Services { context.services }

    init(_ context: RequestContext, _ conversation: Conversation) {
        self.context = context
        self.conversation = conversation
    }

    func run(_ macro: Macro, _ values: [UInt8]) async throws(Problem) -> Response {
        let principal = try context.requirePrincipal()
        let actions = try await fill(macro, values, principal)
        var steps: [Write] = []
        var results: [Result] = []
        var seen = conversation
        let isAssigned = actions.contains { if case .assign = $0 { true } else { false } }
        for action in actions {
            let (next, result) = try await step(
                action, principal, assignsAuthor: !isAssigned, seen: &seen)
            steps += next
            results.append(result)
        }
        let (all, id) = (steps, conversation.id)
        let after = try await services.brokering { broker throws(BrokerError) in
            try await broker.perform(all, on: id)
        }
        services.rememberName(of: principal)
        let authorNames = services.authorNames
        try await services.asking { _ throws(StoreError) in try await authorNames.load([after]) }
        return .json(
            JSONWriter.object { text in
                text.member("done") { text in
                    text.array { text in
                        for result in results {
                            text.object {
                                $0.member("result", result.isChange ? "done" : "unchanged")
                                $0.member("message", result.message?.text)
                            }
                        }
                    }
                }
                text.member("conversation") { $0.conversation(after, authorNames) }
            })
    }

    private struct Result {
        let isChange: Bool
        let message: MessageID?
    }

    private func fill(
        _ macro: Macro, _ values: [UInt8], _ principal: Principal
    ) async throws(Problem) -> [TeamAction] {
        let provided = try await TemplateSending(context).provided(
            for: conversation.business, conversation, principal)
        let filled: [UInt8]
        do {
            filled = try macro.form().fill(
                values: values, provided: provided, limitBytes: services.limits.payloadBytes)
        } catch {
            throw Problem(error, under: "")
        }
        guard let list = JSONValue.parsed(filled)?["actions"] else { throw .notFound }
        return try Problem.reading { () throws(TeamActionFault) in try TeamAction.list(list) }
    }

    /// What an action writes: whether it changes what was seen of the conversation, and the message that
    /// it sends.
    private func step(
        _ action: TeamAction, _ principal: Principal, assignsAuthor: Bool,
        seen: inout Conversation
    ) async throws(Problem) -> (steps: [Write], result: Result) {
        let now = services.time.now()
        if let change = try change(of: action, principal) {
            var steps: [Write] = []
            if case .assign(let agent?) = change {
                steps.append(.requireMember(agent, of: conversation.business))
            }
            steps.append(
                .change(
                    ChangeConversation(conversation.id, change, by: principal.author, at: now)))
            return (steps, Result(isChange: seen.take(change) != nil, message: nil))
        }
        if case .send(let name, let values) = action {
            let message = try await message(name, values, principal, assignsAuthor)
            return (
                [.message(NewMessage(message, at: now))],
                Result(isChange: true, message: message.id)
            )
        }
        guard case .note(let text) = action else {
            return ([], Result(isChange: false, message: nil))
        }
        let note = AddNote(
            NoteID(services.broker.makeID()), to: conversation.id, text: text,
            by: principal.author, at: now)
        return ([.note(note)], Result(isChange: true, message: nil))
    }

    /// What an action changes of the conversation; nil for one that writes into it.
    private func change(
        of action: TeamAction, _ principal: Principal
    ) throws(Problem) -> ConversationChange? {
        switch action {
        case .assign(.caller):
            guard case .agent(let agent) = principal else {
                throw Problem(
                    .invalid,
                    "The macro assigns to who runs it, and a program is nobody to assign to.")
            }
            return .assign(agent.agent.id)
        case .assign(.nobody): return .assign(nil)
        case .assign(.agent(let agent)): return .assign(agent)
        case .move(let team): return .move(to: team)
        case .label(let add, let remove): return .label(add: add, remove: remove)
        case .prioritize(let priority): return .prioritize(priority)
        case .enter(.open): return .reopen
        case .enter(.pending): return .pend
        case .enter(.closed): return .close
        case .enter(.snoozed): return .snooze(until: nil)
        case .snooze(let minutes):
            return .snooze(
                until: minutes.map { services.time.now().advanced(by: .seconds($0 * 60)) })
        case .note, .send: return nil
        }
    }

    private func message(
        _ name: TemplateName, _ values: [UInt8], _ principal: Principal, _ assignsAuthor: Bool
    ) async throws(Problem) -> Submission {
        let template = try await services.requireTemplate(
            named: name.text, of: conversation.business, version: nil, for: conversation.customer)
        let sending = TemplateSending(context)
        let filled = try await sending.fill(template, values, conversation, principal)
        let judged = try await sending.judge(filled, template, conversation)
        guard case .message(let kind) = judged.kind else {
            throw Problem(.invalid, "The template \(name.text) is no message.")
        }
        let use = TemplateUse(name: template.name, version: template.version, values: values)
        var submission = Submission(
            conversation: conversation.id, id: judged.id, payload: judged.payload,
            posted: judged.compared(with: filled),
            facts: MessageSending.facts(judged, kind, principal.author, principal.origin, use),
            namesHeldFiles: true)
        submission.assignsAuthor = assignsAuthor
        return submission
    }
}
