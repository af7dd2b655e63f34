public import DeskModel

/// One thing that a store holds and that is not what was written; safe to log.
public struct Damage: Hashable, Sendable, CustomStringConvertible {
    /// The kind of thing: `message`, `event`, `note`, `conversation`, `attachment`, `library`, `webhook`,
    /// `file`.
    public let kind: String
    /// Its conversation, where that is known.
    public var conversation: ConversationID?
    /// Its number in the conversation, where it has one.
    public var sequence: SequenceNumber?
    /// Its place in the log, where it has one.
    public var position: Position?
    /// Its own name, for what has neither number nor place.
    public var name: String?
    /// What differs.
    public let reason: String

    /// Names something damaged.
    public init(
        _ kind: String, conversation: ConversationID? = nil, sequence: SequenceNumber? = nil,
        position: Position? = nil, name: String? = nil, reason: String
    ) {
        self.kind = kind
        self.conversation = conversation
        self.sequence = sequence
        self.position = position
        self.name = name
        self.reason = reason
    }

    /// One line: what it is, where it lies, what differs.
    public var description: String {
        var words = [kind]
        if let name { words.append(name) }
        if let conversation { words.append("conversation=\(conversation.text)") }
        if let sequence { words.append("sequence=\(sequence.value)") }
        if let position { words.append("position=\(position.value)") }
        return words.joined(separator: " ") + ": " + reason
    }
}
