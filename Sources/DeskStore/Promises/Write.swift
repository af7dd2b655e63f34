public import DeskModel

/// A message on its way into the log, with what the store needs to recognise it again.
public struct NewMessage: Sendable {
    /// The judged message.
    public let submission: Submission
    /// SHA-256 of the bytes as posted.
    public let posted: Digest
    /// SHA-256 of the payload.
    public let digest: Digest
    /// When it is accepted.
    public let time: Timestamp

    /// Hashes a submission; call it away from the writer.
    public init(_ submission: Submission, at time: Timestamp) {
        self.submission = submission
        self.time = time
        digest = .sha256(submission.payload)
        posted = submission.posted.map { .sha256($0) } ?? digest
    }

    /// A message that another store had: of what was posted only the digest is known.
    ///
    /// With nil the payload is what was posted.
    package init(_ submission: Submission, posted: Digest?, at time: Timestamp) {
        self.submission = submission
        self.time = time
        digest = .sha256(submission.payload)
        self.posted = posted ?? digest
    }
}

/// One step of a group.
public enum Write: Sendable {
    /// Opens the conversation unless the customer has one with the business already.
    case open(ConversationID, business: BusinessID, customer: Customer, at: Timestamp)
    /// Accepts a message.
    case message(NewMessage)
    /// Goes on only while a conversation has one of some revisions; with nil while it exists.
    ///
    /// Refused as `preconditionFailed` otherwise.
    case demand(ConversationID, revisions: [Revision]?)
    /// Changes a conversation.
    case change(ConversationID, ConversationChange, by: Author, at: Timestamp)
    /// Leaves a note.
    case note(ConversationID, NoteID, text: String, by: Author, at: Timestamp)
    /// Tells of something that other parts of the server did; `data` is a JSON object's text.
    case event(
        EventType, business: BusinessID, conversation: ConversationID?, data: [UInt8], at: Timestamp
    )
    /// Publishes a template's next version.
    case template(Template)
    /// Begins a session.
    case session(Session)
    /// Uses a join code once for a conversation.
    case redeem(link: Digest, for: ConversationID, at: Timestamp)
    /// Notes that a conversation's customer is reached over an upstream link; the newest link counts.
    case bind(ConversationID, to: GatewayLinkID)
    /// Keeps objects of the gateway, by their ids, as long as the conversation whose message names them.
    case keepObjects([String])
    /// Changes a member's role, or ends the membership.
    case member(MemberChange)
}

/// What one step came to.
public enum Outcome: Sendable {
    /// The conversation as it is now, opened by this step or before it.
    case conversation(Conversation, isNew: Bool)
    /// The message as stored, now or before.
    case message(Acceptance)
    /// The note.
    case note(Note)
    /// The event's name.
    case event(EventID)
    /// The version that the template was given.
    case template(Template)
    /// The member's role is what it should be; with it these keys' grants for the business ended.
    case member(endedKeys: [KeyID])
    /// The session began, the code was used, or the gateway's note was made.
    case done
    /// The step was refused, and with it the whole group.
    case refused(Refusal)
}
