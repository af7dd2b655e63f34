/// Why a well-formed request was not carried out; each side turns it into its own wire form.
public enum Refusal: String, Error, Sendable, CaseIterable {
    /// The customer deleted the conversation and has not written since (409; gateway 410).
    case customerLeft = "customer_left"
    /// The message id is known with other bytes (409).
    case idempotencyConflict = "idempotency_conflict"
    /// The message of this id was erased; the id is never used again (410).
    case messageErased = "message_erased"
    /// The `Idempotency-Key` is known with another body (422).
    case idempotencyMismatch = "idempotency_mismatch"
    /// The first request with this `Idempotency-Key` still runs (409, `Retry-After: 1`).
    case idempotencyInProgress = "idempotency_in_progress"
    /// No such thing, or another business's (404).
    case notFound = "not_found"
    /// The business would have no owner who can sign in (403).
    case lastOwner = "last_owner"
    /// The author's role does not permit it, or not any more (403).
    case notPermitted = "not_permitted"
    /// People do it, and programs that are no registered bots; a bot passes control on (403).
    case notForBots = "not_for_bots"
    /// Only an owner makes an owner, changes one or removes one (403).
    case onlyOwners = "only_owners"
    /// The name or e-mail address is in use (409).
    case nameTaken = "name_taken"
    /// Another answer settled the request, such as an earlier payment (422).
    case settled = "not_offered"
    /// The conversation's revision is another than the request demands (412).
    case preconditionFailed = "precondition_failed"
    /// The conversation is assigned to another agent than the request expects (409).
    case alreadyAssigned = "already_assigned"
    /// What the request names cannot be used, or no longer: a person who is no member, a label that is
    /// retired or one too many (422).
    case unusable = "invalid"
    /// Another sender wrote to the customer after the message that the sender saw last (409).
    case answeredMeanwhile = "answered_meanwhile"
    /// The suggested answer was sent or rejected before (409).
    case suggestionSettled = "suggestion_settled"
    /// The customer's channel accepts nothing more of the business's own accord until the customer writes
    /// again (409).
    case replyWindowOver = "reply_window_over"
    /// Another has control of the conversation: a bot neither answers there nor passes it on (409).
    case notInControl = "not_in_control"
    /// Only its author changes a note (403).
    case notAuthor = "not_author"
    /// The note's text was deleted, and comes not back (409).
    case noteDeleted = "note_deleted"
    /// The contact was merged into another, so it is neither merged again nor changed (409).
    case alreadyMerged = "already_merged"
    /// The contact is not merged into another, or no longer (409).
    case notMerged = "not_merged"
    /// The customer is blocked: nothing is stored (403).
    case customerBlocked = "customer_blocked"
    /// An owner keeps the content from being erased or changed (409).
    case onHold = "on_hold"
    /// More than the limit (429).
    case rateLimited = "rate_limited"

    /// Whether it says that what was asked for was stored before, by which the sender counts it as done.
    package var saysStored: Bool { self == .idempotencyConflict || self == .messageErased }

    /// The code as written in answers.
    public var code: String {
        switch self {
        case .lastOwner, .notAuthor, .notForBots, .notPermitted, .onlyOwners: "forbidden"
        case .customerLeft, .idempotencyConflict, .messageErased, .idempotencyMismatch,
            .idempotencyInProgress, .notFound, .nameTaken, .settled, .preconditionFailed,
            .answeredMeanwhile, .alreadyAssigned, .noteDeleted, .unusable, .alreadyMerged,
            .notMerged, .suggestionSettled, .notInControl, .replyWindowOver,
            .customerBlocked, .onHold, .rateLimited:
            rawValue
        }
    }
}
