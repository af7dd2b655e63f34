import DeskBytes
import DeskJSON
package import DeskModel
import DeskStore

/// How one thing is written as one line of JSON; `ArchiveLine+Reading.swift` is the way back.
///
/// JSON that a store keeps as bytes is written as a string, so that every byte of it survives.
enum ArchiveLine {
    /// The first line's `type`.
    static let title = "frontdesk-export"
    /// What an archive begins with.
    static let beginning = Array("{\"type\":\"\(title)\"".utf8)
    /// The version of the format; a reader refuses a higher one.
    ///
    /// The second one has revisions and the author of a conversation's last message, the third one
    /// settlements.
    static let version = 3
    /// The first version with settlements.
    static let settlements: Int64 = 3
    /// Bytes of an attachment in one line at most; 64 KiB of base64.
    static let pieceBytes = 48 * 1_024
    /// Longest line in bytes, the line's end left out.
    static let maximumBytes = 16 * 1_024 * 1_024
    /// The types of lines between the first and the last, in the order of their coming.
    static let types = [
        "business", "link", "agent", "membership", "key", "gateway", "webhook", "template",
        "label", "team", "availability", "hours", "answers", "assignment", "attribute", "contact",
        "contactLink", "macro",
        "rule", "view", "levels", "satisfaction", "widget", "retention", "legalHold",
        "bot", "library", "draft", "suggestion",
        "delayed",
        "preferences",
        "attachment", "bytes", "hold", "conversation", "note", "message", "event",
        "settlement",
    ]
    /// Those that archives of before do not count.
    static let laterTypes: Set = [
        "draft", "label", "team", "availability", "hours", "answers", "delayed",
        "preferences", "settlement", "attribute", "contact", "contactLink", "macro", "assignment",
        "rule", "view", "levels", "satisfaction", "widget", "retention", "legalHold", "library",
        "suggestion",
        "webhook",
        "bot",
    ]

    static func write(_ head: ArchiveHead) -> [UInt8] {
        object(title) { line in
            line.key("version")
            line.integer(version)
            line.put("epoch", head.epoch.text)
            line.put("time", head.time)
            line.put("position", head.position.value)
            line.put("pruned", head.pruned.value)
            line.put("holds", types)
        }
    }

    static func write(_ end: ArchiveEnd) -> [UInt8] {
        object("end") { line in
            line.key("lines")
            line.integer(end.lines)
            line.key("counts")
            line.beginObject()
            for type in types {
                line.key(text: type)
                line.integer(end.counts[type] ?? 0)
            }
            line.endObject()
            line.put("sha256", end.digest.text)
        }
    }

    /// The `type` of a thing's line.
    static func type(of item: ArchiveItem) -> String {
        switch item {
        case .business: "business"
        case .link: "link"
        case .agent: "agent"
        case .membership: "membership"
        case .key: "key"
        case .gateway: "gateway"
        case .webhook: "webhook"
        case .template: "template"
        case .label: "label"
        case .team: "team"
        case .availability: "availability"
        case .hours: "hours"
        case .automaticAnswers: "answers"
        case .assignment: "assignment"
        case .attribute: "attribute"
        case .contact: "contact"
        case .contactLink: "contactLink"
        case .macro: "macro"
        case .rule: "rule"
        case .savedView: "view"
        case .serviceLevels: "levels"
        case .satisfaction: "satisfaction"
        case .widget: "widget"
        case .retention: "retention"
        case .legalHold: "legalHold"
        case .bot: "bot"
        case .libraryFile: "library"
        case .draft: "draft"
        case .suggestion: "suggestion"
        case .delayed: "delayed"
        case .preferences: "preferences"
        case .attachment: "attachment"
        case .piece: "bytes"
        case .hold: "hold"
        case .conversation: "conversation"
        case .note: "note"
        case .message: "message"
        case .event: "event"
        case .settlement: "settlement"
        }
    }

