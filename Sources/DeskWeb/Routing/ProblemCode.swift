public import DeskHTTP

/// The words a client's program can test; each has a page under `/docs/problems/`.
public enum ProblemCode: String, Sendable, CaseIterable {
    case malformedJSON = "malformed_json"
    case badRequest = "bad_request"
    case unauthenticated = "unauthenticated"
    case secondFactorRequired = "second_factor_required"
    case passkeyRequired = "passkey_required"
    case wrongCode = "wrong_code"
    case secondFactorMissing = "second_factor_missing"
    case secondFactorActive = "second_factor_active"
    case forbidden = "forbidden"
    case missingScope = "missing_scope"
    case approvalNeeded = "approval_needed"
    case notFound = "not_found"
    case methodNotAllowed = "method_not_allowed"
    case customerLeft = "customer_left"
    case approvalEnded = "approval_ended"
    case nameTaken = "name_taken"
    case templateInUse = "template_in_use"
    case alreadyAssigned = "already_assigned"
    case alreadyMerged = "already_merged"
    case notMerged = "not_merged"
    case customerBlocked = "customer_blocked"
    case identityRefused = "identity_refused"
    case idempotencyConflict = "idempotency_conflict"
    case idempotencyInProgress = "idempotency_in_progress"
    case draftConflict = "draft_conflict"
    case answeredMeanwhile = "answered_meanwhile"
    case noteDeleted = "note_deleted"
    case onHold = "on_hold"
    case suggestionSettled = "suggestion_settled"
    case assistantUnavailable = "assistant_unavailable"
    case assistantUnusable = "assistant_unusable"
    case notInControl = "not_in_control"
    case replyWindowOver = "reply_window_over"
    case whatsAppTemplateRefused = "whatsapp_template_refused"
    case whatsAppUnusable = "whatsapp_unusable"
    case whatsAppUnavailable = "whatsapp_unavailable"
    case messageErased = "message_erased"
    case attachmentGone = "attachment_gone"
    case cursorGone = "cursor_gone"
    case preconditionFailed = "precondition_failed"
    case tooLarge = "too_large"
    case unsupportedMediaType = "unsupported_media_type"
    case rangeNotSatisfiable = "range_not_satisfiable"
    case invalid = "invalid"
    case notOffered = "not_offered"
    case paymentRefused = "payment_refused"
    case pictureTooLarge = "picture_too_large"
    case idempotencyMismatch = "idempotency_mismatch"
    case requestTimeout = "request_timeout"
    case rateLimited = "rate_limited"
    case unavailable = "unavailable"
    case outcomeUnknown = "outcome_unknown"
    case storageFull = "storage_full"
    case damaged = "damaged"

    /// The status that goes with the code.
    public var status: Status {
        switch self {
        case .malformedJSON, .badRequest: .badRequest
        case .unauthenticated, .secondFactorRequired, .wrongCode: .unauthorized
        case .forbidden, .passkeyRequired, .missingScope, .approvalNeeded, .customerBlocked,
            .identityRefused:
            .forbidden
        case .notFound: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .customerLeft, .approvalEnded, .nameTaken, .templateInUse, .alreadyAssigned,
            .alreadyMerged,
            .notMerged,
            .idempotencyConflict,
            .idempotencyInProgress, .draftConflict, .answeredMeanwhile, .noteDeleted,
            .onHold,
            .suggestionSettled, .notInControl, .replyWindowOver, .whatsAppTemplateRefused,
            .whatsAppUnusable, .secondFactorMissing, .secondFactorActive:
            .conflict
        case .messageErased, .attachmentGone, .cursorGone: .gone
        case .preconditionFailed: .preconditionFailed
        case .tooLarge: .contentTooLarge
        case .unsupportedMediaType: .unsupportedMediaType
        case .rangeNotSatisfiable: .rangeNotSatisfiable
        case .invalid, .notOffered, .paymentRefused, .pictureTooLarge, .idempotencyMismatch,
            .assistantUnusable:
            .unprocessableContent
        case .requestTimeout: .requestTimeout
        case .rateLimited: .tooManyRequests
        case .unavailable, .outcomeUnknown, .storageFull, .assistantUnavailable,
            .whatsAppUnavailable:
            .serviceUnavailable
        case .damaged: .internalServerError
        }
    }

    /// The code of a refusal that comes with a file's answer; nil for any other status.
    package static func ofFile(_ status: Status) -> ProblemCode? {
        switch status {
        case .preconditionFailed: .preconditionFailed
        case .rangeNotSatisfiable: .rangeNotSatisfiable
        default: nil
        }
    }

    /// A short sentence that is the same for every occurrence.
    public var title: String {
        switch self {
        case .malformedJSON: "The body is not JSON"
        case .badRequest: "The request cannot be understood"
        case .unauthenticated: "No valid credential"
        case .secondFactorRequired: "The second factor is missing"
        case .wrongCode: "The code is wrong"
        case .passkeyRequired: "A passkey is needed"
        case .secondFactorMissing: "There is no second factor"
        case .secondFactorActive: "There is a second factor already"
        case .forbidden: "Not allowed"
        case .missingScope: "The key lacks a scope"
        case .approvalNeeded: "A second person has to approve it"
        case .approvalEnded: "The request for approval has ended"
        case .notFound: "No such thing"
        case .methodNotAllowed: "No such method here"
        case .customerLeft: "The customer has left the conversation"
        case .nameTaken: "The name is in use"
        case .templateInUse: "The template is in use"
        case .alreadyAssigned: "The conversation is assigned already"
        case .alreadyMerged: "The contact was merged already"
        case .notMerged: "The contact is not merged"
        case .customerBlocked: "The customer is blocked"
        case .identityRefused: "The identity of the customer is refused"
        case .idempotencyConflict: "The message id is known with other bytes"
        case .idempotencyInProgress: "The first request with this key still runs"
        case .draftConflict: "The draft was changed on another device"
        case .answeredMeanwhile: "A colleague has answered"
        case .noteDeleted: "The note was deleted"
        case .onHold: "The content is on legal hold"
        case .suggestionSettled: "The suggestion was decided on already"
        case .assistantUnavailable: "The model gives no answer"
        case .assistantUnusable: "The model's answer cannot be used"
        case .notInControl: "Another has control of the conversation"
        case .replyWindowOver: "The time to answer has ended"
        case .whatsAppTemplateRefused: "The template cannot be sent"
        case .whatsAppUnusable: "The number at WhatsApp cannot be used for this"
        case .whatsAppUnavailable: "WhatsApp gives no answer"
        case .messageErased: "The message of this id was erased"
        case .attachmentGone: "A file of the message is gone"
        case .cursorGone: "No events follow this cursor any more"
        case .preconditionFailed: "The precondition does not hold"
        case .tooLarge: "Too many bytes"
        case .unsupportedMediaType: "This media type is not read here"
        case .rangeNotSatisfiable: "No such range"
        case .invalid: "The content breaks a rule"
        case .notOffered: "The answer was not offered"
        case .paymentRefused: "The merchant refused the payment"
        case .pictureTooLarge: "The picture has too many pixels"
        case .idempotencyMismatch: "The idempotency key is known with another body"
        case .requestTimeout: "The body came too slowly"
        case .rateLimited: "Too many requests"
        case .unavailable: "Not possible at the moment"
        case .outcomeUnknown: "Whether it was stored is not known"
        case .storageFull: "The disk is full"
        case .damaged: "What was stored is damaged"
        }
    }
}
