import DeskModel
import DeskWeb

/// What a request changes of a conversation's state of work.
struct StateChange {
    /// The change; nil when the request does not speak of the state.
    let change: ConversationChange?

    /// Reads the members of a request's body; a wake-up time goes with the state snoozed only.
    init(_ fields: inout Fields, at now: Timestamp) {
        let state = fields.word("state", ConversationState.self)
        let wake = fields.text("snoozedUntil", bytes: 1...64)
        let until = wake.flatMap { Timestamp($0) }
        if wake != nil, until == nil || (until.map { $0 <= now } ?? false) {
            fields.note("snoozedUntil", "a moment to come", "Write it as 2030-01-31T09:00:00Z.")
        }
        if wake != nil, state != .snoozed {
            fields.note(
                "snoozedUntil", "a moment together with the state snoozed", "Add the state snoozed."
            )
        }
        change =
            switch state {
            case .open: .reopen
            case .pending: .pend
            case .snoozed: .snooze(until: until)
            case .closed: .close
            case nil: nil
            }
    }
}
