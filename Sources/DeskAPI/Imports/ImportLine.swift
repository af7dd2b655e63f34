import DeskJSON
import DeskModel
import DeskStore
import DeskWeb

/// One line of an import, as it was read; docs/import.md has the table of members.
enum ImportLine {
    /// The types of lines, as their member `type` names them.
    enum Kind: String, CaseIterable {
        case label, template, customer, conversation, message, note

        /// The member with the name of what a line is about.
        var naming: String {
            switch self {
            case .label, .template: "name"
            case .customer, .conversation: "customer"
            case .message, .note: "id"
            }
        }
    }

    case label(Labelled)
    case template(Templated)
    case customer(Person)
    case conversation(Work)
    case message(Said)
    case note(Noted)

    /// A label of the business.
    struct Labelled {
        var name = ""
        var colour: String?
    }

    /// A text or card to send again.
    struct Templated {
        var name: TemplateName
        var title = ""
        var detail = ""
        var content: Content
        var parameters: [UInt8] = Array("[]".utf8)
    }

    /// What is known of a customer.
    struct Person {
        var customer = ""
        var name: String?
        var externalID: String?
        var locale: String?
        var notes: String?
        var openedAt: Timestamp?
        var metadata = Metadata()
    }

    /// The work with a customer's conversation.
    struct Work {
        var customer = ""
        var state = ConversationState.closed
        var snoozedUntil: Timestamp?
        var assignee: JSONValue?
        var priority = Priority.none
        var labels: [JSONValueText] = []
        var openedAt: Timestamp?
        var metadata = Metadata()
    }

    /// A text of a line and where it stands there.
    struct JSONValueText {
        var text: String
        var value: JSONValue
    }

    /// A message.
    struct Said {
        var customer = ""
        var id = ""
        var time = Timestamp(milliseconds: 0)
        var direction = Direction.inbound
        var author: String?
        var authorEmail: String?
        var content: Content
        /// That the other system erased what was said; then the content is empty.
        var erasure: Erasure?
        var inReplyTo: String?
        var metadata: Metadata
    }

    /// What is left of a message whose content was erased.
    struct Erasure {
        let time: Timestamp
        let kind: MessageKind
        /// Where the line says it.
        let value: JSONValue
    }

    /// A note among agents.
    struct Noted {
        var customer = ""
        var id = ""
        var time = Timestamp(milliseconds: 0)
        var author: String?
        var text = ""
    }

    /// What a message or template says: words, or a payload of the protocol.
    enum Content {
        case text(String)
        case payload(JSONValue)
    }

    /// What a line is, where it was recognised.
    var kind: Kind {
        switch self {
        case .label: .label
        case .template: .template
        case .customer: .customer
        case .conversation: .conversation
        case .message: .message
        case .note: .note
        }
    }

    /// What the line calls its thing.
    var name: String {
        switch self {
        case .label(let one): one.name
        case .template(let one): one.name.text
        case .customer(let one): one.customer
        case .conversation(let one): one.customer
        case .message(let one): one.id
        case .note(let one): one.id
        }
    }
}

/// Reads lines of an import, each by itself.
struct ImportReading {
    /// Columns of an export that the server computes itself: a line may have them, and they are not read.
    static let computed = [
        "activity", "attachments", "authorId", "authorType", "automatic", "blockedAt", "business",
        "contact", "conversation", "customerName", "erasedAt", "importedFrom", "kind",
        "lastMessageAt",
        "messages", "origin", "position", "revision", "satisfactionScore", "satisfactionComment",
        "sequence", "summary", "team", "template", "templateVersion", "unread", "waitingSince",
    ]

    let now: Timestamp
    let limits: APILimits

    /// Reads a line.
    ///
    /// - Throws: `malformed_json` with the place, or `invalid` with everything that is wrong with it.
    func read(_ bytes: [UInt8]) throws(Problem) -> ImportLine {
        let document: JSONDocument
        do {
            document = try JSONDocument(parsing: bytes)
        } catch {
            // A line of an import is one line: only the column says more.
            let sentence = error.sentence.replacing("(line 1, column", with: "(column")
            throw Problem(.malformedJSON, "Column \(error.column): \(sentence)")
        }
        var fields = try Fields(document.root)
        let type = fields.value("type")
        guard let kind = type?.string.flatMap({ ImportLine.Kind(rawValue: $0) }) else {
            throw Self.unknownType(type, in: document.root)
        }
        for name in Self.computed { _ = fields.value(name) }
        switch kind {
        case .label: return try label(&fields)
        case .template: return try template(&fields)
        case .customer: return try customer(&fields)
        case .conversation: return try conversation(&fields)
        case .message: return try message(&fields)
        case .note: return try note(&fields)
        }
    }

