public import DeskJSON
public import DeskModel

/// One thing that is done to a conversation by its name: in a macro, in a rule.
public enum TeamAction: Hashable, Sendable {
    /// Most actions at once.
    public static let most = 20
    /// Longest time of sleep, in minutes: a year.
    public static let maximumMinutes = 527_040
    /// Longest note in bytes.
    public static let maximumNoteBytes = 4_000

    /// To whom a conversation is assigned.
    public enum Assignee: Hashable, Sendable {
        /// Who has it done.
        case caller
        /// None.
        case nobody
        /// A member.
        case agent(AgentID)
    }

    /// Assigns it.
    case assign(Assignee)
    /// Gives it to a team, or with nil to none.
    case move(to: TeamID?)
    /// Adds labels and removes others.
    case label(add: [LabelID], remove: [LabelID])
    /// Says how urgent it is.
    case prioritize(Priority)
    /// Opens it, closes it, or lets it wait for something outside.
    case enter(ConversationState)
    /// Lets it sleep for so many minutes, or with nil until the customer's next message.
    case snooze(minutes: Int?)
    /// Leaves a note.
    case note(String)
    /// Sends a template, with its values as a JSON object's text.
    case send(TemplateName, values: [UInt8])

    /// Reads `actions` as a request states them, without placeholders or with them filled.
    ///
    /// - Throws: the first thing that is none, with its place.
    public static func list(_ value: JSONValue) throws(TeamActionFault) -> [TeamAction] {
        guard value.kind == .array, (1...most).contains(value.count) else {
            throw TeamActionFault(
                value, "a list of 1 to \(most) actions", "Send actions as a JSON array.")
        }
        var actions: [TeamAction] = []
        for element in value.elements { actions.append(try TeamAction(element)) }
        let sent = actions.filter { if case .send = $0 { true } else { false } }
        guard sent.count <= 1 else {
            throw TeamActionFault(
                value, "at most one template", "Put what both say into one template.")
        }
        return actions
    }

    /// The members of which an action has exactly one.
    private static let names = [
        "assign", "team", "labels", "priority", "state", "note", "template",
    ]

    private init(_ value: JSONValue) throws(TeamActionFault) {
        let shape = TeamActionFault(
            value, "an object with one of \(Self.names.joined(separator: ", "))",
            "Write one action in each object, such as {\"priority\":\"high\"}.")
        guard value.kind == .object,
            let name = Self.names.first(where: { value[$0] != nil }), let content = value[name]
        else { throw shape }
        let isSnooze = name == "state" && content.equals("snoozed")
        let known = value["snoozeMinutes"] != nil && isSnooze ? 2 : 1
        guard value.count == known else { throw shape }
        switch name {
        case "assign": self = .assign(try Self.assignee(content))
        case "team":
            let team = content.string.flatMap { TeamID($0) }
            guard team != nil || content.isNull else {
                throw TeamActionFault(
                    content, "null, or the id of a team", "Take the id from the list of teams.")
            }
            self = .move(to: team)
        case "labels": self = try Self.labels(content)
        case "priority": self = .prioritize(try Self.word(content, Priority.self))
        case "state":
            let state = try Self.word(content, ConversationState.self)
            self =
                isSnooze
                ? .snooze(minutes: try Self.minutes(value["snoozeMinutes"])) : .enter(state)
        case "note":
            guard let text = content.string, (1...Self.maximumNoteBytes).contains(text.utf8.count)
            else {
                throw TeamActionFault(
                    content, "a text of 1 to \(Self.maximumNoteBytes) bytes", "Shorten the note.")
            }
            self = .note(text)
        default: self = try Self.template(content)
        }
    }

    private static func assignee(_ value: JSONValue) throws(TeamActionFault) -> Assignee {
        if value.isNull { return .nobody }
        if value.equals("me") { return .caller }
        guard let id = value.string.flatMap({ AgentID($0) }) else {
            throw TeamActionFault(
                value, "me, null, or the id of a member", "Take the id from the list of members.")
        }
        return .agent(id)
    }

    private static func labels(_ value: JSONValue) throws(TeamActionFault) -> TeamAction {
        let shape = TeamActionFault(
            value, "an object with add or remove, each a list of ids of labels",
            #"Write {"add":["ID"],"remove":["ID"]}."#)
        guard value.kind == .object else { throw shape }
        let lists = ["add", "remove"].compactMap { value[$0] }
        guard !lists.isEmpty, value.count == lists.count else { throw shape }
        func ids(_ name: String) throws(TeamActionFault) -> [LabelID] {
            guard let list = value[name] else { return [] }
            let ids =
                list.kind == .array
                ? list.elements.map { $0.string.flatMap { LabelID($0) } } : [nil]
            guard ids.count <= Label.mostOfConversation, ids.allSatisfy({ $0 != nil }) else {
                throw TeamActionFault(
                    list, "a list of at most \(Label.mostOfConversation) ids of labels",
                    "Take the ids from the list of labels.")
            }
            return ids.compactMap(\.self)
        }
        return .label(add: try ids("add"), remove: try ids("remove"))
    }

    private static func word<Word: RawRepresentable & CaseIterable>(
        _ value: JSONValue, _: Word.Type
    ) throws(TeamActionFault) -> Word where Word.RawValue == String {
        guard let word = Word.allCases.first(where: { value.equals($0.rawValue) }) else {
            throw TeamActionFault(
                value, "one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))",
                "Send one of these words.")
        }
        return word
    }

    private static func minutes(_ value: JSONValue?) throws(TeamActionFault) -> Int? {
        guard let value, !value.isNull else { return nil }
        guard let minutes = value.int, (1...maximumMinutes).contains(minutes) else {
            throw TeamActionFault(
                value, "minutes from 1 to \(maximumMinutes)",
                "Leave snoozeMinutes out for until the customer writes.")
        }
        return minutes
    }

    private static func template(_ value: JSONValue) throws(TeamActionFault) -> TeamAction {
        let values = value["values"]
        guard value.kind == .object, value.count == (values == nil ? 1 : 2),
            values.map({ $0.kind == .object }) ?? true,
            let name = value["name"]?.string.flatMap({ TemplateName($0) })
        else {
            throw TeamActionFault(
                value, "an object with the name of a template, and values",
                #"Write {"name":"welcome","values":{}}."#)
        }
        return .send(name, values: values.map { Array($0.rawBytes) } ?? Array("{}".utf8))
    }
}

/// Something that is no action and no condition, with what is allowed there.
public struct TeamActionFault: Error, Sendable {
    /// Where it is.
    public let value: JSONValue
    /// What may stand there.
    public let allowed: String
    /// How to fix it.
    public let fix: String

    init(_ value: JSONValue, _ allowed: String, _ fix: String) {
        self.value = value
        self.allowed = allowed
        self.fix = fix
    }
}
