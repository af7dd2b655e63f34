package import DeskCalendar
import DeskJSON
package import DeskModel

/// What conditions are judged by: the conversation as it is, and the event.
package struct RuleSubject: Sendable {
    /// The conversation.
    let conversation: Conversation
    /// The message that the event is about; nil for other events.
    let message: StoredMessage?
    /// When it happened.
    let time: Timestamp
    /// When the conversation's team answers; nil is always.
    let hours: OpeningTimes?

    /// Puts the four together.
    package init(
        _ event: Event, _ conversation: Conversation, hours: OpeningTimes?
    ) {
        self.conversation = conversation
        self.hours = hours
        time = event.time
        if case .message(let message) = event.body {
            self.message = message
        } else {
            message = nil
        }
    }

    /// What was found for each condition, in words that name nothing of a customer's content; nil when
    /// one of them is not so.
    package func found(for conditions: [RuleCondition]) -> [String]? {
        var found: [String] = []
        for condition in conditions {
            let (isSo, text) = judge(condition.test)
            guard isSo != condition.isNot else { return nil }
            found.append(text)
        }
        return found
    }

    private func judge(_ test: RuleCondition.Test) -> (isSo: Bool, found: String) {
        switch test {
        case .state(let state):
            return (conversation.state == state, conversation.state.rawValue)
        case .assignee(let holder):
            let assignee = conversation.assignee
            let isSo =
                switch holder {
                case .nobody: assignee == nil
                case .somebody: assignee != nil
                case .agent(let agent): assignee == agent
                }
            return (isSo, assignee?.text ?? "nobody")
        case .team(let team):
            return (conversation.team == team, conversation.team?.text ?? "none")
        case .label(let label):
            let isSo = conversation.labels.contains(label)
            return (isSo, isSo ? "has it" : "has it not")
        case .priority(let priority):
            return (conversation.priority == priority, conversation.priority.rawValue)
        case .language(let language):
            let locale = conversation.customer.locale ?? ""
            return (Self.isLanguage(language, of: locale), locale.isEmpty ? "unknown" : locale)
        case .intent(let intent):
            return (conversation.customer.intent == intent, conversation.customer.intent ?? "none")
        case .group(let group):
            return (conversation.customer.group == group, conversation.customer.group ?? "none")
        case .isWithinHours(let isWithin):
            let isOpen = hours?.isOpen(at: time) ?? true
            return (isOpen == isWithin, isOpen ? "within" : "outside")
        case .scoreAtMost(let most):
            let score = conversation.satisfaction?.answer?.score
            return (score.map { $0 <= most } ?? false, score.map { "\($0)" } ?? "none")
        case .text(let text):
            let isSo = message.map { Self.says(text, $0) } ?? false
            return (isSo, isSo ? "contains it" : "does not contain it")
        case .kind(let kind):
            return (message?.facts.kind == kind, message?.facts.kind.rawValue ?? "none")
        case .channel(let origin):
            return (message?.facts.origin == origin, message?.facts.origin.rawValue ?? "none")
        }
    }

    /// `ja` is the language of `ja`, `ja-JP` and `ja_JP`.
    private static func isLanguage(_ language: String, of locale: String) -> Bool {
        func parts(_ text: String) -> [String] {
            text.lowercased().split { $0 == "-" || $0 == "_" }.map(String.init)
        }
        let wanted = parts(language)
        return !wanted.isEmpty && parts(locale).starts(with: wanted)
    }

    /// Whether a message's words contain a text; of one that travels by reference its line for lists is
    /// looked through.
    private static func says(_ text: String, _ message: StoredMessage) -> Bool {
        let wanted = text.lowercased()
        if message.facts.summary.lowercased().contains(wanted) { return true }
        guard let bytes = message.payload.carriedBytes, !bytes.isEmpty,
            // Safe: what is no JSON says nothing.
            let body = (try? JSONDocument(parsing: bytes))?.root["body"]?.string
        else { return false }
        return body.lowercased().contains(wanted)
    }
}
