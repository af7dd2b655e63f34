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
        var caller: AgentID?
        if case .agent(let agent) = principal { caller = agent.agent.id }
        guard caller != nil || !actions.contains(.assign(.caller)) else {
            throw Problem(
                .invalid,
                "The macro assigns to who runs it, and a program is nobody to assign to.")
        }
        let isAssigned = actions.contains { if case .assign = $0 { true } else { false } }
        let plan = try await ActionPlan(
            actions, for: conversation, by: principal.author, caller: caller,
            handling: services.handlingRoles, at: services.time.now(),
            makeID: { services.broker.makeID() }
        ) { name, values throws(Problem) in
            try await message(name, values, principal, assignsAuthor: !isAssigned)
        }
        let (steps, id) = (plan.steps, conversation.id)
        let after = try await services.brokering { broker throws(BrokerError) in
            try await broker.perform(steps, on: id)
        }
        let undo = plan.canBeUndone ? ConversationUndo(from: conversation, to: after) : nil
        services.rememberName(of: principal)
        let authorNames = services.authorNames
        try await services.asking { _ throws(StoreError) in try await authorNames.load([after]) }
        return .json(
            JSONWriter.object { text in
                text.member("done") { text in
                    text.array { text in
                        for result in plan.results {
                            text.object {
                                $0.member("result", result.isChange ? "done" : "unchanged")
                                $0.member("message", result.message?.text)
                            }
                        }
                    }
                }
                text.member("conversation") { $0.conversation(after, authorNames) }
                text.member("undo") { text in
                    guard let undo else { return text.null() }
                    undo.write(to: &text)
                }
            })
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

    private func message(
        _ name: TemplateName, _ values: [UInt8], _ principal: Principal, assignsAuthor: Bool
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
