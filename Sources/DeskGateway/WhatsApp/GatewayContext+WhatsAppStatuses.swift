import DeskBroker
import DeskHTTP
import DeskJSON
import DeskLog
import DeskModel
import DeskStore

extension GatewayContext {
    /// Most messages of a conversation among which one is looked for by its name in WhatsApp.
    private static let mostSearched = 50

    /// Keeps what became of a message that was sent.
    mutating func accept(
        status: JSONValue, over link: GatewayLink
    ) async throws(GatewayRefusal) {
        guard let name = status["id"]?.string,
            let receipt = status["status"]?.string.flatMap({ DeliveryReceipt(rawValue: $0) }),
            receipt != .accepted
        else {
            remark("A status \((status["status"]?.string ?? "").prefix(64)) is not read: dropped.")
            return
        }
        guard let message = try await find(name, status, over: link) else {
            remark("A status \(receipt.rawValue) is about no message of ours: dropped.")
            return
        }
        // An exchange belongs to what a customer said, where it brought that too.
        if self.message == nil {
            self.message = message.id
            conversation = message.conversation
        }
        let errors = Self.elements(status["errors"])
        let reason = errors.first.flatMap { WhatsAppFault.sentence($0, code: $0["code"]?.int) }
        let result = try await parts.asking { store throws(StoreError) in
            try await store.noteReceipt(
                receipt, of: name, because: reason, at: message.position, of: link.outbox,
                time: time)
        }
        switch result {
        case .known: return
        case .early: hasEarlyStatus = true
        case .kept: try await publish(receipt, reason, of: message)
        }
    }

    private func publish(
        _ receipt: DeliveryReceipt, _ reason: String?, of message: StoredMessage
    ) async throws(GatewayRefusal) {
        let name = JSON.string(message.id.text)
        let detail = message.erasedAt == nil ? reason ?? "failed" : ""
        let data: JSON =
            receipt == .failed
            ? ["message": name, "status": .null, "detail": .string(detail)]
            : ["message": name, "receipt": .string(receipt.rawValue)]
        do throws(BrokerError) {
            _ = try await parts.broker.append(
                receipt == .failed ? .messageRefusedUpstream : .messageReceiptChanged,
                of: message.business, in: message.conversation, data: data.bytes())
        } catch {
            // The receipt itself is kept; only the notice beside it is missing.
            parts.log.warning("outcome_not_stored", ["message": .text(message.id.text)])
        }
    }

    /// The message of a status: by the reference that it was sent with, or by its name there.
    private func find(
        _ name: String, _ status: JSONValue, over link: GatewayLink
    ) async throws(GatewayRefusal) -> StoredMessage? {
        if let text = status["biz_opaque_callback_data"]?.string,
            let reference = WhatsAppNames.readReference(text)
        {
            let found = try await parts.asking { store throws(StoreError) in
                try await store.findMessage(reference.message, in: reference.conversation)
            }
            if let found, found.business == link.business, found.facts.direction == .outbound {
                return found
            }
        }
        guard let number = status["recipient_id"]?.string,
            let customer = WhatsAppNames.customer(number)
        else { return nil }
        let known = try await parts.asking { store throws(StoreError) in
            try await store.findConversation(of: customer, with: link.business)
        }
        guard let known else { return nil }
        return try await find(name, in: known, over: link)
    }

    /// A message of a conversation by its name in WhatsApp, among the newest.
    func find(
        _ name: String, in conversation: Conversation, over link: GatewayLink
    ) async throws(GatewayRefusal) -> StoredMessage? {
        let id = WhatsAppNames.message(name, over: link.id)
        return try await parts.asking { store throws(StoreError) -> StoredMessage? in
            if let own = try await store.findMessage(id, in: conversation.id) { return own }
            let newest = try await store.messages(
                in: conversation.id, .newest, limit: Self.mostSearched
            ).elements.filter { $0.facts.direction == .outbound }
            let sent = try await store.deliveries(of: link.outbox, at: newest.map(\.position))
            let found = sent.first { $0.last?.answer == Array(name.utf8) }
            return newest.first { $0.position == found?.position }
        }
    }
}
