import DeskCommandLine
import DeskJSON
import DeskModel

/// What a file of answers of Chatwoot's API has: people, conversations and settings as they are, and of
/// messages where they stand.
///
/// Limit: the people and conversations are held, and 48 bytes for each message.
struct ChatwootIndex {
    /// A person.
    struct Contact {
        var name: String?
        var identifier: String?
        /// What else is known, a line each.
        var notes: [String] = []
        var metadata = Metadata()
        var createdAt: Timestamp?
    }

    /// A conversation.
    struct Work {
        let contact: Int
        var status = ""
        var snoozedUntil: Timestamp?
        var assignee: String?
        var priority: String?
        var labels: [String] = []
        var metadata = Metadata()
        var createdAt: Timestamp?
        var activity: Timestamp?
    }

    /// Where a message stands in the file.
    struct Place {
        let conversation: Int
        let id: Int
        let time: Timestamp
        let offset: Int
        let count: Int
    }

    private(set) var contacts: [Int: Contact] = [:]
    private(set) var conversations: [Int: Work] = [:]
    /// The e-mail addresses of agents, whom messages name without.
    private(set) var agents: [Int: String] = [:]
    private(set) var places: [Place] = []
    /// Labels and texts as the file has them, each once.
    private(set) var labels: [(title: String, colour: String?)] = []
    private(set) var canned: [(code: String, text: String)] = []
    private var seen: Set<String> = []
    private var lost: [Loss: Int] = [:]

    /// What is not imported, or not as it is.
    enum Loss: String, CaseIterable {
        case unknown = "passed over, as objects of no known shape"
        case withoutContact =
            "conversations left out with their messages, since they name no contact (meta.sender)"
        case blocked = "contacts that are blocked in Chatwoot and not here: block them"
        case assigneeWithoutAddress =
            "conversations without their assignee, who has no e-mail address"
        case withoutTime = "messages left out, since they have no created_at or id"
        case attribute =
            "attributes of conversations left out, since metadata has no room for them"
        case muted =
            "conversations that are muted in Chatwoot and not here, where customers mute by themselves"
    }

    /// An answer may have very many values, and is looked through level by level.
    private static let limits: JSONLimits = {
        var limits = JSONLimits.unlimited
        limits.depth = JSONLimits().depth
        return limits
    }()

    /// Reads a file once.
    ///
    /// - Throws: when it cannot be read, or is no JSON.
    init(_ file: ImportFile) throws(UsageError) {
        var texts = JSONTexts()
        while true {
            let piece = try file.next()
            let found: [JSONTexts.Text]
            do throws(JSONTexts.Fault) {
                found = try texts.take(piece)
                if piece.isEmpty { try texts.finish() }
            } catch {
                throw Self.failure(error, in: file.path)
            }
            for text in found { try take(text, of: file.path) }
            guard !piece.isEmpty else { break }
        }
        places.sort { ($0.conversation, $0.time, $0.id) < ($1.conversation, $1.time, $1.id) }
    }

    /// What of the file is not imported, or not as it is, a line each.
    var findings: [String] {
        Loss.allCases.compactMap { loss in lost[loss].map { "\(loss.rawValue): \($0)" } }
    }

    private static func failure(_ fault: JSONTexts.Fault, in path: String) -> UsageError {
        let hint = "the answers of the API, as they came, one after the other"
        return switch fault {
        case .noText(let at):
            UsageError("\(path): byte \(at) is no JSON object or array", hint: hint)
        case .cutOff(let at):
            UsageError("\(path): the JSON that begins at byte \(at) has no end", hint: hint)
        case .tooLong(let at):
            UsageError(
                "\(path): the JSON at byte \(at) has more than \(JSONTexts.mostBytes) bytes",
                hint: "write each answer of the API as it came, a page each")
        }
    }

    // MARK: Shapes

    private mutating func take(_ text: JSONTexts.Text, of path: String) throws(UsageError) {
        let document: JSONDocument
        do {
            document = try JSONDocument(parsing: text.bytes, limits: Self.limits)
        } catch {
            throw UsageError("\(path): the JSON at byte \(text.offset): \(error.sentence)")
        }
        take(document.root, at: text.offset, depth: 0)
    }

    /// Looks for things in an answer: it is one, a list of them, or has lists of them in its members.
    private mutating func take(_ value: JSONValue, at offset: Int, depth: Int) {
        if value.kind == .array {
            for element in value.elements { take(element, at: offset, depth: depth) }
            return
        }
        guard value.kind == .object else { return }
        if takeThing(value, at: offset) { return }
        let members = value.members.filter { $0.value.isContainer && $0.key != "meta" }
        guard depth < 3, !members.isEmpty else {
            // An answer without anything has an empty list, and says so in its meta.
            if value["payload"] == nil, value["data"] == nil, value["meta"] == nil {
                lost[.unknown, default: 0] += 1
            }
            return
        }
        for member in members { take(member.value, at: offset, depth: depth + 1) }
    }

