import DeskBroker
import DeskHTTP
import DeskJSON
import DeskLinks
import DeskMessages
import DeskModel
import DeskStore
import DeskWeb

/// Answers the routes that list and send the message templates of a number at WhatsApp.
struct WhatsAppTemplateRoutes {
    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func list() async throws(Problem) -> Response {
        let link = try await context.requireLink(.whatsapp)
        let list = try await asking { source async throws(WhatsAppTemplateError) in
            try await source.approved(of: link)
        }
        let page = try context.page(of: list.templates) { "\($0.name)/\($0.language)" }
        return .json(
            JSONWriter.object { text in
                text.list(page) { $0.whatsAppTemplate($1) }
                text.member("isComplete", list.isComplete)
            })
    }

    /// Fills a template and stores the message that the customer gets, as text; it is delivered as the template.
    func send() async throws(Problem) -> Response {
        let principal = try context.requirePrincipal()
        let conversation = try context.requireConversation()
        let body = try await context.jsonBytes()
        var fields = try Fields(body)
        let name = fields.requireText("name", bytes: 1...WhatsAppTemplate.maximumNameBytes)
        let language = fields.requireText(
            "language", bytes: 1...WhatsAppTemplate.maximumLanguageBytes)
        let values = fields.value("values")
        let id = fields.messageID()
        let metadata = fields.metadata()
        try fields.finish()
        guard let name, let language else { throw .notFound }
        let sending = MessageSending(context)
        if let first = try await sending.repeated(body: body, to: conversation, as: principal) {
            return first
        }
        if let id,
            let message = try await services.asking({ store throws(StoreError) in
                try await store.findMessage(id, in: conversation.id)
            }),
            Self.isSent(message, name, language, values)
        {
            // WhatsApp may accept the template no longer: this message is stored and stays what it is.
            try await services.asking { store throws(StoreError) in try await store.confirmReads() }
            return sending.answer(Acceptance(message: message, isRepeat: true))
        }
        let link = try await requireLink(of: conversation)
        let template = try await requireTemplate(name, language, of: link)
        let stated = try Self.values(values, for: template)
        let payload: JSON = ["type": "text", "body": .string(template.text(stated))]
        let bytes = payload.bytes()
        let judged = try await PayloadJudge(services: services).judge(
            bytes, for: conversation, of: conversation.business, profile: .strict, id: id,
            holders: [.conversation(conversation.id)])
        return try await sending.send(
            judged, posted: bytes, body: body, to: conversation, as: principal,
            whatsAppTemplate: template.json(stated).text(), metadata: metadata)
    }

    /// Whether a stored message is a template that was sent with the same values.
    private static func isSent(
        _ message: StoredMessage, _ name: String, _ language: String, _ values: JSONValue?
    ) -> Bool {
        guard let kept = message.facts.whatsAppTemplate,
            let template = JSONValue.parsed(Array(kept.utf8)),
            let sent = SentWhatsAppTemplate(template)
        else { return false }
        let stated = values?.members.compactMap { member in
            member.value.string.map { (member.key, $0) }
        }
        return sent.name == name && sent.language == language
            && (stated?.count ?? 0) == (values?.members.count ?? 0)
            && sent.values
                == Dictionary(stated ?? [], uniquingKeysWith: { first, _ in first })
    }

    /// The number over which the customer is reached.
    private func requireLink(of conversation: Conversation) async throws(Problem) -> GatewayLink {
        let bound = try await services.asking { store throws(StoreError) in
            try await store.findUpstream(of: conversation.id)
        }
        guard let link = services.links.find(.whatsapp, of: conversation.business),
            services.links.reaches(conversation, boundTo: bound, over: link)
        else {
            throw Problem(
                .whatsAppUnusable,
                "The customer of this conversation is not reached over WhatsApp.")
        }
        return link
    }

    private func requireTemplate(
        _ name: String, _ language: String, of link: GatewayLink
    ) async throws(Problem) -> WhatsAppTemplate {
        let found = try await asking { source async throws(WhatsAppTemplateError) in
            try await source.find(name, language, of: link)
        }
        guard let found else {
            throw Problem(
                .whatsAppTemplateRefused,
                "The account has no template of this name in this language any more.")
        }
        guard found.status.utf8.elementsEqual(WhatsAppTemplate.approved.utf8) else {
            let status = found.status.prefix(32).filter { $0.isASCII && $0.isLetter || $0 == "_" }
            throw Problem(
                .whatsAppTemplateRefused,
                "WhatsApp does not accept this template now: its status is \(status).")
        }
        guard found.isFillable else {
            throw Problem(
                .whatsAppTemplateRefused,
                "The template needs more than texts, codes and addresses: send it with WhatsApp's own tools."
            )
        }
        return found
    }

    /// The values by the keys of the parameters: each that is needed, and no other.
    private static func values(
        _ stated: JSONValue?, for template: WhatsAppTemplate
    ) throws(Problem) -> [String: String] {
        guard let stated, !stated.isNull else {
            guard let missing = template.parameters.first else { return [:] }
            throw Problem(
                .invalid,
                "The template has \(template.parameters.count) variables: send them in values, such as "
                    + "\(missing.key).")
        }
        var fields = try Fields(stated)
        var values: [String: String] = [:]
        for parameter in template.parameters {
            guard let value = fields.requireText(parameter.key, bytes: 1...parameter.maximumBytes)
            else { continue }
            if let allowed = parameter.fault(of: value) {
                fields.note(parameter.key, allowed, "Change \(parameter.key).")
            }
            values[parameter.key] = value
        }
        try fields.finish()
        return values
    }

    private func asking<Value>(
        _ ask: (any WhatsAppTemplateSource) async throws(WhatsAppTemplateError) -> Value
    ) async throws(Problem) -> Value {
        guard let source = services.whatsApp else {
            throw Problem(.whatsAppUnusable, "This installation asks no other servers.")
        }
        do {
            return try await ask(source)
        } catch {
            throw Problem(error.isPassing ? .whatsAppUnavailable : .whatsAppUnusable, error.detail)
        }
    }
}

extension JSONWriter {
    /// Writes a template with what must be given to send it.
    fileprivate mutating func whatsAppTemplate(_ template: WhatsAppTemplate) {
        object { text in
            text.member("name", template.name)
            text.member("language", template.language)
            text.member("category", template.category)
            text.member("header") { text in
                guard let header = template.header else { return text.null() }
                text.object {
                    $0.member("format", header.format)
                    $0.member("text", header.text)
                }
            }
            text.member("body", template.body)
            text.member("footer", template.footer)
            text.member("buttons") { text in
                text.array { text in
                    for button in template.buttons {
                        text.object {
                            $0.member("type", button.type)
                            $0.member("text", button.text)
                            $0.member("value", button.value)
                        }
                    }
                }
            }
            text.member("parameters") { text in
                text.array { text in
                    for parameter in template.parameters {
                        text.object {
                            $0.member("key", parameter.key)
                            $0.member("place", parameter.place.rawValue)
                            $0.member("kind", parameter.kind.rawValue)
                            $0.member("name", parameter.name)
                            $0.member("example", parameter.example)
                            $0.member("maximumBytes", parameter.maximumBytes)
                        }
                    }
                }
            }
            text.member("isFillable", template.isFillable)
        }
    }
}
