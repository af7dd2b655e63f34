import DeskCommandLine
import DeskJSON
import DeskModel

/// Writes what Chatwoot has as lines of an import: docs/import.md has the table.
struct ChatwootLines {
    private let index: ChatwootIndex
    private let file: ImportFile
    /// The conversations of each person, the newest first.
    private let conversations: [Int: [ChatwootIndex.Work]]
    private var lost: [Loss: Int] = [:]

    /// What is not imported, or not as it is.
    private enum Loss: String, CaseIterable {
        case several =
            "contacts with several conversations, which are one here, in the state of the most open one"
        case activity = "messages left out, as activities of Chatwoot"
        case empty = "messages left out, without text and files"
        case deleted = "messages left out, as deleted"
        case card = "cards and forms of which the text alone is imported"
        case file = "files that are not fetched: their addresses are in the texts"
        case unknownConversation =
            "messages left out, since their conversation is not in the file"
        case answered = "messages that do not say here which one they answer"
    }

    init(_ index: ChatwootIndex, _ file: ImportFile) {
        self.index = index
        self.file = file
        var all: [Int: [ChatwootIndex.Work]] = [:]
        for work in index.conversations.values { all[work.contact, default: []].append(work) }
        conversations = all.mapValues { works in
            works.sorted {
                ($0.activity ?? Timestamp(milliseconds: 0))
                    > ($1.activity ?? Timestamp(milliseconds: 0))
            }
        }
    }

    /// Sends everything: settings, people, conversations, messages in the order of their time.
    ///
    /// - Returns: what is not imported, or not as it is, a line each.
    mutating func send(by sender: inout LineSender) async throws(UsageError) -> [String] {
        for label in index.labels {
            try await sender.send(Self.line(label), at: "label \(Quoted.text(label.title))")
        }
        var names: Set<String> = []
        for text in index.canned {
            try await sender.send(
                Self.line(text, among: &names), at: "canned response \(Quoted.text(text.code))")
        }
        let people = index.contacts.keys.sorted()
        for id in people { try await sender.send(customer(id), at: "contact \(id)") }
        for id in people {
            guard let works = conversations[id], let current = Self.mostOpen(of: works) else {
                continue
            }
            if works.count > 1 { lost[.several, default: 0] += 1 }
            try await sender.send(
                Self.line(current, of: id, among: works), at: "contact \(id)")
        }
        try await sendMessages(by: &sender)
        return Loss.allCases.compactMap { loss in lost[loss].map { "\(loss.rawValue): \($0)" } }
    }

    private mutating func sendMessages(by sender: inout LineSender) async throws(UsageError) {
        // Those of one person together, in the order of their time: that is the order here.
        var order: [(contact: Int, place: Int)] = []
        order.reserveCapacity(index.places.count)
        var before: ChatwootIndex.Place?
        for (number, place) in index.places.enumerated() {
            // Pages overlap, and lists of conversations repeat the newest message.
            if before?.conversation == place.conversation, before?.id == place.id { continue }
            before = place
            guard let work = index.conversations[place.conversation] else {
                lost[.unknownConversation, default: 0] += 1
                continue
            }
            order.append((work.contact, number))
        }
        let places = index.places
        order.sort { left, right in
            let (one, other) = (places[left.place], places[right.place])
            return (left.contact, one.time, one.id) < (right.contact, other.time, other.id)
        }
        for (contact, number) in order {
            let place = places[number]
            let bytes = try file.bytes(at: place.offset, count: place.count)
            guard let value = JSONValue.parsed(bytes) else {
                throw UsageError("\(file.path) changed while it was read")
            }
            if let line = message(value, place, of: contact) {
                try await sender.send(line, at: "message \(place.id)")
            }
        }
    }

    // MARK: Settings

    private static func line(_ label: (title: String, colour: String?)) -> [UInt8] {
        JSONWriter.object { text in
            text.member("type", "label")
            text.member("name", label.title)
            text.member("colour", label.colour)
        }
    }

    private static func line(
        _ canned: (code: String, text: String), among names: inout Set<String>
    ) -> [UInt8] {
        let name = CannedText.name(of: canned.code, among: &names)
        let (words, needsName) = CannedText.placeholders(of: canned.text)
        return JSONWriter.object { text in
            text.member("type", "template")
            text.member("name", name)
            text.member("title", Self.cut(String(canned.code.prefix(50)), to: 200))
            text.member("text", words)
            guard needsName else { return }
            text.member("parameters") { text in
                text.array { text in
                    text.object {
                        $0.member("name", "customer.name")
                        $0.member("type", "text")
                        $0.member("label", "Name")
                    }
                }
            }
        }
    }

    // MARK: People and conversations

    private func customer(_ id: Int) -> [UInt8] {
        let contact = index.contacts[id] ?? ChatwootIndex.Contact()
        // One that an import would refuse, and the whole customer with it, stands in the notes.
        let identifier = contact.identifier.flatMap {
            $0.utf8.count <= Contact.maximumExternalIDBytes ? $0 : nil
        }
        var notes = contact.notes
        if identifier == nil, let long = contact.identifier { notes.append("identifier: \(long)") }
        let begun = (conversations[id] ?? []).compactMap(\.createdAt).min()
        return JSONWriter.object { text in
            text.member("type", "customer")
            text.member("customer", String(id))
            text.member("name", contact.name.map { Self.cut($0, to: Contact.maximumNameBytes) })
            text.member("externalId", identifier)
            if !notes.isEmpty {
                text.member(
                    "notes",
                    Self.cut(
                        notes.joined(separator: "\n"), to: Contact.maximumNotesBytes))
            }
            text.member("openedAt", begun ?? contact.createdAt)
            text.metadata(contact.metadata)
        }
    }

