import DeskJSON
import DeskModel

extension GroupDecision {
    /// Adds a suggested answer.
    mutating func add(_ step: AddSuggestion) throws(Undecided) -> Suggestion {
        let suggestion = step.suggestion
        let place = try require(suggestion.conversation)
        var row = row(at: place)
        guard row.conversation.business == suggestion.business else { throw .refused(.notFound) }
        guard !row.conversation.hasLeft else { throw .refused(.customerLeft) }
        // An erasure removes suggestions that may repeat it; one after it would stay.
        guard try !hasErased(among: step.messages, in: suggestion.conversation) else {
            throw .refused(.messageErased)
        }
        let waiting = try suggestions(in: suggestion.conversation)
        guard waiting.count < Suggestion.mostPerConversation else { throw .refused(.unusable) }
        rows.suggestions[suggestion.conversation] = waiting + [suggestion]
        changes.append(.suggestion(suggestion))
        changes.append(
            .registry(
                .contents(.addSuggestion(suggestion.id, of: suggestion.business)),
                author: suggestion.author))
        append(
            .suggestionAdded, to: &row, at: place,
            body: .json(SuggestionText.added(suggestion)), at: suggestion.createdAt)
        keep(row, at: place, .inItsEvents)
        return suggestion
    }

    /// Removes a suggested answer that an agent decided on.
    mutating func settle(_ step: SettleSuggestion) throws(Undecided) -> Suggestion {
        let place = try require(step.conversation)
        var row = row(at: place)
        let waiting = try suggestions(in: step.conversation)
        guard let suggestion = waiting.first(where: { $0.id == step.id }) else {
            throw .refused(.suggestionSettled)
        }
        rows.suggestions[step.conversation] = waiting.filter { $0.id != step.id }
        changes.append(.removedSuggestion(step.id))
        changes.append(
            .registry(
                .contents(.settleSuggestion(step.id, of: suggestion.business)),
                author: step.author))
        append(
            .suggestionSettled, to: &row, at: place,
            body: .json(SuggestionText.settled(suggestion, step)), at: step.time)
        keep(row, at: place, .inItsEvents)
        return suggestion
    }

    /// Whether one of these messages is erased, by an earlier step of the group too.
    private func hasErased(
        among ids: [MessageID], in conversation: ConversationID
    ) throws(Undecided) -> Bool {
        var others: [MessageID] = []
        for id in ids {
            guard let known = rows.messages[.init(id: id, conversation: conversation)] else {
                others.append(id)
                continue
            }
            if known?.message.erasedAt != nil { return true }
        }
        guard !others.isEmpty else { return false }
        guard let areErased = rows.erased[.init(ids: others, conversation: conversation)] else {
            throw .needs(.erased(among: others, in: conversation))
        }
        return areErased
    }

    private func suggestions(in conversation: ConversationID) throws(Undecided) -> [Suggestion] {
        guard let waiting = rows.suggestions[conversation] else {
            throw .needs(.suggestions(in: conversation))
        }
        return waiting
    }
}

/// The data of the events of suggestions, as JSON text; nothing of the content is in them.
private enum SuggestionText {
    static func added(_ suggestion: Suggestion) -> [UInt8] {
        JSONWriter.object { text in
            text.member("suggestion") { $0.head(suggestion) }
            text.by(suggestion.author)
        }
    }

    static func settled(_ suggestion: Suggestion, _ step: SettleSuggestion) -> [UInt8] {
        JSONWriter.object { text in
            text.member("suggestion") { $0.head(suggestion) }
            text.member("outcome", step.outcome.rawValue)
            text.member("message", step.message?.text)
            text.by(step.author)
        }
    }
}

extension JSONWriter {
    fileprivate mutating func head(_ suggestion: Suggestion) {
        object { text in
            text.member("id", suggestion.id.text)
            text.member("kind", suggestion.kind.rawValue)
            text.member("model", suggestion.model)
        }
    }
}
