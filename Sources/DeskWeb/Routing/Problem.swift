import DeskBytes
public import DeskHTTP
import DeskJSON
public import DeskModel
public import DeskStore

/// A refusal on its way to the client: an RFC 9457 problem document.
public struct Problem: Error, Sendable {
    /// The word a program tests.
    public let code: ProblemCode
    /// What went wrong this time, for a person; never message text of others, never a secret.
    public var detail: String
    /// Findings as a JSON array's text; empty when there are none.
    public var errors: [UInt8] = []
    /// Line and column of a fault in the JSON text, counted from 1.
    public var place: (line: Int, column: Int)?
    /// What is stored now, as JSON text, where a precondition did not hold: the conversation, the draft
    /// or the answer that came first.
    public var current: [UInt8] = []
    /// The entity tag of `current`.
    public var entityTag: String?
    /// What the merchant answered to a payment, such as `STATUS_FAILURE`.
    public var paymentStatus: String?
    /// Whole seconds after which it is worth asking again.
    public var retryAfterSeconds: Int?
    /// The request that waits for a second person, as JSON text.
    public var approval: [UInt8] = []
    /// What SCIM calls the refusal, on its routes (RFC 7644, section 3.12).
    public var scimType: String?
    /// Whether the connection ends after the answer, because a body was left unread.
    public var closesConnection = false

    /// Describes a refusal.
    public init(_ code: ProblemCode, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// Nothing of that name, or nothing that this credential may know of: the same words for both.
    public static let notFound = Problem(
        .notFound, "There is nothing of this name that the credential may see.")

    /// The answer's body.
    public var json: [UInt8] {
        var text = JSONWriter()
        text.object {
            $0.member("type", "/docs/problems/\(code.rawValue)")
            $0.member("title", code.title)
            $0.member("status", code.status.code)
            $0.member("detail", detail)
            $0.member("code", code.rawValue)
            if let place {
                $0.member("line", place.line)
                $0.member("column", place.column)
            }
            if let paymentStatus { $0.member("paymentStatus", paymentStatus) }
            if !errors.isEmpty { $0.member("errors", raw: errors) }
            if !current.isEmpty { $0.member("current", raw: current) }
            if !approval.isEmpty { $0.member("approval", raw: approval) }
        }
        return text.bytes
    }

    /// The whole answer.
    public var response: Response { answer("application/problem+json", json) }

    /// The whole answer with a body of its route's form.
    func answer(_ type: String, _ bytes: [UInt8]) -> Response {
        var response = Response(status: code.status, type: type, bytes)
        if let retryAfterSeconds {
            response.headers.append("Retry-After", String(retryAfterSeconds))
        }
        if let entityTag { response.headers.append("ETag", entityTag) }
        if code == .unauthenticated {
            response.headers.append("WWW-Authenticate", "Bearer realm=\"frontdesk\"")
        }
        response.closesConnection = closesConnection
        return response
    }
}

extension Problem {
    /// The refusal of a body that could not be read.
    package init(_ error: BodyError) {
        switch error {
        case .tooLarge: self.init(.tooLarge, "The body has more bytes than this route reads.")
        case .malformed, .disconnected:
            self.init(.badRequest, "The body ended before it was complete.")
        case .tooSlow: self.init(.requestTimeout, "The body came too slowly.")
        }
        closesConnection = true
    }

    /// The refusal of a store that could not keep its promise; only its code is shown.
    public init(_ error: StoreError) {
        switch error.code {
        case .full:
            self.init(.storageFull, "Nothing can be stored until there is space again.")
        case .refused:
            self.init(.badRequest, "The request asks for more than the store accepts.")
        case .damaged:
            self.init(.damaged, "What the store holds there is not what was written.")
        case .unknown:
            self.init(
                .outcomeUnknown,
                "The database went away while it stored this; it is not known yet whether it did.")
        case .busy, .failed, .unavailable, .closed, .keyMissing, .tooNew, .overloaded,
            .superseded:
            self.init(.unavailable, "The store cannot answer at the moment.")
        }
        guard code.status == .serviceUnavailable else { return }
        // A database that is switched to another machine is back within seconds.
        retryAfterSeconds = error.code == .unavailable ? 1 : 5
    }

