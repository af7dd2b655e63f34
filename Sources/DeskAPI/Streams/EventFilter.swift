import DeskHTTP
import DeskModel
import DeskWeb

/// Which of the events that a reader may see it wants: those that fit all of what is set.
struct EventFilter: Hashable, Sendable {
    /// The word that stands for signals in a list of types.
    static let signals = "ephemeral"
    /// The names of its parameters.
    static let names = [
        "filter[type]", "filter[conversation]", "filter[direction]", "filter[imported]",
    ]

    /// What becomes of events that came with an import.
    enum Imported: String, CaseIterable {
        /// They are left out: what reacts to events reacts to what happens.
        case exclude
        /// They are among the others.
        case include
        /// There are no others.
        case only
    }

    /// The types; nil for all.
    var types: Set<EventType>?
    /// Whether signals are wanted.
    var takesSignals = true
    /// The conversation; nil for all that happens.
    var conversation: ConversationID?
    /// The direction of messages; nil for all events, and then others than messages too.
    var direction: Direction?
    /// What becomes of events that came with an import.
    var imported = Imported.exclude

    /// Everything but what was imported.
    init() {}

    /// Reads the parameters of a query; whether the conversation may be read is the caller's to find out.
    ///
    /// - Parameter takesSignals: whether signals may be asked for: the stored log has none.
    /// - Throws: `invalid` with everything that is wrong.
    init(_ query: Query, takesSignals: Bool) throws(Problem) {
        if let text = query["filter[type]"] {
            let words = text.split(separator: ",", omittingEmptySubsequences: false).map(
                String.init)
            let wanted = takesSignals ? words.filter { $0 != Self.signals } : words
            types = try Self.types(wanted, takesSignals: takesSignals)
            self.takesSignals = wanted.count < words.count
        }
        if let text = query["filter[conversation]"] {
            guard let id = ConversationID(text) else { throw Self.unknownConversation(query) }
            conversation = id
        }
        direction = try query.word("filter[direction]", Direction.self)
        imported = try query.word("filter[imported]", Imported.self) ?? .exclude
        if direction != nil || imported == .only { self.takesSignals = false }
    }

    /// The refusal of a conversation that the reader cannot see, or that does not exist.
    static func unknownConversation(_ query: Query) -> Problem {
        Problem(
            parameter: "filter[conversation]", in: query,
            allowed: "the id of a conversation of these businesses",
            fix: "Take the id from GET /api/conversations.")
    }

    /// Whether it lets an event through.
    func includes(_ event: Event) -> Bool {
        switch imported {
        case .exclude: if event.isImported { return false }
        case .include: break
        case .only: if !event.isImported { return false }
        }
        if let types, !types.contains(event.type) { return false }
        if let conversation, event.conversation?.id != conversation { return false }
        guard let direction else { return true }
        guard case .message(let message) = event.body else { return false }
        return message.facts.direction == direction
    }

    /// Whether it lets a signal through.
    func includes(_ signal: Signal) -> Bool {
        takesSignals && (conversation == nil || signal.conversation == conversation)
    }

    private static let known = EventType.known.reduce(into: [String: EventType]()) {
        $0[$1.rawValue] = $1
    }

    private static func types(
        _ words: [String], takesSignals: Bool
    ) throws(Problem) -> Set<EventType> {
        var types: Set<EventType> = []
        var findings: [ParameterFinding] = []
        for word in words {
            if let type = known[word] {
                types.insert(type)
            } else if findings.count < mostFindings {
                findings.append(unknown(word, takesSignals: takesSignals))
            }
        }
        guard findings.isEmpty else { throw Problem(.invalid, findings) }
        return types
    }

    /// Most findings in one refusal; a query can hold thousands of words.
    private static let mostFindings = 16

    private static func unknown(_ word: String, takesSignals: Bool) -> ParameterFinding {
        let candidates = known.keys.sorted() + (takesSignals ? [signals] : [])
        let fix: String
        if word == signals {
            fix = "Follow the stream for signals: they are not stored."
        } else if let near = Nearest.find(word, among: candidates) {
            fix = "Did you mean \(near)?"
        } else {
            fix = "Take the type from /docs/events."
        }
        return ParameterFinding(
            rule: .value, parameter: "filter[type]", found: Quoted.text(word),
            allowed: "types of /docs/events, with commas between them", fix: fix)
    }
}
