import DeskMessages
import DeskModel
import DeskStore
import DeskWeb

extension Services {
    /// A message that the server sends by itself: a template, filled and judged as one that an agent sends, and marked
    /// as sent by a program.
    ///
    /// - Parameter id: its id; nil for one of its own.
    func unattendedMessage(
        _ name: TemplateName, values: [UInt8] = Array("{}".utf8), to conversation: Conversation,
        by author: Author, id: MessageID? = nil
    ) async throws(Problem) -> Submission {
        let business = try await requireBusiness(conversation.business)
        let found = try await asking { store throws(StoreError) in
            try await store.findTemplate(name, of: conversation.business, version: nil)
        }
        guard found != nil else { throw Problem(.invalid, "There is no template \(name.text).") }
        let template = try await requireTemplate(
            named: name.text, of: conversation.business, version: nil, for: conversation.customer)
        let filled = try fillUnattended(
            template, values: values, of: business, for: conversation)
        return try await unattendedMessage(
            filled, to: conversation, by: author, id: id,
            template: TemplateUse(
                name: template.name, version: template.version, values: values))
    }

    /// A message that the server sends by itself, judged as one that an agent sends.
    func unattendedMessage(
        _ payload: [UInt8], to conversation: Conversation, by author: Author, id: MessageID?,
        template: TemplateUse? = nil
    ) async throws(Problem) -> Submission {
        let judged = try await PayloadJudge(services: self).judge(
            payload, for: conversation, of: conversation.business, profile: .strict, id: id,
            holders: [.business(conversation.business), .conversation(conversation.id)])
        guard case .message(let kind) = judged.kind else {
            let name = template.map { "The template \($0.name.text)" } ?? "What is to be sent"
            throw Problem(.invalid, "\(name) is no message.")
        }
        var facts = MessageSending.facts(judged, kind, author, .server, template)
        facts.headers = [MessageFacts.automatic]
        return Submission(
            conversation: conversation.id, id: judged.id, payload: judged.payload,
            posted: judged.compared(with: payload), facts: facts, namesHeldFiles: true)
    }

    /// A template's payload without values from an agent: the name of the contact or customer, and the language, may be
    /// unknown.
    func fillUnattended(
        _ template: Template, values: [UInt8] = Array("{}".utf8), of business: Business,
        for conversation: Conversation?
    ) throws(Problem) -> [UInt8] {
        var provided = ["business.name": business.name]
        provided["customer.name"] = conversation?.contactName ?? conversation?.customer.name
        provided["customer.locale"] = conversation?.customer.locale
        do {
            return try TemplateForm(payload: template.payload, parameters: template.parameters)
                .fill(values: values, provided: provided, limitBytes: limits.payloadBytes)
        } catch {
            throw Problem(error)
        }
    }
}
