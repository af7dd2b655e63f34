import DeskAssistant
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskLog
import DeskMessages
import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds what agents ask the operator's model for.
    ///
    /// Without one each of these answers 404.
    public mutating func addAssistant(limits: APILimits) {
        let path = "/api/conversations/{conversation}/assistant"
        add(
            .post, path + "/draft", operation: "draftReply", permission: .askAssistant,
            business: .conversation, bodyLimit: limits.recordBytes, rate: .write
        ) { context async throws(Problem) in try await AssistantRoutes(context).draft() }
        add(
            .post, path + "/summary", operation: "summarise", permission: .askAssistant,
            business: .conversation, bodyLimit: limits.recordBytes, rate: .write
        ) { context async throws(Problem) in try await AssistantRoutes(context).summarise() }
        add(
            .post, path + "/translation", operation: "translateMessage", permission: .askAssistant,
            business: .conversation, bodyLimit: limits.recordBytes, rate: .write
        ) { context async throws(Problem) in try await AssistantRoutes(context).translate() }
    }
}

/// Answers the routes of `addAssistant`.
struct AssistantRoutes {
    /// Longest wish of an agent in bytes.
    static let maximumInstructionBytes = 2_000
    /// Longest name of a language in bytes, as in `pt-BR`.
    private static let maximumLanguageBytes = 35

    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func draft() async throws(Problem) -> Response {
        var fields = try Fields(try await context.jsonBytes())
        let kind = fields.word("kind", among: Assistant.kinds) { $0.rawValue } ?? .text
        let instruction = fields.text("instruction", bytes: 1...Self.maximumInstructionBytes)
        try fields.finish()
        let (assistant, conversation) = try begin()
        let author = try context.requirePrincipal().author
        let waiting = try await services.asking { store throws(StoreError) in
            try await store.suggestions(in: conversation.id).count
        }
        guard waiting < Suggestion.mostPerConversation else {
            throw Problem(
                .invalid,
                "\(waiting) suggestions wait in this conversation, which is all that may: decide on some "
                    + "first.")
        }
        guard !conversation.hasLeft else { throw Problem(Refusal.customerLeft) }
        let business = try await services.requireBusiness(conversation.business)
        let services = services
        let messages = try await newest(of: conversation)
        let record = try record(conversation)
        let payload: [UInt8]
        do throws(AssistantError) {
            payload = try await assistant.draft(
                kind, instruction, after: Self.lines(messages), of: business.name,
                for: business.id, at: services.time.now(), locale: conversation.customer.locale,
                record: record
            ) { written in try await services.verdict(on: written, of: kind, for: conversation) }
        } catch { throw services.problem(error) }
        let stored: Suggestion
        do throws(Problem) {
            stored = try await services.suggest(
                payload, in: conversation, remark: nil, model: assistant.model,
                quoting: messages.map(\.id), by: author)
        } catch {
            guard error.code == .messageErased else { throw error }
            throw Problem(
                .assistantUnusable,
                "A message that the model had read was erased while it wrote; ask again.")
        }
        return .json(
            JSONWriter.object {
                $0.member("suggestion") { $0.suggestion(stored, services.authorNames) }
            },
            status: .created)
    }

    func summarise() async throws(Problem) -> Response {
        var fields = try Fields(try await context.jsonBytes())
        let language = language(&fields)
        try fields.finish()
        guard let language else { throw .notFound }
        let (assistant, conversation) = try begin()
        let business = try await services.requireBusiness(conversation.business)
        let lines = Self.lines(try await newest(of: conversation))
        let record = try record(conversation)
        let text: String
        do throws(AssistantError) {
            text = try await assistant.summary(
                of: lines, in: language, of: business.name, for: business.id,
                at: services.time.now(), record: record)
        } catch { throw services.problem(error) }
        return answer(text, language, assistant)
    }

    func translate() async throws(Problem) -> Response {
        var fields = try Fields(try await context.jsonBytes())
        let named = fields.requireText("message", bytes: 1...MessageID.maximumBytes)
        let language = language(&fields)
        try fields.finish()
        guard let language, let id = named.flatMap({ MessageID($0) }) else { throw .notFound }
        let (assistant, conversation) = try begin()
        let found = try await services.asking { store throws(StoreError) in
            try await store.findMessage(id, in: conversation.id)
        }
        guard let found, found.erasedAt == nil else { throw .notFound }
        let record = try record(conversation)
        let text: String
        do throws(AssistantError) {
            text = try await assistant.translation(
                of: ReadableText.shared(of: found), to: language, for: conversation.business,
                record: record)
        } catch { throw services.problem(error) }
        return answer(text, language, assistant)
    }

    // MARK: Parts

    /// The model and the conversation; the request may take as long as the model may.
    private func begin() throws(Problem) -> (Assistant, Conversation) {
        guard let assistant = services.assistant else {
            throw Problem(
                .notFound, "No model is set up; --assistant-url of frontdesk serve names one.")
        }
        context.request.peer.allowHandlerTime(.seconds(services.limits.assistantSeconds))
        return (assistant, try context.requireConversation())
    }

