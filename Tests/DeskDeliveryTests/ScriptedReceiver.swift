import DeskBroker
import DeskEventJSON
import DeskHTTP
import DeskLog
import DeskModel
import DeskStore
import DeskStoreSQLite
import StoreSupport
import Synchronization
import TestSupport

@testable import DeskDelivery

let dawn = Timestamp(seconds: 1_900_000_000)
let shop = BusinessID(UniqueID(high: 1, low: 1))
let otherShop = BusinessID(UniqueID(high: 1, low: 2))

/// Stands in for every receiver: answers as a closure says, and remembers what was posted.
final class ScriptedReceiver: OutgoingClient {
    /// One post.
    struct Post: Sendable {
        let url: String
        let id: String
        let fields: [String: String]
        let body: [UInt8]
    }

    typealias Script = @Sendable (Post, Int) async -> Result<OutgoingAnswer, OutgoingError>

    let script: Mutex<Script>
    private let state = Mutex<[Post]>([])

    init(_ script: @escaping Script = { _, _ in .success(OutgoingAnswer(status: .noContent)) }) {
        self.script = Mutex(script)
    }

    var posts: [Post] { state.withLock { $0 } }

    /// The ids that were posted to an address.
    func ids(at url: String) -> [String] { posts.filter { $0.url == url }.map(\.id) }

    func open(_ request: OutgoingRequest) async throws(OutgoingError) -> OutgoingAnswer {
        try await send(request)
    }

    func send(_ request: OutgoingRequest) async throws(OutgoingError) -> OutgoingAnswer {
        guard case .bytes(let body) = request.body else {
            throw OutgoingError(.address, "no body")
        }
        let fields = request.headers.all.map { ($0.name.lowercased(), $0.value) }
        let post = Post(
            url: request.url, id: request.headers["webhook-id"] ?? "",
            fields: Dictionary(fields) { $1 }, body: body)
        let attempt = state.withLock { posts in
            posts.append(post)
            return posts.count { $0.url == post.url && $0.id == post.id }
        }
        return try await script.withLock { $0 }(post, attempt).get()
    }

    /// Waits until as many posts were made.
    func wait(for count: Int) async throws {
        try await Wait.until("\(count) posts were made") { posts.count >= count }
    }
}

/// A store in memory with two businesses, and a runner on it.
struct Posting {
    let broker: Broker
    let runner: WebhookRunner
    let receiver: ScriptedReceiver
    let time: TestTime

    init(
        _ receiver: ScriptedReceiver = ScriptedReceiver(), waits: [Duration] = [.seconds(5)],
        metrics: Metrics = Metrics(),
        wallClockAhead: @escaping @Sendable () -> Duration = { .zero },
        over wrap: (SQLiteStore) -> any Store = { $0 }
    ) async throws {
        let store = try SQLiteStore(inMemory: Epoch(0xE))
        let time = TestTime()
        let source = TimeSource(
            now: { time.now.advanced(by: wallClockAhead()) }, instant: time.source.instant,
            sleep: time.source.sleep)
        for business in [shop, otherShop] {
            try await store.save(
                Business(id: business, name: "S", colour: "#000000", mode: .test, createdAt: dawn),
                author: .server)
        }
        self.init(
            Broker(store: wrap(store), now: { time.now }), receiver, time, source, waits, metrics)
    }

    private init(
        _ broker: Broker, _ receiver: ScriptedReceiver, _ time: TestTime, _ source: TimeSource,
        _ waits: [Duration], _ metrics: Metrics
    ) {
        self.broker = broker
        self.receiver = receiver
        self.time = time
        runner = WebhookRunner(
            broker: broker, webhooks: LoadedWebhooks(store: broker.store),
            poster: WebhookPoster(client: receiver, time: time.source, version: "1"),
            authorNames: AuthorNames(store: broker.store),
            schedule: RetrySchedule(waits: waits, jitter: 0), time: source,
            metrics: metrics)
    }

    /// The same after a new start of the server, which knows what the store has.
    func startedAgain(waits: [Duration]) -> Posting {
        Posting(broker, receiver, time, time.source, waits, Metrics())
    }

    var store: any Store { broker.store }

    /// Adds an endpoint.
    func add(
        _ number: Int, of business: BusinessID = shop, _ change: (inout Webhook) -> Void = { _ in }
    ) async throws -> Webhook {
        var webhook = Webhook(
            id: WebhookID(UniqueID(high: 0xE, low: UInt64(number))), business: business,
            url: "https://\(number).example/", secret: Array(repeating: 7, count: 32),
            createdAt: dawn)
        webhook.types = [.messageAccepted]
        change(&webhook)
        guard try await store.add(webhook, author: .server) else {
            throw Unexpected("no room for an endpoint")
        }
        return webhook
    }

    /// Stores a message of a conversation's customer, and returns its event's id.
    @discardableResult
    func write(
        _ id: String, in number: Int = 1, of business: BusinessID = shop
    ) async throws -> String {
        let conversation = ConversationID(UniqueID(high: 0xC, low: UInt64(number)))
        guard let name = MessageID(id), let person = CustomerID("urn:mbid:AAA\(number)=") else {
            throw Unexpected("an id")
        }
        let submission = Submission(
            conversation: conversation, id: name, payload: Array("hello".utf8),
            facts: MessageFacts(
                direction: .inbound, kind: .text, author: .customer(device: ""), origin: .api,
                summary: id))
        let open = OpenConversation(
            conversation, business: business, customer: Customer(id: person), at: dawn)
        _ = try await store.append([
            [.open(open), .message(NewMessage(submission, at: dawn))]
        ])
        return EventID(epoch: store.epoch, position: store.newest).text
    }

    /// Erases a message of a conversation.
    func erase(_ id: String, in number: Int = 1) async throws {
        guard let name = MessageID(id) else { throw Unexpected("an id") }
        let conversation = ConversationID(UniqueID(high: 0xC, low: UInt64(number)))
        let order = Erasing([name], in: conversation, by: .server, at: time.now)
        _ = try await store.append(order).get()
    }

    /// Posts while the body runs.
    func run(_ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await runner.run() }
            try await body()
            group.cancelAll()
        }
    }

    /// Lets time pass, then more of it until a condition holds: the sender may have looked at the clock just before.
    func pass(
        _ duration: Duration, until what: String, _ holds: () async throws -> Bool
    ) async throws {
        // One that looked at the clock just before would sleep as long again.
        if duration > .zero {
            try await Wait.until("the sender sleeps") { time.sleeperCount > 0 }
        }
        time.advance(by: duration)
        try await Wait.until(what) {
            time.advance(by: .milliseconds(10))
            return try await holds()
        }
    }

    /// Waits until an endpoint has as many deliveries in a state.
    func wait(for count: Int, _ state: Delivery.State, of webhook: Webhook) async throws {
        try await Wait.until("\(count) deliveries are \(state)") {
            try await store.countDeliveries(of: webhook.outbox)[state] == count
        }
    }
}
