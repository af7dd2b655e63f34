import DeskModel

/// All that the memory store holds, behind its lock.
struct MemoryState {
    struct Thread {
        var conversation: Conversation
        var messages: [StoredMessage] = []
        /// Where a sender's id is, and the digest of what was posted under it.
        var known: [MessageID: (place: Int, posted: Digest)] = [:]
        var notes: [Note] = []
    }

    struct Membership: Hashable {
        let agent: AgentID
        let business: BusinessID
    }

    struct TemplateKey: Hashable {
        let business: BusinessID
        let name: TemplateName
    }

    struct CustomerKey: Hashable {
        let business: BusinessID
        let customer: CustomerID
    }

    struct HoldKey: Hashable {
        let holder: AttachmentHolder
        let attachment: AttachmentID
    }

    struct DeviceKey: Hashable {
        let token: Digest
        let agent: AgentID
    }

    struct Hold {
        var use: AttachmentUse
        let time: Timestamp
        /// Until when an upload is kept; nil when something names it.
        var end: Timestamp?
        /// Whether it was given up; its file is being removed.
        var isOver = false
    }

    let epoch: Epoch
    var events: [Event] = []
    /// Events forgotten for replay.
    var forgotten = 0
    var threads: [ConversationID: Thread] = [:]
    var byCustomer: [CustomerKey: ConversationID] = [:]

    var businesses: [Business] = []
    var links: [EntryLink] = []
    var agents: [Agent] = []
    var roles: [Membership: Role] = [:]
    var invitations: [Invitation] = []
    var keys: [APIKey] = []
    var sessions: [Digest: Session] = [:]
    /// When agents signed in last with devices.
    var devices: [DeviceKey: Timestamp] = [:]
    var codes: [JoinCode] = []
    var templates: [TemplateKey: [Template]] = [:]
    var holds: [HoldKey: Hold] = [:]
    var answers: [[UInt8]: RememberedAnswer] = [:]
    var settings: [[UInt8]: [UInt8]] = [:]
    var outboxes: [OutboxID: MemoryOutbox] = [:]
    var gatewayLinks: [GatewayLink] = []
    var mmcsObjects: [String: MMCSObject] = [:]
    var upstreams: [ConversationID: GatewayLinkID] = [:]
    var exchanges: [WireExchange] = []
    var exchangeCount: Int64 = 0

    var listener: (@Sendable ([Event]) -> Void)?
    var isClosed = false
    /// How to take back what the group that runs has done, newest last.
    private var undo: [(inout MemoryState) -> Void] = []

    init(epoch: Epoch) { self.epoch = epoch }

    var newest: Position { Position(Int64(forgotten + events.count)) }
    var oldest: Position { Position(Int64(forgotten)) }

    /// Applies a group whole or not at all.
    mutating func apply(_ group: [Write]) throws(StoreError) -> [Outcome] {
        undo.removeAll()
        let told = events.count
        var outcomes: [Outcome] = []
        do {
            for write in group {
                let outcome = try carryOut(write)
                if case .refused = outcome {
                    takeBack(to: told)
                    return [outcome]
                }
                outcomes.append(outcome)
            }
        } catch {
            takeBack(to: told)
            throw error
        }
        undo.removeAll()
        return outcomes
    }

    private mutating func takeBack(to told: Int) {
        events.removeLast(events.count - told)
        while let step = undo.popLast() { step(&self) }
    }

    /// Replaces a thread, so that it can be taken back.
    mutating func keep(_ thread: Thread) {
        let id = thread.conversation.id
        let before = threads.updateValue(thread, forKey: id)
        undo.append { $0.threads[id] = before }
    }

    mutating func willUndo(_ step: @escaping (inout MemoryState) -> Void) { undo.append(step) }

    /// Appends an event of a conversation, whose revision it raises.
    ///
    /// The caller keeps the thread.
    mutating func tell(
        _ type: EventType, in thread: inout Thread, body: EventBody, at time: Timestamp
    ) -> Event {
        thread.conversation.revision = thread.conversation.revision.next
        return tell(
            type, of: thread.conversation.business, in: thread.conversation, body: body, at: time)
    }

    /// Appends an event.
    mutating func tell(
        _ type: EventType, of business: BusinessID, in conversation: Conversation?,
        body: EventBody, at time: Timestamp
    ) -> Event {
        let event = Event(
            id: EventID(epoch: epoch, position: Position(newest.value + 1)), type: type,
            time: time, business: business, conversation: conversation, body: body)
        events.append(event)
        return event
    }
}