    private static func unknownType(_ type: JSONValue?, in root: JSONValue) -> Problem {
        let words = ImportLine.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        return Problem([
            RequestFinding(
                type == nil ? .missing : .value, at: type ?? root,
                found: type.map { RequestFinding.shown($0) } ?? "no type",
                allowed: "one of \(words)", fix: "Say in type what the line is.")
        ])
    }

    private func label(_ fields: inout Fields) throws(Problem) -> ImportLine {
        let name = fields.requireText("name", bytes: 1...Label.maximumNameBytes)
        let colour = fields.colour()
        fields.noteBlank(name, of: "label")
        try fields.finish()
        return .label(ImportLine.Labelled(name: name ?? "", colour: colour))
    }

    private func template(_ fields: inout Fields) throws(Problem) -> ImportLine {
        let text = fields.requireText("name")
        let name = text.flatMap { TemplateName($0) }
        if text != nil, name?.suitsNewTemplates != true {
            fields.note("name", TemplateName.rule, "Choose a short name in lower case.")
        }
        let title = fields.requireText("title", bytes: 1...200)
        let detail = fields.text("description", bytes: 0...2_000)
        let parameters = fields.value("parameters")
        let content = content(&fields)
        try fields.finish()
        guard let name, let title, let content else { throw .notFound }
        var read = ImportLine.Templated(
            name: name, title: title, detail: detail ?? "", content: content)
        if let parameters, !parameters.isNull {
            // An export has them as a text, so that its columns have one type each.
            read.parameters = parameters.stringBytes ?? Array(parameters.rawBytes)
        }
        return .template(read)
    }

    private func customer(_ fields: inout Fields) throws(Problem) -> ImportLine {
        var read = ImportLine.Person()
        read.customer = customerName(&fields)
        read.name = fields.text("name", bytes: 1...Contact.maximumNameBytes)
        fields.noteBlank(read.name, of: "customer")
        read.externalID = fields.text("externalId", bytes: 1...Contact.maximumExternalIDBytes)
        read.locale = fields.text("locale", bytes: 1...64)
        read.notes = fields.text("notes", bytes: 0...Contact.maximumNotesBytes)
        read.openedAt = time("openedAt", &fields)
        read.metadata = fields.importedMetadata()
        try fields.finish()
        return .customer(read)
    }

    private func conversation(_ fields: inout Fields) throws(Problem) -> ImportLine {
        var read = ImportLine.Work()
        read.customer = customerName(&fields)
        read.state = fields.word("state", ConversationState.self) ?? .closed
        read.snoozedUntil = time("snoozedUntil", &fields, mayBeAhead: true)
        read.priority = fields.word("priority", Priority.self) ?? .none
        read.openedAt = time("openedAt", &fields)
        _ = fields.text("assignee", bytes: 1...320)
        let assignee = fields.value("assignee")
        read.assignee = assignee?.isNull ?? true ? nil : assignee
        read.labels = labels(&fields)
        read.metadata = fields.importedMetadata()
        try fields.finish()
        // A moment that has passed woke it.
        if read.state == .snoozed, let until = read.snoozedUntil, until <= now {
            read.state = .open
        }
        if read.state != .snoozed { read.snoozedUntil = nil }
        return .conversation(read)
    }

    /// The names of labels: an array of texts, or one text with a bar between them.
    private func labels(_ fields: inout Fields) -> [ImportLine.JSONValueText] {
        guard let value = fields.value("labels"), !value.isNull else { return [] }
        let names: [ImportLine.JSONValueText]
        let areTexts: Bool
        if let text = value.string {
            names = JoinedTexts.split(text).map { ImportLine.JSONValueText(text: $0, value: value) }
            areTexts = true
        } else {
            names = value.elements.compactMap { element in
                element.string.map { ImportLine.JSONValueText(text: $0, value: element) }
            }
            areTexts = value.kind == .array && names.count == value.count
        }
        guard areTexts, names.count <= Label.mostOfConversation else {
            fields.note(
                .type, value, "up to \(Label.mostOfConversation) names of labels",
                "Send an array of names, or one text with | between them.")
            return []
        }
        return names
    }

