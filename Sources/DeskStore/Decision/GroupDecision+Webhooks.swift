import DeskModel

extension GroupDecision {
    /// Disables an endpoint that is enabled, and says so in an event.
    mutating func disable(_ step: DisableWebhook) throws(Undecided) -> Bool {
        let number = try require(step.business)
        guard let isEnabled = rows.webhooks[step.id] else { throw .needs(.webhook(step.id)) }
        guard isEnabled else { return false }
        rows.webhooks[step.id] = false
        changes.append(.disabledWebhook(step.id, step.disabled))
        changes.append(
            .registry(.links(.saveWebhook(step.id, of: step.business)), author: step.author))
        append(
            .webhookDisabled, of: step.business, beside: nil, .json(step.event),
            EventPlace(business: number, conversation: nil, note: nil), at: step.disabled.time)
        return true
    }
}
