import DeskModel
import DeskStore
import DeskStoreSQLite
import FoundationEssentials
import TestSupport

/// The stores that keep the contract, by name.
enum Kept: CaseIterable, Sendable {
    case inMemory
    case inFile
    case inPostgreSQL

    static let allCases: [Kept] = TestedEngines.chosen([.inMemory, .inFile], [.inPostgreSQL])

    func with(_ body: (any Store) async throws -> Void) async throws {
        switch self {
        case .inMemory:
            let store = try SQLiteStore(inMemory: Epoch(0xE))
            try await body(store)
            await store.close()
        case .inFile:
            try await withScratch { directory in
                let store = try SQLiteStore(directory: directory, newEpoch: Epoch(0xE))
                do {
                    try await body(store)
                } catch {
                    await store.close()
                    throw error
                }
                await store.close()
            }
        case .inPostgreSQL:
            try await KeptRegistries.withPostgres { stores in try await body(stores[0]) }
        }
    }
}

/// Lends a directory that is gone afterwards.
func withScratch(_ body: (String) async throws -> Void) async throws {
    var random = SystemRandomNumberGenerator()
    let path =
        FileManager.default.temporaryDirectory.path + "/store-" + UniqueID(using: &random).text
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    do {
        try await body(path)
    } catch {
        try? FileManager.default.removeItem(atPath: path)  // Safe: the folder is temporary.
        throw error
    }
    try FileManager.default.removeItem(atPath: path)
}

/// A moment that the tests count from.
let dawn = Timestamp(seconds: 1_800_000_000)

/// Names made of small numbers, so that a failure can be read.
func uniqueID(_ number: UInt64) -> UniqueID { UniqueID(high: 0x4000, low: number) }

func business(_ number: UInt64) -> BusinessID { BusinessID(uniqueID(number)) }

func conversation(_ number: UInt64) -> ConversationID {
    ConversationID(uniqueID(0xC000 + number))
}

func agent(_ number: UInt64) -> AgentID { AgentID(uniqueID(0xA000 + number)) }

func customer(_ number: UInt64) throws -> Customer {
    let text = "urn:mbid:AAA\(number)="
    guard let id = CustomerID(text) else { throw Unexpected("customer id \(text)") }
    return Customer(id: id, locale: "ja")
}

func messageID(_ text: String) throws -> MessageID {
    guard let id = MessageID(text) else { throw Unexpected("message id \(text)") }
    return id
}

func submission(
    _ id: String, to conversation: ConversationID, _ text: String = "hello",
    direction: Direction = .inbound
) throws -> Submission {
    Submission(
        conversation: conversation, id: try messageID(id), payload: Array(text.utf8),
        facts: MessageFacts(
            direction: direction, kind: .text,
            author: direction == .inbound ? .customer(device: "d") : .agent(agent(1)),
            // No summary has control characters.
            origin: direction == .inbound ? .phone : .console,
            summary: String(text.map { $0 == "\0" ? " " : $0 })))
}

extension Store {
    /// Registers a business and opens a conversation in it.
    func begin(
        _ conversation: ConversationID, in business: BusinessID = business(1),
        customer number: UInt64 = 1
    ) async throws {
        try await save(
            Business(
                id: business, name: "Shop", colour: "#336699", mode: .live, createdAt: dawn),
            author: .server)
        _ = try await one(
            OpenConversation(
                conversation, business: business, customer: try customer(number), at: dawn))
    }

    /// Appends a group of one step and returns its answer.
    func one<Step: WriteStep>(_ step: Step) async throws -> Step.Answer {
        try await append(step).get()
    }

    func accept(_ submission: Submission) async throws -> Acceptance {
        try await one(NewMessage(submission, at: dawn))
    }

    func change(
        _ id: ConversationID, _ change: ConversationChange
    ) async throws -> Conversation {
        try await one(ChangeConversation(id, change, by: .agent(agent(1)), at: dawn))
    }

    func require(_ id: ConversationID) async throws -> Conversation {
        guard let found = try await findConversation(id) else { throw Unexpected("no \(id)") }
        return found
    }

    func types(_ scope: EventScope = .everything) async throws -> [EventType] {
        try await events(after: .start, in: scope, limit: 300).events.map(\.type)
    }
}