    private func language(_ fields: inout Fields) -> String? {
        let language = fields.requireText("language", bytes: 2...Self.maximumLanguageBytes)
        if let language,
            !language.utf8.allSatisfy({
                (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == 0x2D
            })
        {
            fields.note("language", "a language as in en, ja or pt-BR", "Send its tag (BCP 47).")
        }
        return language
    }

    /// The newest messages that have their content.
    private func newest(of conversation: Conversation) async throws(Problem) -> [StoredMessage] {
        let page = try await services.asking { store throws(StoreError) in
            try await store.messages(
                in: conversation.id, .newest, limit: Blanking.mostMessages)
        }
        return page.elements.filter { $0.erasedAt == nil }
    }

    /// What a model may read of messages.
    private static func lines(_ messages: [StoredMessage]) -> [Line] {
        messages.map { message in
            Line(
                message.facts.direction == .inbound ? .customer : .business,
                ReadableText.shared(of: message))
        }
    }

    /// Records each request to the model before it leaves, under the agent who asked.
    private func record(_ conversation: Conversation) throws(Problem) -> Assistant.Record {
        let author = try context.requirePrincipal().author
        let request = services.broker.makeID()
        let broker = services.broker
        return { sending in
            _ = try await broker.append(
                .assistantAsked, of: conversation.business, in: conversation.id,
                data: AskedText.data(sending, request: request, by: author))
        }
    }

    private func answer(_ text: String, _ language: String, _ assistant: Assistant) -> Response {
        .json(
            JSONWriter.object {
                $0.member("text", text)
                $0.member("language", language)
                $0.member("model", assistant.model)
            })
    }
}

/// The data of the event of a request to the model: nothing of what was asked or answered.
private enum AskedText {
    static func data(
        _ sending: Assistant.Sending, request: UniqueID, by author: Author
    ) -> [UInt8] {
        JSONWriter.object { text in
            text.member("request", request)
            text.member("purpose", sending.purpose.rawValue)
            text.member("model", sending.model)
            text.member("round", sending.round)
            text.member("bytes", sending.byteCount)
            text.member("blanked") { text in
                text.object { text in
                    text.member("cards", sending.blanked[.cards] ?? 0)
                    text.member("emails", sending.blanked[.emails] ?? 0)
                    text.member("phones", sending.blanked[.phones] ?? 0)
                }
            }
            text.member("by") { $0.storedAuthor(author) }
        }
    }
}

extension JSONWriter {
    /// Writes an author without a name, for the log.
    fileprivate mutating func storedAuthor(_ author: Author) {
        object { text in
            text.member("type", author.kind)
            text.member("id", author.name)
        }
    }
}

extension Services {
    /// What the rulebook says of a message that a model wrote, once all is fixed that needs no decision; one of another
    /// kind than was asked for is refused.
    func verdict(
        on written: [UInt8], of kind: MessageKind, for conversation: Conversation
    ) async throws(Problem) -> Assistant.Verdict {
        let context = JudgementContext(direction: .outbound, now: time.now())
        let named = ModelMessage.named(written, by: broker.makeID())
        var fixing = Fixing(text: named, judgement: rulebook.judge(named, context))
        fixing.run { rulebook.judge($0, context) }
        do throws(Problem) {
            let judged = try await PayloadJudge(services: self).judge(
                fixing.text, for: conversation, of: conversation.business, profile: .strict,
                holders: [.conversation(conversation.id)])
            guard judged.kind == .message(kind) else {
                return .refused(
                    fixing.text, found: "a message of another kind", allowed: kind.rawValue,
                    fix: "Write a message of the kind \(kind.rawValue), as the schema says.")
            }
            guard fixing.text.count <= Suggestion.maximumPayloadBytes else {
                return .refused(
                    fixing.text, found: "\(fixing.text.count) bytes",
                    allowed: "at most \(Suggestion.maximumPayloadBytes) bytes",
                    fix: "Write a shorter message.")
            }
            return .good(fixing.text)
        } catch {
            guard error.code == .invalid || error.code == .malformedJSON else { throw error }
            let findings = JSONValue.parsed(error.errors).map { Array($0.elements) } ?? []
            let sentences = findings.filter { $0["severity"]?.equals("error") ?? true }.map {
                finding in
                // Not what was found there, which may quote what was blanked.
                "At \(finding["pointer"]?.string ?? "the whole text"): allowed: "
                    + "\(finding["allowed"]?.string ?? "what the schema says"). "
                    + (finding["fix"]?.string ?? "")
            }
            return .bad(
                sentences: sentences.isEmpty ? [error.detail] : sentences, findings: error.errors)
        }
    }

    /// The public form of a model's failure, once it is in the log.
    func problem(_ error: AssistantError) -> Problem {
        log.warning(
            "assistant_failed",
            ["code": .text(error.code.rawValue), "detail": .text(error.detail)])
        switch error.code {
        case .unusable:
            var problem = Problem(.assistantUnusable, error.detail)
            problem.errors = error.findings
            return problem
        case .busy:
            var problem = Problem(.assistantUnavailable, error.detail)
            problem.retryAfterSeconds = 5
            return problem
        case .unreachable, .refused, .slow, .malformed:
            return Problem(.assistantUnavailable, error.detail)
        case .unrecorded: return Problem(.unavailable, error.detail)
        }
    }
}

/// What the server fills in of a card that a model wrote.
enum ModelMessage {
    /// The message with a `requestIdentifier` of its own: it sets answers apart, and models repeat
    /// theirs.
    static func named(_ written: [UInt8], by id: UniqueID) -> [UInt8] {
        guard let root = JSONValue.parsed(written),
            let data = root["interactiveData"]?["data"], data.kind == .object
        else { return written }
        let member = Array("\"requestIdentifier\":\"\(id.text)\"".utf8)
        var named = written
        if let stated = data["requestIdentifier"] {
            named.replaceSubrange(stated.range, with: Array("\"\(id.text)\"".utf8))
        } else {
            named.insert(
                contentsOf: member + (data.count > 0 ? [UInt8(ascii: ",")] : []),
                at: data.range.lowerBound + 1)
        }
        return named
    }
}