    private func message(_ fields: inout Fields) throws(Problem) -> ImportLine {
        let customer = customerName(&fields)
        let id = fields.requireText("id", bytes: 1...ImportNames.maximumBytes)
        let time = requireTime(&fields)
        _ = fields.requireValue("direction")
        let direction = fields.word("direction", Direction.self)
        let author = fields.importedAuthor()
        let email = fields.text("authorEmail", bytes: 1...320)
        let reply = fields.text("inReplyTo", bytes: 1...ImportNames.maximumBytes)
        let erased = erasure(&fields)
        // Whatever an erased one has is not imported.
        let content = erased == nil ? content(&fields) : Self.nothing(&fields)
        let metadata = fields.importedMetadata()
        try fields.finish()
        guard let id, let time, let direction, let content else { throw .notFound }
        return .message(
            ImportLine.Said(
                customer: customer, id: id, time: time, direction: direction, author: author,
                authorEmail: email, content: content, erasure: erased, inReplyTo: reply,
                metadata: metadata))
    }

    private func note(_ fields: inout Fields) throws(Problem) -> ImportLine {
        var read = ImportLine.Noted()
        read.customer = customerName(&fields)
        read.id = fields.requireText("id", bytes: 1...ImportNames.maximumBytes) ?? ""
        read.time = requireTime(&fields) ?? read.time
        read.author = fields.importedAuthor()
        _ = fields.text("authorEmail", bytes: 1...320)
        read.text = fields.requireText("text", bytes: 1...limits.noteBytes) ?? ""
        try fields.finish()
        return .note(read)
    }

    // MARK: Members

    private func customerName(_ fields: inout Fields) -> String {
        fields.requireText("customer", bytes: 1...ImportNames.maximumBytes) ?? ""
    }

    private func requireTime(_ fields: inout Fields) -> Timestamp? {
        guard fields.requireText("time") != nil else { return nil }
        return time("time", &fields)
    }

    private func time(
        _ name: String, _ fields: inout Fields, mayBeAhead: Bool = false
    ) -> Timestamp? {
        guard let text = fields.text(name, bytes: 1...64) else { return nil }
        guard let time = Timestamp(text) else {
            fields.note(name, "a moment of RFC 3339", "Write it as 2026-01-31T09:00:00Z.")
            return nil
        }
        // Clocks differ; what is said later than this was not said yet.
        guard mayBeAhead || time <= now.advanced(by: .seconds(300)) else {
            fields.note(name, "a moment that has passed", "Look at the year and at the unit.")
            return nil
        }
        return time
    }

    /// When an export's message was erased, and what it was; nil for one that has its content.
    private func erasure(_ fields: inout Fields) -> ImportLine.Erasure? {
        guard let moment = time("erasedAt", &fields), let value = fields.value("erasedAt") else {
            return nil
        }
        let kind = fields.value("kind")?.string.flatMap { MessageKind(rawValue: $0) }
        return ImportLine.Erasure(time: moment, kind: kind ?? .text, value: value)
    }

    /// No content; the members that would have it are not read.
    private static func nothing(_ fields: inout Fields) -> ImportLine.Content? {
        for name in ["text", "payload"] { _ = fields.value(name) }
        return .text("")
    }

    /// What is said: `text`, or `payload` as an object or as its text.
    private func content(_ fields: inout Fields) -> ImportLine.Content? {
        let payload = fields.value("payload")
        let text = fields.value("text")
        let hasPayload = !(payload?.isNull ?? true)
        // An export has both: the payload is what was sent, and the text is for reading.
        if hasPayload, let payload {
            if payload.kind == .object { return .payload(payload) }
            // Safe: what is no JSON is reported below.
            if let bytes = payload.stringBytes, let parsed = try? JSONDocument(parsing: bytes),
                parsed.root.kind == .object
            {
                return .payload(parsed.root)
            }
            fields.note(
                .type, payload, "a JSON object, or the text of one", "Send the payload as it was.")
            return nil
        }
        guard text != nil, let words = fields.requireText("text", bytes: 1...limits.payloadBytes)
        else {
            if text == nil { _ = fields.requireText("text") }
            return nil
        }
        return .text(words)
    }
}
