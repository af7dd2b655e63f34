public import DeskModel
import DeskStore
import Synchronization

/// How much may wait for a live reader before it is cut off.
public struct StreamLimits: Sendable {
    /// Most items that wait for one reader; one more cuts it off.
    public var queuedItems = 256
    /// Most bytes that wait for one reader; more cut it off.
    public var queuedBytes = 1_048_576
    /// Most signals among them; the oldest is dropped for one more, since none is ever missed.
    public var queuedSignals = 64
    /// Most entries of presence that a reader receives when it begins.
    public var presenceEntries = 1_024
    /// Most events in recent memory, from which a resume is served without the log.
    public var recentEvents = 1_024
    /// Most bytes in recent memory.
    public var recentBytes = 4 * 1_048_576
    /// Events read from the log at a time.
    public var replayPage = 300
    /// How long, in seconds, a reader waits whose cursor is ahead of what this process has published.
    public var catchUpSeconds = 2

    /// The limits of docs/limits.md.
    public init() {}
}

/// For whom an event is written.
public enum Audience: Sendable {
    /// Agents and integrations.
    case business
    /// The customer's own end.
    case customer
}

/// An event in recent memory, written once for all its readers.
public final class SharedEvent: Sendable {
    /// The event.
    public let event: Event
    /// About how many bytes its text has.
    let byteCount: Int
    private let texts = Mutex<(business: [UInt8]?, customer: [UInt8]?)>((nil, nil))

    init(_ event: Event) {
        self.event = event
        byteCount =
            switch event.body {
            case .message(let message):
                2_048 + (message.payload.carriedBytes?.count ?? 0) + message.facts.warnings.count
                    + (message.facts.metadataText?.utf8.count ?? 0)
            case .json(let bytes): 1_024 + bytes.count
            case .note(let note): 1_024 + note.text.utf8.count
            case .conversation: 1_024
            }
    }

    /// The event's text for an audience; made for the first reader, which may happen twice.
    ///
    /// Every caller passes the same pure function for the same audience.
    public func text(for audience: Audience, made make: (Event) -> [UInt8]) -> [UInt8] {
        switch audience {
        case .business:
            if let text = texts.withLock({ $0.business }) { return text }
            let text = make(event)
            texts.withLock { $0.business = text }
            return text
        case .customer:
            if let text = texts.withLock({ $0.customer }) { return text }
            let text = make(event)
            texts.withLock { $0.customer = text }
            return text
        }
    }
}

/// What a stream's reader gets, in order.
public enum StreamItem: Sendable {
    /// An event, exactly once and in order.
    case event(SharedEvent)
    /// Typing or presence; beside the events, without id.
    case signal(Signal)
    /// The reader has caught up; what follows is live.
    case live(EventID)
    /// The cursor is unknown, too old, in the future or of another epoch: reload, go on from here.
    case reset(EventID)
    /// The reader was too slow; the stream ends and may be resumed from the last event.
    case cutOff

    /// Whether it is an event with a message of a conversation.
    func isMessage(of conversation: ConversationID?) -> Bool {
        guard case .event(let shared) = self, case .message(let message) = shared.event.body else {
            return false
        }
        return message.conversation == conversation
    }
}
