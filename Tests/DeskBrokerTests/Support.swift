import DeskBroker
import DeskLog
import DeskModel
import DeskStore
import DeskStoreSQLite
import TestSupport

let dawn = Timestamp(seconds: 1_800_000_000)

let shop = BusinessID(UniqueID(high: 1, low: 1))
let otherShop = BusinessID(UniqueID(high: 1, low: 2))
let agent = Author.agent(AgentID(UniqueID(high: 2, low: 1)))

func customer(_ number: Int) throws -> Customer {
    guard let id = CustomerID("urn:mbid:AAA\(number)=") else { throw Unexpected("customer") }
    return Customer(id: id)
}

/// A store in memory with two businesses.
func makeStore() async throws -> SQLiteStore {
    let store = try SQLiteStore(inMemory: Epoch(0xE))
    for business in [shop, otherShop] {
        try await store.save(
            Business(id: business, name: "S", colour: "#000000", mode: .test, createdAt: dawn),
            author: .server)
    }
    return store
}

/// A broker on such a store.
func makeBroker(
    limits: StreamLimits = StreamLimits(), metrics: Metrics = Metrics()
) async throws -> Broker {
    Broker(store: try await makeStore(), now: { dawn }, limits: limits, metrics: metrics)
}

func message(
    _ id: String, to conversation: ConversationID, _ text: String = "hello",
    direction: Direction = .inbound, key: String? = nil
) throws -> Submission {
    guard let id = MessageID(id) else { throw Unexpected("message id") }
    let payload = Array(text.utf8)
    return Submission(
        conversation: conversation, id: id, payload: payload,
        facts: MessageFacts(
            direction: direction, kind: .text, author: agent, origin: .api, summary: text),
        idempotency: key.flatMap {
            IdempotencyClaim(
                credential: "key:1", route: "POST /m", key: $0, body: .sha256(payload))
        })
}

/// Reads items until the reader is live, and returns the positions of the events among them.
func replayed(_ reader: EventReader) async throws -> [Int64] {
    var positions: [Int64] = []
    while let item = try await reader.next() {
        switch item {
        case .event(let shared): positions.append(shared.event.id.position.value)
        case .live: return positions
        case .signal: break
        case .reset, .cutOff: throw Unexpected("\(item)")
        }
    }
    throw Unexpected("the stream ended")
}

func nextPosition(_ reader: EventReader) async throws -> Int64 {
    guard case .event(let shared) = try await reader.next() else {
        throw Unexpected("no event")
    }
    return shared.event.id.position.value
}
