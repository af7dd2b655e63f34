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
        let undoes = fields.claim("undoClose") ?? false
        if undoes, state == nil || state == .closed {
            fields.note(
                "undoClose", "true together with a state other than closed",
                "Add the state in which the conversation was.")
        }
        change = state.map {
            undoes ? .undoClose($0, until: until) : ConversationChange(entering: $0, until: until)
        }
    }
}