    private mutating func takeThing(_ value: JSONValue, at offset: Int) -> Bool {
        if value["message_type"] != nil, value["conversation_id"] != nil {
            takeMessage(value, at: offset)
        } else if value["short_code"] != nil {
            if let code = value["short_code"]?.string, let text = value["content"]?.string,
                seen.insert("c\(code)").inserted
            {
                canned.append((code, text))
            }
        } else if value["status"]?.string != nil, value["meta"]?.kind == .object {
            takeConversation(value, at: offset)
        } else if let title = value["title"]?.string, value["color"] != nil {
            if seen.insert("l\(title)").inserted { labels.append((title, value["color"]?.string)) }
        } else if let id = value["id"]?.int, value["role"]?.string != nil {
            // Numbered apart from contacts.
            agents[id] = Self.text(value["email"])
        } else if value["id"]?.int != nil,
            value["phone_number"] != nil || value["email"] != nil || value["identifier"] != nil
        {
            takeContact(value)
        } else {
            return false
        }
        return true
    }

    private mutating func takeContact(_ value: JSONValue) {
        guard let id = value["id"]?.int else { return }
        var contact = contacts[id] ?? Contact()
        contact.name = Self.text(value["name"]) ?? contact.name
        contact.identifier = Self.text(value["identifier"]) ?? contact.identifier
        contact.createdAt = Self.time(value["created_at"]) ?? contact.createdAt
        // The sender of a conversation may have less than the contact itself.
        if contact.notes.isEmpty, contact.metadata.isEmpty { Self.describe(&contact, as: value) }
        if contacts[id] == nil, value["blocked"]?.bool == true { lost[.blocked, default: 0] += 1 }
        contacts[id] = contact
    }

    /// What else is known of a person: what people read are notes, what programs keep is metadata.
    private static func describe(_ contact: inout Contact, as value: JSONValue) {
        if let email = text(value["email"]) { contact.notes.append("email: \(email)") }
        if let phone = text(value["phone_number"]) { contact.notes.append("phone: \(phone)") }
        for (name, text) in attributes(value["additional_attributes"]) {
            contact.notes.append("\(name): \(text)")
        }
        for (name, text) in attributes(value["custom_attributes"])
        where !contact.metadata.add(text, as: name) {
            contact.notes.append("\(name): \(text)")
        }
    }

    /// The attributes that have a value, with it as a text; lists and objects have none.
    private static func attributes(_ value: JSONValue?) -> [(name: String, text: String)] {
        guard let value, value.kind == .object else { return [] }
        return value.members.compactMap { member in
            guard !member.value.isContainer, !member.value.isNull else { return nil }
            let text = member.value.string ?? member.value.rawText
            return text.isEmpty ? nil : (member.key, text)
        }
    }

    private mutating func takeConversation(_ value: JSONValue, at offset: Int) {
        guard let id = value["id"]?.int, let sender = value["meta"]?["sender"],
            let contact = sender["id"]?.int
        else {
            lost[.withoutContact, default: 0] += 1
            return
        }
        if contacts[contact] == nil { takeContact(sender) }
        let isNew = conversations[id] == nil
        var work = Work(contact: contact)
        work.status = value["status"]?.string ?? ""
        work.snoozedUntil = Self.time(value["snoozed_until"])
        work.priority = value["priority"]?.string
        work.createdAt = Self.time(value["created_at"]) ?? Self.time(value["timestamp"])
        work.activity = Self.time(value["last_activity_at"]) ?? work.createdAt
        for (name, text) in Self.attributes(value["custom_attributes"])
        where !work.metadata.add(text, as: name) && isNew {
            lost[.attribute, default: 0] += 1
        }
        work.labels = value["labels"].map { $0.elements.compactMap(\.string) } ?? []
        if let assignee = value["meta"]?["assignee"], assignee.kind == .object {
            work.assignee = Self.text(assignee["email"])
            if work.assignee == nil, isNew { lost[.assigneeWithoutAddress, default: 0] += 1 }
        }
        if isNew, value["muted"]?.bool == true { lost[.muted, default: 0] += 1 }
        conversations[id] = work
        for message in value["messages"]?.elements.map(\.self) ?? []
        where message["message_type"] != nil {
            takeMessage(message, in: id, at: offset)
        }
    }

    private mutating func takeMessage(_ value: JSONValue, in known: Int? = nil, at offset: Int) {
        guard let id = value["id"]?.int, let time = Self.time(value["created_at"]),
            let conversation = known ?? value["conversation_id"]?.int
        else {
            lost[.withoutTime, default: 0] += 1
            return
        }
        let range = value.range
        places.append(
            Place(
                conversation: conversation, id: id, time: time, offset: offset + range.lowerBound,
                count: range.count))
    }

    // MARK: Values

    /// A text that says something.
    static func text(_ value: JSONValue?) -> String? {
        value?.string.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
    }

    /// A moment: seconds since 1970, or a text of RFC 3339.
    static func time(_ value: JSONValue?) -> Timestamp? {
        if let seconds = value?.double, seconds > 0, seconds < 4e9 {
            return Timestamp(milliseconds: Int64(seconds * 1_000))
        }
        return value?.string.flatMap { Timestamp($0) }
    }
}

extension Metadata {
    /// Gives a name a value; false where one of the two is too long, or there is no room for it.
    fileprivate mutating func add(_ text: String, as name: String) -> Bool {
        var changed = self
        changed[name] = text
        guard changed.isAllowed, !text.utf8.contains(0), !name.utf8.contains(0) else {
            return false
        }
        self = changed
        return true
    }
}
