import DeskAPI
import DeskModel
import DeskStore
import DeskStoreSQLite

/// Fills a data directory through the store itself, so that checksums and heads are right.
///
/// Usage: StoreBuilder DIRECTORY MESSAGES CONVERSATIONS; prints the business's id. The same numbers
/// give the same messages.
@main struct StoreBuilder {
    static let start = Timestamp(seconds: 1_700_000_000)
    static let shop = BusinessID(UniqueID(high: 0xB, low: 1))
    static let corner = BusinessID(UniqueID(high: 0xB, low: 2))
    static let messagesPerGroup = 2_000
    /// Messages of the small business, as far apart as the others' number allows.
    static let cornerMessages = 100

    static func main() async throws {
        let words = CommandLine.arguments
        guard words.count == 4, let messages = Int(words[2]), let conversations = Int(words[3]),
            conversations > 0, messages >= conversations
        else {
            print("usage: StoreBuilder DIRECTORY MESSAGES CONVERSATIONS")
            return
        }
        let store = try SQLiteStore(directory: words[1], newEpoch: Epoch(1))
        store.follow { _ in }
        for (id, name) in [(corner, "Corner"), (shop, "Shop")] {
            try await store.save(
                Business(
                    id: id, name: name, colour: "#336699", mode: .live, createdAt: start),
                author: .server)
        }
        try await open(place(corner), of: corner, customer: "urn:mbid:AAAACORNER=", in: store)
        try await open(conversations, in: store)
        let search = try SQLiteSearch(
            of: store, directory: words[1], isPatient: false, readable: ReadableText.text(of:))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                // Beside the writing, on another core.
                while !Task.isCancelled {
                    guard try await !search.advance().mayGoOn else { continue }
                    try? await Task.sleep(for: .milliseconds(20))  // Safe: cancelling ends it.
                }
            }
            try await write(messages, over: conversations, to: store)
            try await makeTeam(in: store)
            try await work(conversations, in: store)
            group.cancelAll()
        }
        while try await search.advance().mayGoOn {}
        await search.close()
        await store.close()
        print(shop.text)
    }

    /// Writes all messages; the small business's lie between the others at even distances.
    private static func write(
        _ messages: Int, over conversations: Int, to store: SQLiteStore
    ) async throws {
        var random = Numbers(state: 1)
        let distance = max(1, messages / cornerMessages)
        for first in stride(from: 0, to: messages, by: messagesPerGroup) {
            var group: [WriteGroup<NewMessage>] = []
            for number in first..<min(first + messagesPerGroup, messages) {
                // Neighbours in time are of conversations far apart.
                let place = conversation(number * 7_919 % conversations)
                group.append(try message(number, in: place, of: shop, &random))
                if number.isMultiple(of: distance), number / distance < cornerMessages {
                    group.append(
                        try message(number, in: Self.place(corner), of: corner, &random))
                }
            }
            _ = try await store.append(group)
        }
    }

    /// The one conversation of the small business.
    private static func place(_ corner: BusinessID) -> ConversationID {
        ConversationID(corner.value)
    }

    static func conversation(_ number: Int) -> ConversationID {
        ConversationID(UniqueID(high: 0xC, low: UInt64(number)))
    }

    private static func open(
        _ id: ConversationID, of business: BusinessID, customer: String, in store: SQLiteStore
    ) async throws {
        guard let name = CustomerID(customer) else { throw StoreError(.refused, customer) }
        _ = try await store.append(
            OpenConversation(id, business: business, customer: Customer(id: name), at: start))
    }

    /// Opens conversations.
    private static func open(_ count: Int, in store: SQLiteStore) async throws {
        for first in stride(from: 0, to: count, by: messagesPerGroup) {
            let groups = try (first..<min(first + messagesPerGroup, count)).map {
                number in
                guard let id = CustomerID("urn:mbid:AAAA\(number)=") else {
                    throw StoreError(.refused, "customer \(number)")
                }
                return WriteGroup(
                    OpenConversation(
                        conversation(number), business: shop, customer: Customer(id: id), at: start)
                )
            }
            _ = try await store.append(groups)
        }
    }

    private static func message(
        _ number: Int, in place: ConversationID, of business: BusinessID,
        _ random: inout Numbers
    ) throws -> WriteGroup<NewMessage> {
        let time = Timestamp(milliseconds: start.milliseconds + Int64(number) * 1_000)
        let name = UniqueID(milliseconds: time.milliseconds, using: &random).text
        guard let id = MessageID(name) else { throw StoreError(.refused, name) }
        let body = body(number, &random)
        let payload = """
            {"v":1,"id":"\(name)","type":"text","sourceId":"\(place.text)",\
            "destinationId":"\(business.text)","locale":"en_US","body":"\(body)"}
            """
        let isInbound = number.isMultiple(of: 2)
        let facts = MessageFacts(
            direction: isInbound ? .inbound : .outbound, kind: .text,
            author: isInbound
                ? .customer(device: "") : .key(KeyID(UniqueID(high: 0xD, low: 1))),
            origin: isInbound ? .phone : .api, summary: String(body.prefix(80)))
        return WriteGroup(
            NewMessage(
                Submission(
                    conversation: place, id: id, payload: Array(payload.utf8),
                    posted: nil, facts: facts), at: time))
    }

    /// Sixty words, few of them often and many seldom, as in any language; some Japanese.
    private static func body(_ number: Int, _ random: inout Numbers) -> String {
        var words: [String] = []
        for _ in 0..<60 {
            // The product of two even chances leans towards small numbers.
            let rank = Int(random.next() % 5_000) * Int(random.next() % 5_000) / 5_000
            words.append("word\(rank)")
        }
        if number.isMultiple(of: 10) { words.append("ご注文の配送日は火曜日です") }
        if number.isMultiple(of: 10_000) { words.append("needle\(number / 10_000)") }
        return words.joined(separator: " ")
    }
}

/// A small generator whose numbers are the same everywhere.
struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
