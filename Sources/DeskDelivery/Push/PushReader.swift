import DeskBroker
import DeskJSON
public import DeskModel
public import DeskStore
public import DeskTeam

/// Notifies customers' browsers that the business has answered, while no page is open.
///
/// What is pushed says in which conversation and by whom, and no word of the answer: the browser asks for that with its
/// session when it shows the notification.
public struct PushReader: LogReader {
    /// What its cursor lies under.
    public let name = ReaderName("push")
    /// It acts, so it begins with what comes.
    public let beginning = ReaderBeginning.newest
    /// It stores nothing.
    public let beginningWrites = ReaderWrites.nothing

    private let store: any Store
    private let sender: PushSender
    private let time: TimeSource

    /// Reads a store and has a sender send.
    public init(of store: any Store, by sender: PushSender, time: TimeSource = .system) {
        self.store = store
        self.sender = sender
        self.time = time
    }

    /// Whether it wants the events of a type: those of messages.
    public func wants(_ type: EventType) -> Bool { type == .messageAccepted }

    /// Sends the newest answer of each conversation to the browsers that are to be notified of it.
    public func apply(_ events: [Event]) async throws(StoreError) -> ReaderWrites {
        var newest: [ConversationID: SequenceNumber] = [:]
        for event in events {
            guard case .message(let message) = event.body, message.facts.direction == .outbound,
                message.facts.importedFrom == nil, message.erasedAt == nil
            else { continue }
            newest[message.conversation] = message.sequence
        }
        guard !newest.isEmpty else { return .nothing }
        let found = try await store.pushSubscriptions(
            in: Array(newest.keys), at: time.latest())
        var messages: [PushMessage] = []
        var payloads: [ConversationID: [UInt8]] = [:]
        for subscription in found {
            guard case .customer(let id, of: _) = subscription.owner else { continue }
            if payloads[id] == nil, let sequence = newest[id] {
                payloads[id] = try await payload(of: sequence, in: id)
            }
            // Nothing to say where the customer muted the conversation, or deleted it.
            if let payload = payloads[id], !payload.isEmpty {
                messages.append(
                    PushMessage(subscription: subscription, subject: id.text, payload: payload))
            }
        }
        await sender.send(messages)
        // What a server that ends has not sent is read again by the next one.
        guard !Task.isCancelled else { throw StoreError(.closed, "the server ends") }
        return .nothing
    }

    /// What is pushed; empty where the customer wants nothing of it.
    private func payload(
        of sequence: SequenceNumber, in id: ConversationID
    ) async throws(StoreError) -> [UInt8] {
        guard let conversation = try await store.findConversation(id), !conversation.hasLeft,
            !conversation.isMuted, sequence > conversation.deletedUpTo,
            let business = try await store.findBusiness(conversation.business)
        else { return [] }
        return JSONWriter.object { text in
            text.member("conversation", id.text)
            text.member("business", business.name)
            text.member("sequence", Int(sequence.value))
        }
    }
}
