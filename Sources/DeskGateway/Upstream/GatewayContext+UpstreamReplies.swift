import DeskJSON
import DeskMessages
import DeskModel
import DeskStore

extension GatewayContext {
    /// Most messages among which the card that a customer answers is looked for, the newest.
    private static let mostSearched = 200
    private static let searchedAtOnce = 50

    /// The message of the business that a customer's answers: a card by its `requestIdentifier`, which an answer repeats
    /// (protocol page 2.4), or what `replyToMessageId` names; nil for none that is known.
    func answered(
        by payload: [UInt8], in known: Conversation?
    ) async throws(GatewayRefusal) -> MessageID? {
        // Safe: what cannot be read answers nothing.
        guard let known, let root = try? JSONDocument(parsing: payload).root else { return nil }
        if let name = root["replyToMessageId"]?.string.flatMap({ MessageID($0) }) {
            let found = try await parts.asking { store throws(StoreError) in
                try await store.findMessage(name, in: known.id)
            }
            if found?.facts.direction == .outbound { return name }
        }
        guard let request = Self.request(of: root), !request.isEmpty else { return nil }
        var range = ThreadRange.newest
        for _ in 0..<(Self.mostSearched / Self.searchedAtOnce) {
            let asked = range
            let page = try await parts.asking { store throws(StoreError) in
                try await store.messages(in: known.id, asked, limit: Self.searchedAtOnce)
            }
            let card = page.elements.last { message in
                message.facts.direction == .outbound && Self.isCard(message, of: request)
            }
            if let card { return card.id }
            guard page.hasMore, let first = page.elements.first else { return nil }
            range = .before(first.sequence)
        }
        return nil
    }

    private static func isCard(_ message: StoredMessage, of request: String) -> Bool {
        guard let bytes = message.payload.carriedBytes,
            let root = try? JSONDocument(parsing: bytes).root
        else { return false }
        return Self.request(of: root).map { $0.utf8.elementsEqual(request.utf8) } ?? false
    }

    private static func request(of root: JSONValue) -> String? {
        root["interactiveData"]?["data"]?["requestIdentifier"]?.string
    }
}
