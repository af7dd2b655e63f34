import DeskBroker
import DeskHTTP
import DeskJSON
import DeskLinks
import DeskModel
import DeskStore

extension TypingRelay {
    /// Time that WhatsApp has to answer: what comes later is of no use.
    private static let patience = Duration.seconds(5)
    /// Newest messages among which the customer's last one is looked for.
    private static let mostSearched = 50

    /// Marks the customer's messages as read that an answer is sent after.
    func passAnswer(_ message: StoredMessage) async {
        guard message.facts.direction == .outbound, message.facts.importedFrom == nil,
            let link = parts.links.find(id), link.side == .whatsapp
        else { return }
        parts.reads.endTyping(in: message.conversation, over: id)
        guard !message.facts.author.isByItself else { return }
        await mark(message.conversation, over: link, isTyping: false)
    }

    /// Sends WhatsApp the mark that the customer's last message was read, and where it is so that someone types: once, whatever
    /// comes of it.
    func mark(_ place: ConversationID, over link: GatewayLink, isTyping: Bool) async {
        guard WhatsAppSettings(link.settings).marksRead,
            let secrets = WhatsAppSecrets(link.secret)
        else { return }
        do {
            guard let conversation = try await parts.store.findConversation(place),
                !conversation.hasLeft, conversation.blockedAt == nil,
                parts.links.reaches(
                    conversation, boundTo: try await parts.store.findUpstream(of: place),
                    over: link),
                let message = try await lastSeen(in: conversation, isTyping: isTyping),
                let name = message.facts.whatsAppName
            else { return }
            // What is typed after the time for answers cannot be sent.
            let isTyping =
                isTyping && conversation.freeFormUntil.map { parts.time.now() < $0 } ?? false
            let isNews =
                isTyping
                ? parts.reads.type(
                    message.sequence, in: place, over: id, at: parts.time.instant())
                : parts.reads.read(message.sequence, in: place, over: id)
            guard isNews else { return }
            let client = WhatsAppClient(
                parts: parts, link: link, secrets: secrets, conversation: place,
                message: message.id)
            var members: [(String, JSON)] = [
                ("messaging_product", "whatsapp"), ("status", "read"),
                ("message_id", .string(name)),
            ]
            if isTyping { members.append(("typing_indicator", ["type": "text"])) }
            let body = JSON.object(members).bytes()
            var headers = client.fields
            headers.append("Content-Type", "application/json")
            _ = try await client.askJSON(
                .bounded(
                    .post, client.address("/\(link.mspID)/messages"), headers: headers,
                    body: .bytes(body), timeout: Self.patience),
                body: body)
        } catch {
            // A mark may be lost; the wire log has its exchange.
        }
    }

    /// The customer's last message that was read, or where someone types the last one.
    private func lastSeen(
        in conversation: Conversation, isTyping: Bool
    ) async throws(StoreError) -> StoredMessage? {
        try await parts.store.messages(in: conversation.id, .newest, limit: Self.mostSearched)
            .elements.last { message in
                message.facts.direction == .inbound && message.facts.whatsAppName != nil
                    && (isTyping || message.sequence <= conversation.readUpTo)
            }
    }
}