    /// The public form of a refusal that the broker or the store gave.
    public init(_ refusal: Refusal) {
        switch refusal {
        case .customerLeft:
            self.init(
                .customerLeft,
                "The customer deleted the conversation; it opens again when the customer writes.")
        case .idempotencyConflict:
            self.init(
                .idempotencyConflict,
                "A message of this conversation has the same id and other bytes.")
        case .messageErased:
            self.init(
                .messageErased,
                "The message of this id was stored before, and its content was erased since.")
        case .idempotencyMismatch:
            self.init(
                .idempotencyMismatch,
                "The Idempotency-Key was used with another body on this route.")
        case .idempotencyInProgress:
            self.init(.idempotencyInProgress, "Ask again in a second with the same key and body.")
            retryAfterSeconds = 1
        case .lastOwner:
            self.init(.forbidden, "A business keeps at least one owner who can sign in.")
        case .notPermitted:
            self.init(.forbidden, "Your role in the business does not permit this.")
        case .notForBots:
            self.init(
                .forbidden,
                "A registered bot does not set a conversation to pending. Pass it to people: POST its "
                    + "control with the action pass.")
        case .onlyOwners:
            self.init(
                .forbidden,
                "Only an owner makes another member an owner, changes an owner or removes one.")
        case .notFound: self = .notFound
        case .preconditionFailed:
            self.init(
                .preconditionFailed,
                """
                The conversation is at another revision than If-Match names. Look at its current \
                state, and ask again with that revision.
                """)
        case .alreadyAssigned:
            self.init(
                .alreadyAssigned,
                """
                The conversation is another agent's than ifAssignee names, or another team's than \
                ifTeam names. The current state says whose.
                """)
        case .unusable:
            self.init(
                .invalid,
                """
                The request names a person, a label or a team that cannot be used there, or no longer, or \
                would leave more metadata there than may be kept.
                """)
        case .notAuthor: self.init(.forbidden, "Only its author changes or deletes a note.")
        case .noteDeleted:
            self.init(.noteDeleted, "The note was deleted; write another one.")
        case .alreadyMerged:
            self.init(
                .alreadyMerged,
                "The contact was merged into another. The current state says into which, and by whom."
            )
        case .notMerged: self.init(.notMerged, "The contact is not merged into another any more.")
        case .customerBlocked:
            self.init(
                .customerBlocked, "The business accepts no further messages from this customer.")
        case .answeredMeanwhile:
            self.init(
                .answeredMeanwhile,
                "A colleague answered after the message that ifLastSequence names.")
        case .suggestionSettled:
            self.init(
                .suggestionSettled,
                "The suggestion was sent or rejected meanwhile. Look at the conversation before you answer."
            )
        case .replyWindowOver:
            self.init(
                .replyWindowOver,
                """
                The customer's channel accepts what a business writes for a limited time after the customer's last \
                message, and that time has ended. Wait until the customer writes again.
                """)
        case .notInControl:
            self.init(
                .notInControl,
                """
                Another has control of the conversation, or nothing is offered to you. The current state says who \
                has it; a bot answers once people return it.
                """)
        case .onHold:
            self.init(
                .onHold,
                """
                This content is on legal hold: nothing of it is erased, and no note changed, until an owner of the \
                business releases the hold.
                """)
        case .nameTaken: self.init(.nameTaken, "Another has this name or address already.")
        case .settled: self.init(.notOffered, "This request was answered already.")
        case .rateLimited:
            self.init(.rateLimited, "Wait a moment before the next request.")
            retryAfterSeconds = 1
        }
    }
}
