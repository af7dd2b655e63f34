import DeskBroker
import DeskEventJSON
import DeskHTTP
import DeskJSON
import DeskMessages
import DeskModel
import DeskStore
import DeskWeb

/// Answers the routes that fill a template: one looks, one sends.
struct TemplateSending {
    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func preview() async throws(Problem) -> Response {
        let principal = try context.requirePrincipal()
        var fields = try Fields(try await context.jsonBytes())
        let business = fields.requireBusiness(in: context)
        let values = fields.values()
        let version = fields.number("version", 1...1_000_000)
        let name = fields.text("conversation")
        try fields.finish()
        guard let business else { throw .notFound }
        var conversation: Conversation?
        if let name {
            let found = try await context.requireConversation(named: name)
            guard found.business == business else { throw .notFound }
            conversation = found
        }
        let template = try await services.requireTemplate(
            named: context.request.parameters["name"], of: business, version: version,
            for: conversation?.customer)
        let filled = try await fill(template, values, conversation, principal)
        let judged = try await judge(filled, template, conversation)
        return .json(
            JSONWriter.object(capacity: filled.count + 512) { text in
                text.member("payload", raw: filled)
                text.member(
                    "findings", raw: judged.warnings.isEmpty ? [0x5B, 0x5D] : judged.warnings)
                text.member("kind", judged.kind.word)
            })
    }

    func send() async throws(Problem) -> Response {
        let principal = try context.requirePrincipal()
        let conversation = try context.requireConversation()
        let body = try await context.jsonBytes()
        var fields = try Fields(body)
        let name = fields.requireText("template", bytes: 1...TemplateName.maximumBytes)
        let version = fields.number("version", 1...1_000_000)
        let values = fields.values()
        let id = fields.messageID()
        let metadata = fields.metadata()
        try fields.finish()
        let sending = MessageSending(context)
        if let first = try await sending.repeated(body: body, to: conversation, as: principal) {
            return first
        }
        let template = try await services.requireTemplate(
            named: name, of: conversation.business, version: version, for: conversation.customer)
        let filled = try await fill(template, values, conversation, principal)
        let judged = try await judge(filled, template, conversation, id: id)
        // The message's commit gives the conversation what the template brought along.
        return try await sending.send(
            judged, posted: filled, body: body, to: conversation, as: principal,
            template: TemplateUse(
                name: template.name, version: template.version, values: values),
            metadata: metadata)
    }

    /// Judges a filled template for a conversation, or for the business alone.
    func judge(
        _ filled: [UInt8], _ template: Template, _ conversation: Conversation?,
        id: MessageID? = nil
    ) async throws(Problem) -> JudgedPayload {
        var holders: [AttachmentHolder] = [.business(template.business)]
        if let conversation { holders.append(.conversation(conversation.id)) }
        return try await PayloadJudge(services: services).judge(
            filled, for: conversation, of: template.business, profile: .strict, id: id,
            holders: holders)
    }

    /// The payload with its gaps filled: by what was given, else by what the server knows.
    func fill(
        _ template: Template, _ values: [UInt8], _ conversation: Conversation?,
        _ principal: Principal
    ) async throws(Problem) -> [UInt8] {
        let provided = try await provided(for: template.business, conversation, principal)
        do {
            return try TemplateForm(payload: template.payload, parameters: template.parameters)
                .fill(
                    values: values, provided: provided, limitBytes: services.limits.payloadBytes)
        } catch {
            throw Problem(error)
        }
    }

    /// What the server knows of the names that a template may use without declaring them.
    func provided(
        for business: BusinessID, _ conversation: Conversation?, _ principal: Principal
    ) async throws(Problem) -> [String: String] {
        services.rememberName(of: principal)
        var provided: [String: String] = [
            "business.name": try await services.requireBusiness(business).name
        ]
        provided["customer.name"] = conversation?.contactName ?? conversation?.customer.name
        provided["customer.locale"] = conversation?.customer.locale
        provided["agent.name"] = services.authorNames.name(of: principal.author)
        return provided
    }
}

extension Fields {
    /// The values for a template as a JSON object's text; none given is none needed.
    mutating func values() -> [UInt8] {
        guard let value = value("values"), !value.isNull else { return Array("{}".utf8) }
        guard value.kind == .object else {
            note(.type, value, "an object of values by name", "Send values as a JSON object.")
            return Array("{}".utf8)
        }
        return Array(value.rawBytes)
    }
}