    /// The states here, the one that needs most of people first.
    private static let states = ["open", "pending", "snoozed", "closed"]

    private static func state(_ work: ChatwootIndex.Work) -> String {
        states.contains(work.status) ? work.status : "closed"
    }

    /// The conversation that people have most to do with; of several the newest.
    ///
    /// - Parameter works: the newest first.
    private static func mostOpen(of works: [ChatwootIndex.Work]) -> ChatwootIndex.Work? {
        states.lazy.compactMap { state in works.first { Self.state($0) == state } }.first
    }

    private static func line(
        _ current: ChatwootIndex.Work, of contact: Int, among works: [ChatwootIndex.Work]
    ) -> [UInt8] {
        var labels: [String] = []
        for label in works.flatMap(\.labels) where !labels.contains(label) { labels.append(label) }
        // The newest one's values; of the others what it does not have.
        var metadata = Metadata()
        for work in works {
            let more = metadata.changed(
                by: Metadata.Change(setting: work.metadata).adding(to: metadata))
            if more.isAllowed { metadata = more }
        }
        let state = Self.state(current)
        let priority =
            switch current.priority {
            case "medium": "normal"
            case "urgent", "high", "low": current.priority
            default: "none"
            }
        return JSONWriter.object { text in
            text.member("type", "conversation")
            text.member("customer", String(contact))
            text.member("state", state)
            if state == "snoozed" { text.member("snoozedUntil", current.snoozedUntil) }
            text.member("assignee", current.assignee)
            text.member("priority", priority)
            text.member("labels") { text in
                text.array { text in
                    for label in labels.prefix(Label.mostOfConversation) { text.string(label) }
                }
            }
            text.member("openedAt", works.compactMap(\.createdAt).min())
            text.metadata(metadata)
        }
    }

    // MARK: Messages

    /// The line of a message or note; nil for what is left out.
    private mutating func message(
        _ value: JSONValue, _ place: ChatwootIndex.Place, of contact: Int
    ) -> [UInt8]? {
        let type = value["message_type"]?.int ?? Self.type(value["message_type"]?.string)
        guard type != 2 else {
            lost[.activity, default: 0] += 1
            return nil
        }
        let attributes = value["content_attributes"]
        guard attributes?["deleted"]?.bool != true else {
            lost[.deleted, default: 0] += 1
            return nil
        }
        var words = [ChatwootIndex.text(value["content"])].compactMap(\.self)
        let files = value["attachments"].map { Array($0.elements) } ?? []
        for file in files {
            lost[.file, default: 0] += 1
            let name = file["data_url"]?.string ?? file["fallback_title"]?.string
            words.append(name ?? "(\(file["file_type"]?.string ?? "file"))")
        }
        guard !words.isEmpty else {
            lost[.empty, default: 0] += 1
            return nil
        }
        let content = value["content_type"]?.string ?? "text"
        if content != "text", content != "incoming_email", content != "sticker" {
            lost[.card, default: 0] += 1
        }
        let isNote = value["private"]?.bool == true
        let answered = isNote ? nil : attributes?["in_reply_to"]?.int
        if answered == nil, attributes?["in_reply_to"]?.isNull == false {
            lost[.answered, default: 0] += 1
        }
        let sender = value["sender"]
        // Only a sender that is an agent has a number of agents.
        let known =
            sender?["type"]?.string == "user"
            ? sender?["id"]?.int.flatMap { index.agents[$0] } : nil
        let email = ChatwootIndex.text(sender?["email"]) ?? known
        let name =
            ChatwootIndex.text(sender?["name"]) ?? ChatwootIndex.text(sender?["available_name"])
        return JSONWriter.object(capacity: 1_024) { text in
            text.member("type", isNote ? "note" : "message")
            text.member("customer", String(contact))
            text.member("id", Self.message(place.id))
            text.member("time", place.time)
            if !isNote { text.member("direction", type == 0 ? "inbound" : "outbound") }
            if isNote || type != 0 {
                text.member("author", Self.cut(name ?? "Chatwoot", to: 200))
                if !isNote { text.member("authorEmail", email) }
            }
            text.member("text", words.joined(separator: "\n"))
            if let answered { text.member("inReplyTo", Self.message(answered)) }
        }
    }

    /// What a message of Chatwoot is called in lines.
    private static func message(_ number: Int) -> String { "chatwoot:\(number)" }

    /// The number of a type that is given as a word.
    private static func type(_ word: String?) -> Int {
        switch word {
        case "incoming": 0
        case "activity": 2
        case "template": 3
        default: 1
        }
    }

    /// The beginning of a text that has at most so many bytes.
    private static func cut(_ text: String, to count: Int) -> String {
        guard text.utf8.count > count else { return text }
        var cut = String.UnicodeScalarView()
        var bytes = 0
        for scalar in text.unicodeScalars {
            bytes += UTF8.width(scalar)
            guard bytes <= count else { break }
            cut.append(scalar)
        }
        return String(cut)
    }
}

extension JSONWriter {
    /// Writes the member `metadata` of a line, where there is any.
    fileprivate mutating func metadata(_ metadata: Metadata) {
        guard !metadata.isEmpty else { return }
        member("metadata") { text in
            text.object { text in
                for one in metadata.members {
                    text.key(text: one.name)
                    text.string(one.value)
                }
            }
        }
    }
}
