import DeskModel
import DeskStore
import DeskStoreSQLite

/// Appends messages to a store, some at a time, and nothing else: what a profiler is held against.
///
/// Usage: WriterBench DIRECTORY MESSAGES AT-A-TIME [BYTES]; the directory is made and left behind.
@main struct WriterBench {
    static let conversations = 64
    static let start = Timestamp(seconds: 1_800_000_000)

    static func main() async throws {
        let words = CommandLine.arguments
        guard (4...5).contains(words.count), let messages = Int(words[2]),
            let atATime = Int(words[3]), let bytes = words.count == 5 ? Int(words[4]) : 545
        else {
            print("usage: WriterBench DIRECTORY MESSAGES AT-A-TIME [BYTES]")
            return
        }
        let payload = payload(bytes)
        let store = try SQLiteStore(directory: words[1], newEpoch: Epoch(1))
        store.follow { _ in }
        try await open(store)
        let clock = ContinuousClock()
        let spent = try await clock.measure {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for first in 0..<atATime {
                    group.addTask {
                        for number in stride(from: first, to: messages, by: atATime) {
                            try await append(number, payload, to: store)
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        await store.close()
        print(
            "\(messages) messages, \(atATime) at a time: \(Int(Double(messages) / (spent / .seconds(1))))/s"
        )
    }

    private static let shop = BusinessID(UniqueID(high: 1, low: 1))
    private static let key = KeyID(UniqueID(high: 3, low: 1))

    private static func conversation(_ number: Int) -> ConversationID {
        ConversationID(UniqueID(high: 2, low: UInt64(number % conversations)))
    }

    private static func open(_ store: SQLiteStore) async throws {
        try await store.save(
            Business(id: shop, name: "S", colour: "#000000", mode: .test, createdAt: start),
            author: .server)
        for number in 0..<conversations {
            guard let name = CustomerID("urn:mbid:AAA\(number)=") else { continue }
            _ = try await store.append(
                OpenConversation(
                    conversation(number), business: shop, customer: Customer(id: name), at: start))
        }
    }

    private static let text = String(
        repeating: "a customer's question answered in a sentence of ordinary length. ", count: 100)
    private static let summary = String(text.prefix(120))

    private static func payload(_ bytes: Int) -> [UInt8] {
        let body = String(text.prefix(max(bytes - 25, 0)))
        return Array("{\"type\":\"text\",\"body\":\"\(body)\"}".utf8)
    }

    private static func append(
        _ number: Int, _ payload: [UInt8], to store: SQLiteStore
    ) async throws {
        let time = start.advanced(by: .milliseconds(number))
        var random = SystemRandomNumberGenerator()
        let id = MessageID(UniqueID(milliseconds: time.milliseconds, using: &random))
        let submission = Submission(
            conversation: conversation(number), id: id, payload: payload, posted: payload,
            facts: MessageFacts(
                direction: .outbound, kind: .text, author: .key(key), origin: .api,
                summary: summary))
        _ = try await store.append(NewMessage(submission, at: time))
    }
}
