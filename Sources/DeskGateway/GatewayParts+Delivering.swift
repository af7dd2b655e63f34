import DeskBroker
import DeskJSON
import DeskLog
import DeskModel
import DeskStore

/// What the targets of all links do alike.
extension GatewayParts {
    /// The message with its payload, which events over 32 KiB do not carry; nil for a damaged one.
    func whole(_ message: StoredMessage) async throws(StoreError) -> StoredMessage? {
        if message.payload.carriedBytes != nil { return message }
        return try await store.findMessage(message.id, in: message.conversation)
    }

    /// Puts the outcome of an attempt beside the message, where agents see it; one that is tried again has none.
    ///
    /// - Parameter losses: what the channel does not have, of an accepted one.
    func report(
        _ result: DeliveryResult, _ losses: [JSON] = [], of message: StoredMessage,
        in conversation: Conversation
    ) async {
        let type: EventType
        var members: [(String, JSON)] = [("message", .string(message.id.text))]
        switch result {
        case .failed: return
        case .accepted(let status, _):
            type = .messageDeliveredUpstream
            members.append(("status", status.map { .integer($0) } ?? .null))
            if !losses.isEmpty { members.append(("losses", .array(losses))) }
        case .refused(let status, let detail):
            type = .messageRefusedUpstream
            members.append(("status", status.map { .integer($0) } ?? .null))
            members.append(("detail", .string(await isErased(message) ? "" : detail)))
        }
        do throws(BrokerError) {
            _ = try await broker.append(
                type, of: message.business, in: conversation.id,
                data: JSON.object(members).bytes())
        } catch {
            // The delivery itself is kept with its outcome; only the notice beside it is missing.
            noteMissingOutcome(of: message)
        }
    }

    /// Whether a message was erased during its attempt; one that cannot be read counts as erased.
    private func isErased(_ message: StoredMessage) async -> Bool {
        do throws(StoreError) {
            let now = try await store.findMessage(message.id, in: message.conversation)
            return now?.erasedAt != nil
        } catch {
            return true
        }
    }

    /// Logs that what became of a message is not shown beside it.
    func noteMissingOutcome(of message: StoredMessage) {
        log.warning("outcome_not_stored", ["message": .text(message.id.text)])
    }
}
