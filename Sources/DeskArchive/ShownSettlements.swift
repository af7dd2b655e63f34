import DeskMessages
import DeskModel
import DeskStore

/// The requests that answers of an archive settle, as far as their payloads still show it.
struct ShownSettlements {
    private struct Name: Hashable {
        let conversation: ConversationID
        let message: MessageID
    }

    private var requests: [Name: MessageKind] = [:]
    private var settled: Set<Name> = []
    /// The first answer of each request, in the order of the log.
    private(set) var all: [ArchivedSettlement] = []

    /// Notes a message that asks what is settled once, or answers it.
    mutating func note(_ item: ArchiveItem) {
        guard case .message(let message) = item,
            message.facts.kind == .payment || message.facts.kind == .authentication
        else { return }
        switch message.facts.direction {
        case .outbound:
            let name = Name(conversation: message.conversation, message: message.id)
            requests[name] = message.facts.kind
        case .inbound:
            guard let request = message.facts.inReplyTo else { return }
            let name = Name(conversation: message.conversation, message: request)
            guard requests[name] == message.facts.kind, SettlingAnswer.isSuccess(message.payload),
                settled.insert(name).inserted
            else { return }
            all.append(
                ArchivedSettlement(
                    conversation: message.conversation, request: request, answer: message.id))
        }
    }
}
