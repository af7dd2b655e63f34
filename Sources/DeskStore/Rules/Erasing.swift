import DeskCrypto
import DeskJSON
public import DeskModel

/// Replaces the content of some messages of one conversation by tombstones, here and wherever the store
/// has a copy of it; what is erased already stays as it is.
///
/// Refused as `notFound` when one of the messages is unknown, and as `onHold` while one that has content is kept: then
/// nothing is erased. The cost grows
/// with the number of the conversation's messages.
public struct Erasing: WriteStep {
    /// Most messages of an order of a program that erases many: more are erased in several.
    public static let mostAtOnce = 300

    /// Whose messages they are.
    public let conversation: ConversationID
    /// The messages, by their senders' ids.
    public let messages: [MessageID]
    /// Who orders it.
    public let author: Author
    /// When.
    public let time: Timestamp
    /// The moment from before which they are, where that is why; nil for any other reason.
    ///
    /// What there is beside the messages and is younger then stays as long as a message has content.
    public let limit: Timestamp?
    /// What the gateway keeps of their content by itself, by name; ended also where they are erased already.
    public let objects: [String]
    /// The key of the digests that replace the content's; it is never stored.
    let key = RandomBytes.make(SHA256.byteCount)

    /// Puts an order together, with a key of its own.
    public init(
        _ messages: [MessageID], in conversation: ConversationID, by author: Author,
        at time: Timestamp, olderThan limit: Timestamp? = nil, objects: [String] = []
    ) {
        self.limit = limit
        self.objects = objects
        self.messages = messages
        self.conversation = conversation
        self.author = author
        self.time = time
    }
}

extension StoredMessage {
    /// The payload of a tombstone: an empty JSON object.
    public static let tombstonePayload = Array("{}".utf8)

    /// The message without its content.
    ///
    /// Its number, position, time, direction, kind, author, origin and id stay, with when it was
    /// erased. Payload, summary, headers, warnings, template values, file names, the message that it
    /// answers and the join code are gone.
    ///
    /// The digest becomes an HMAC of it, so that guessed contents cannot be compared with it, and
    /// the chain of the conversation's messages still has a link of its own here.
    func erased(by order: Erasing) -> StoredMessage {
        let code = HMACSHA256.code(for: Array(digest.text.utf8), key: order.key)
        guard let keyed = Digest(bytes: code) else {
            preconditionFailure("an HMAC has another count of bytes than a digest")
        }
        return StoredMessage(
            id: id, conversation: conversation, business: business, sequence: sequence,
            position: position, time: time,
            facts: MessageFacts(
                direction: facts.direction, kind: facts.kind, author: facts.author,
                origin: facts.origin),
            payload: .bytes(Self.tombstonePayload), digest: keyed,
            checksum: MessageChecksum.checksum(
                of: Self.tombstonePayload, id: id, in: conversation, sequence: sequence),
            erasedAt: order.time)
    }

    /// The message's id as every answer of ours has it in JSON.
    package var quotedID: [UInt8] {
        var text: [UInt8] = []
        JSONWriter.append(id.text, to: &text)
        return text
    }

    /// The data of the event that says of the erasure: the message, its number, and who erased it.
    func erasureData(by author: Author) -> [UInt8] {
        JSONWriter.object {
            $0.member("message", id.text)
            $0.member("sequence", Int(sequence.value))
            $0.by(author)
        }
    }
}