    /// The line without its end; a piece has at most `pieceBytes`.
    ///
    /// - Throws: `damaged` for JSON that is no UTF-8.
    static func write(_ item: ArchiveItem) throws(StoreError) -> [UInt8] {
        try checkText(of: item)
        return object(type(of: item)) { line in
            switch item {
            case .business(let one): write(one, to: &line)
            case .link(let one): write(one, to: &line)
            case .agent(let one):
                line.put("id", one.id.text)
                line.put("name", one.name)
                line.put("email", one.email)
                line.put("createdAt", one.createdAt)
            case .membership(let one):
                line.put("agent", one.agent.text)
                line.put("business", one.business.text)
                line.put("role", one.role.name)
            case .key(let one): write(one, to: &line)
            case .gateway(let one): write(one, to: &line)
            case .webhook(let one): write(one, to: &line)
            case .template(let one): write(one, to: &line)
            case .label(let one): write(one, to: &line)
            case .team(let one): write(one, to: &line)
            case .availability(let one): write(one, to: &line)
            case .automaticAnswers(let one, let business):
                line.put("business", business.text)
                if let name = one.greeting { line.put("greeting", name.text) }
                if let name = one.outOfHours { line.put("outOfHours", name.text) }
                if let name = one.unanswered { line.put("unanswered", name.text) }
                if let minutes = one.unansweredMinutes {
                    line.put("unansweredMinutes", Int64(minutes))
                }
            case .hours(let one):
                line.put("business", one.business.text)
                if let team = one.team { line.put("team", team.text) }
                line.put("data", utf8: one.data)
            case .assignment(let one): write(one, to: &line)
            case .attribute(let one): write(one, to: &line)
            case .contact(let one): write(one, to: &line)
            case .contactLink(let one): write(one, to: &line)
            case .macro(let one): write(one, to: &line)
            case .rule(let one): write(one, to: &line)
            case .savedView(let one): write(one, to: &line)
            case .serviceLevels(let data, let business):
                line.put("business", business.text)
                line.put("data", utf8: data)
            case .satisfaction(let chosen, let business):
                line.put("business", business.text)
                if let plan = chosen.plan { line.put("delayMinutes", Int64(plan.delayMinutes)) }
                line.put("data", utf8: chosen.data)
            case .widget(let data, let business):
                line.put("business", business.text)
                line.put("data", utf8: data)
            case .retention(let one):
                line.put("business", one.business.text)
                line.put("days", Int64(one.days))
                line.put("changedAt", one.changedAt)
                line.put("beginsAt", one.beginsAt)
            case .legalHold(let one): write(one, to: &line)
            case .bot(let one): write(one, to: &line)
            case .libraryFile(let one): write(one, to: &line)
            case .draft(let one): write(one, to: &line)
            case .suggestion(let one): write(one, to: &line)
            case .delayed(let one): write(one, to: &line)
            case .preferences(let one, let agent):
                line.put("agent", agent.text)
                line.put("sendDelay", Int64(one.sendDelay))
                if let console = one.console { line.put("console", utf8: console) }
            case .attachment(let one):
                line.put("sha256", one.id.text)
                line.put("bytes", one.byteCount)
            case .piece(let bytes):
                line.key("base64")
                line.string(utf8: Base64.encodeBytes(bytes))
            case .hold(let one): write(one, to: &line)
            case .conversation(let one): write(one, to: &line)
            case .note(let one): write(one, to: &line)
            case .message(let one): write(one, to: &line)
            case .event(let one): write(one, to: &line)
            case .settlement(let one):
                line.put("conversation", one.conversation.text)
                line.put("request", one.request.text)
                line.put("answer", one.answer.text)
            }
        }
    }

    private static func object(_ type: String, _ fill: (inout JSONWriter) -> Void) -> [UInt8] {
        var line = JSONWriter(capacity: 1_024)
        line.beginObject()
        line.put("type", type)
        fill(&line)
        line.endObject()
        return line.bytes
    }

    /// Every text that is kept as bytes is UTF-8, or a reader would find other bytes.
    private static func checkText(of item: ArchiveItem) throws(StoreError) {
        let texts: [[UInt8]] =
            switch item {
            case .template(let one): [one.payload, one.parameters]
            case .hours(let one): [one.data]
            case .draft(let one): [one.content ?? []]
            case .suggestion(let one): [one.payload]
            case .macro(let one): [one.parameters, one.actions]
            case .rule(let one): [one.conditions, one.actions]
            case .savedView(let one): [one.filter]
            case .serviceLevels(let data, _): [data]
            case .satisfaction(let chosen, _): [chosen.data]
            case .widget(let data, _): [data]
            case .delayed(let one): [one.data]
            case .gateway(let one): [one.settings]
            case .message(let one):
                [one.payload, one.facts.warnings, one.facts.template?.values ?? []]
            case .event(let one):
                switch one.body {
                case .json(let bytes): [bytes]
                case .other(_, let data): [data ?? []]
                case .step, .note: []
                }
            case .business, .link, .agent, .membership, .key, .webhook, .label, .team,
                .availability,
                .automaticAnswers, .preferences, .attachment, .piece, .hold, .conversation,
                .note, .settlement, .assignment, .attribute, .contact,
                .libraryFile, .contactLink, .bot, .retention, .legalHold:
                []
            }
        for text in texts where !UTF8Text.isValid(text) {
            throw StoreError(.damaged, "the text of a \(type(of: item)) is no UTF-8")
        }
    }
}

/// What the last line says of all before it.
package struct ArchiveEnd: Equatable {
    /// How many lines came before it.
    package var lines = 0
    /// How many of each type, the first line left out.
    package var counts: [String: Int] = [:]
    /// SHA-256 over all bytes before it.
    package var digest = Digest(words: .zero)
}

extension ArchiveEnd {
    /// What there is of each sort that people ask about.
    package var text: String {
        ["message", "conversation", "note", "attachment", "event", "business"].map { type in
            let plural = type == "business" ? "businesses" : type + "s"
            let count = counts[type] ?? 0
            return "\(count) \(count == 1 ? type : plural)"
        }.joined(separator: ", ") + " in \(lines + 1) lines"
    }
}
