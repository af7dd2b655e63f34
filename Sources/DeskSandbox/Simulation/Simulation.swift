public import DeskAPI
import DeskBroker
public import DeskHTTP
import DeskLinks
public import DeskModel
import DeskScript
import DeskStore
import DeskWeb
import Synchronization

/// Customers that a script moves, on a clock that stops between steps, in a server that exists for
/// a test.
///
/// They write through the same entry as a phone. What they are called, and what their messages are
/// called, follows from a seed and their name; when, from the clock.
public final class Simulation: Sendable {
    /// Most customers in all; one more is refused.
    static let maximumPeople = 10_000
    /// The longest that one script runs, in real time.
    public static let longestRun = Duration.seconds(600)
    /// How long a delivery that is under way is waited for, in real time.
    static let settling = Duration.seconds(15)
    /// Most refused posts of the provider's that are reported.
    private static let maximumRefusals = 3
    /// How often it is looked whether deliveries are under way.
    private static let look = Duration.milliseconds(5)

    let services: Services
    let business: Business
    let files: BlobFiles
    /// Opens the pages that a sign-in leads to; nil where there is no outside.
    let client: (any OutgoingClient)?
    /// The clock of the server.
    public let clock: VirtualClock
    private let cast = Mutex<[SimulatedPerson.Key: SimulatedPerson]>([:])

    /// Puts the parts together; the business is the one whose provider is tested.
    public init(
        services: Services, business: Business, files: BlobFiles, clock: VirtualClock,
        client: (any OutgoingClient)? = nil
    ) {
        self.client = client
        self.services = services
        self.business = business
        self.files = files
        self.clock = clock
    }

    // MARK: Who is there

    /// Reserves the customers of a script, new ones included; until they are released they are
    /// busy.
    func take(_ script: CustomerScript) throws(Problem) -> [SimulatedPerson] {
        let result: Result<[SimulatedPerson], Problem> = cast.withLock { cast in
            var taken: [SimulatedPerson] = []
            for person in script.customers {
                let key = SimulatedPerson.Key(seed: script.seed, name: person.name)
                guard let here = cast[key] ?? SimulatedPerson(person, key) else {
                    return .failure(.notFound)
                }
                guard !here.isBusy else {
                    return .failure(
                        Problem(
                            .idempotencyInProgress,
                            "\(person.name) is in another script that runs now. "
                                + "Wait for its end, or give this script another seed."))
                }
                taken.append(here)
            }
            guard cast.count + taken.count <= Self.maximumPeople else {
                return .failure(
                    Problem(.invalid, "There are \(Self.maximumPeople) customers already."))
            }
            for place in taken.indices {
                taken[place].describe(script.customers[place])
                taken[place].isBusy = true
                cast[taken[place].key] = taken[place]
            }
            return .success(taken)
        }
        return try result.get()
    }

    /// Gives customers back as they are now.
    func giveBack(_ people: [SimulatedPerson]) {
        cast.withLock { cast in
            for var person in people {
                person.isBusy = false
                cast[person.key] = person
            }
        }
    }

    /// The conversations of all customers of a name, whatever their seed.
    func conversations(ofName name: String) -> [ConversationID] {
        cast.withLock { cast in
            cast.values.filter { $0.key.name.utf8.elementsEqual(name.utf8) }.map(\.conversation)
        }
    }

    // MARK: Time

    /// Lets time pass: what falls due is tried before this returns.
    ///
    /// A jump lets each waiting delivery be tried once; its next wait begins after the jump.
    func advance(by duration: Duration) async throws(Problem) {
        try await settle()
        clock.advance(by: duration)
        try await settle()
    }

    /// Waits until everything that happened was brought to the provider, or waits for the clock.
    ///
    /// Limit: `settling` of real time; then it continues.
    func settle() async throws(Problem) {
        let end = services.time.instant() + Self.settling
        while try await isUnderWay(), services.time.instant() < end, !Task.isCancelled {
            // Safe: a sleep that was cut short is looked at above.
            try? await services.time.sleep(Self.look)
        }
    }

    private func isUnderWay() async throws(Problem) -> Bool {
        guard let outbox = services.links.find(.provider, of: business.id)?.outbox else {
            return false
        }
        let newest = services.broker.head.position
        let now = clock.now
        return try await services.asking { store throws(StoreError) in
            guard let cursor = try await store.findCursor(of: outbox) else { return true }
            guard cursor >= newest else { return true }
            let next = try await store.nextDeliveries(of: outbox, limit: 1)
            return next.first.map { $0.due <= now } ?? false
        }
    }

    /// The newest of the provider's posts that the gateway refused, as it answered them.
    func refusals() async throws(Problem) -> [String] {
        let newest = try await services.asking { store throws(StoreError) in
            try await store.exchanges(of: business.id, in: .everything, before: nil, limit: 50)
        }
        let refused = newest.filter { $0.course == .received && ($0.status ?? 0) >= 400 }
        return refused.prefix(Self.maximumRefusals).map { exchange in
            Quoted.cut(String(decoding: exchange.answer.body.prefix(600), as: UTF8.self))
        }
    }

    /// The events that the provider has not received yet.
    func deliveries() async throws(Problem) -> WaitingDeliveries {
        guard let outbox = services.links.find(.provider, of: business.id)?.outbox else {
            return WaitingDeliveries()
        }
        return try await services.asking { store throws(StoreError) in
            let counts = try await store.countDeliveries(of: outbox)
            let next = try await store.nextDeliveries(of: outbox, limit: 1).first
            return WaitingDeliveries(
                waiting: counts[.pending] ?? 0, dead: counts[.dead] ?? 0, next: next?.due,
                detail: next?.last?.detail)
        }
    }
}

/// The events that a provider has not received yet, and why.
struct WaitingDeliveries: Hashable, Sendable {
    /// How many wait for a further attempt, or for one of their conversation that does.
    var waiting = 0
    /// How many are not tried any more.
    var dead = 0
    /// When the next attempt is made, by the virtual clock.
    var next: Timestamp?
    /// The outcome of the last attempt.
    var detail: String?

    /// The same as a sentence; nil when all was delivered.
    func sentence(now: Timestamp) -> String? {
        guard waiting + dead > 0 else { return nil }
        var parts: [String] = []
        if waiting > 0 {
            let wait = next.map { TimeSpan.text(max(.zero, $0.since(now))) } ?? "a moment"
            parts.append(
                "\(waiting) waiting (the next is tried when the clock goes on by \(wait)"
                    + (detail.map { "; the last attempt: \($0))" } ?? ")"))
        }
        if dead > 0 { parts.append("\(dead) given up") }
        return "Deliveries to the provider: " + parts.joined(separator: ", ")
    }
}
