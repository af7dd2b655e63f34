public import DeskModel

/// Why a step is not decided.
public enum Undecided: Error, Sendable {
    /// The decision must know this first; then the same step is decided again.
    case needs(Lookup)
    /// The step is refused, and with it the whole group.
    case refused(Refusal)
    /// The store cannot carry the step out.
    case failed(StoreError)
}

/// Decides the steps of one group: what a store looked up goes in; rows, events and results come out.
///
/// A pure value: it knows no store, clock or chance, so every store decides alike. Each step sees
/// what the steps before it decided. A step that is not decided leaves the value as it was, and a
/// refused group is undone by forgetting the value.
public struct GroupDecision: Sendable {
    /// The log's life; part of every event's name.
    package let epoch: Epoch
    /// The position of the last event that is decided.
    package internal(set) var newest: Int64
    /// What to write, in order.
    package internal(set) var changes: [RowChange] = []
    /// The events, in order: position rises by one with each.
    package internal(set) var events: [Event] = []
    /// The messages' rows.
    package internal(set) var messages: [MessageRow] = []
    /// The conversations that the group looked at.
    package internal(set) var conversations: [DecidedConversation] = []

    /// Whether the group erases content: its rows are written all or none.
    package internal(set) var hasTombstones = false
    /// Whether an id may be known already, and is looked up before its message is decided.
    private(set) var looksForRepeats: Bool
    /// Conversations that do not exist.
    var missing: [ConversationID] = []
    var rows = FoundRows() { didSet { hasRows = true } }
    /// Whether `rows` may have anything: most groups need only their conversation.
    private var hasRows = false

    /// Begins a group after a position.
    ///
    /// Looking for each id costs more than to find out by writing: a store may first assume that
    /// every id is new, and when a row of the same id exists decide the group again with
    /// `lookingForRepeats`.
    package init(after newest: Int64, in epoch: Epoch, lookingForRepeats: Bool) {
        self.newest = newest
        self.epoch = epoch
        looksForRepeats = lookingForRepeats
    }

    /// Begins another group, in the memory that a forgotten one had.
    package mutating func begin(after newest: Int64, lookingForRepeats: Bool) {
        self.newest = newest
        looksForRepeats = lookingForRepeats
    }

    /// Forgets the group, and keeps its memory for the next one.
    package mutating func forget() {
        changes.removeAll(keepingCapacity: true)
        events.removeAll(keepingCapacity: true)
        messages.removeAll(keepingCapacity: true)
        conversations.removeAll(keepingCapacity: true)
        hasTombstones = false
        missing.removeAll()
        if hasRows { rows = FoundRows() }
        hasRows = false
    }

    /// Moves the events to the end of a list, once their rows are written.
    package mutating func moveEvents(to list: inout [Event]) {
        // Most groups have one event; to move it costs less than to copy and destroy it.
        if events.count == 1, let only = events.popLast() {
            list.append(only)
        } else {
            list += events
            events.removeAll(keepingCapacity: true)
        }
    }

    // MARK: What steps use

    /// A conversation's place; nil when there is none of that id.
    func find(_ id: ConversationID) throws(Undecided) -> Int? {
        for place in conversations.indices
        where conversations[place].row.conversation.id == id {
            return place
        }
        guard missing.contains(id) else { throw .needs(.conversation(id)) }
        return nil
    }

    /// A conversation's place.
    ///
    /// - Throws: `notFound` as a refusal.
    func require(_ id: ConversationID) throws(Undecided) -> Int {
        guard let place = try find(id) else { throw .refused(.notFound) }
        return place
    }

    /// The number of a business's row.
    ///
    /// - Throws: `notFound` as a refusal.
    func require(_ id: BusinessID) throws(Undecided) -> Int64 {
        guard let found = rows.businesses[id] else { throw .needs(.business(id)) }
        guard let number = found else { throw .refused(.notFound) }
        return number
    }

    /// A conversation's row, as the steps so far left it; an array's element would be copied twice.
    func row(at place: Int) -> ConversationRow { conversations.span[place].row }

    /// Puts a conversation back in its place as a step left it.
    mutating func keep(
        _ row: consuming ConversationRow, at place: Int, _ change: DecidedConversation.Change
    ) {
        conversations[place].row = consume row
        if conversations[place].change < change { conversations[place].change = change }
    }

    /// Appends an event of a conversation, whose revision it raises.
    mutating func append(
        _ type: EventType, to row: inout ConversationRow, at place: Int, body: consuming EventBody,
        note: EventPlace.Note? = nil, at time: Timestamp
    ) {
        row.conversation.revision = row.conversation.revision.next
        append(
            type, of: row.conversation.business, beside: row.conversation, body,
            EventPlace(business: row.business, conversation: place, note: note), at: time)
    }

    /// Appends an event at the next position.
    mutating func append(
        _ type: EventType, of business: BusinessID, beside conversation: consuming Conversation?,
        _ body: consuming EventBody, _ place: EventPlace, at time: Timestamp
    ) {
        newest += 1
        changes.append(.event(events.count, place))
        events.append(
            Event(
                id: EventID(epoch: epoch, position: Position(newest)), type: type, time: time,
                business: business, conversation: conversation, body: body))
    }
}
