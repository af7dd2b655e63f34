import DeskModel
import DeskStore
import DeskStoreSQLite
import Synchronization
import TestSupport
import Testing

@testable import DeskBroker

/// What a bus between processes may do to signals.
enum SignalFault: CaseIterable, Sendable {
    case none
    case losesEveryThird
    case repeatsEach
    case delaysByTwo
    case losesAllUntilFixed
}

/// A bus between processes that treats notices badly.
private final class UnevenBus: SignalBus {
    private let own = LocalSignalBus()
    private let fault: SignalFault
    private let state = Mutex<(held: [SignalNotice], count: Int, isFixed: Bool)>(([], 0, false))

    init(_ fault: SignalFault) { self.fault = fault }

    /// The test ends each round itself.
    var repeatInterval: Duration? { .seconds(86_400) }

    func fix() { state.withLock { $0.isFixed = true } }

    func subscribe(_ listener: @escaping @Sendable ([SignalNotice]) -> Void) {
        own.subscribe(listener)
    }

    func publish(_ notices: [SignalNotice]) {
        let passed: [SignalNotice] = state.withLock { state in
            switch fault {
            case .none: return notices
            case .repeatsEach: return notices + notices
            case .losesAllUntilFixed: return state.isFixed ? notices : []
            case .losesEveryThird:
                return notices.filter { _ in
                    state.count += 1
                    return state.count % 3 != 0
                }
            case .delaysByTwo:
                state.held += notices
                defer { state.held = Array(state.held.suffix(2)) }
                // The later half overtakes the earlier one.
                return state.held.dropLast(2).reversed()
            }
        }
        if !passed.isEmpty { own.publish(passed) }
    }
}

/// What readers see of typing and presence, however the bus between processes behaves.
@Suite struct SignalContract {
    private static let page = UniqueID(high: 9, low: 1)

    private func presence(_ state: Signal.State, in place: ConversationID) -> Signal {
        Signal(kind: .presence, business: shop, conversation: place, who: agent, state: state)
    }

    /// Two processes' brokers on one bus, and a conversation.
    private func with(
        _ bus: any SignalBus, _ body: ([Broker], ConversationID) async throws -> Void
    ) async throws {
        var brokers: [Broker] = []
        // A store that one process opens has one broker, and signals are not stored.
        for _ in 1...2 {
            let store = try SQLiteStore(inMemory: Epoch(0xE))
            try await store.save(
                Business(id: shop, name: "S", colour: "#000000", mode: .test, createdAt: dawn),
                author: .server)
            brokers.append(Broker(store: store, now: { dawn }, signals: bus))
        }
        let place = try await brokers[0].openConversation(of: customer(1), with: shop).id
        try await body(brokers, place)
    }

    /// The presence that a new reader receives.
    private func present(_ broker: Broker) async throws -> [Signal.State] {
        let reader = broker.events(after: nil, in: .businesses([shop]))
        defer { reader.leave() }
        var found: [Signal.State] = []
        while case .item(let item) = try await reader.nextAtHand() {
            if case .signal(let signal) = item { found.append(signal.state) }
        }
        return found
    }

    private func expect(_ states: [Signal.State], at broker: Broker) async throws {
        let found = try await present(broker)
        #expect(found == states)
    }

    /// Lets each process repeat what it has and end its round, until both see the same as stated.
    private func settle(
        _ brokers: [Broker], publishing: [Broker], on states: [Signal.State]
    ) async throws {
        for _ in 1...12 {
            for broker in publishing { broker.signals.publishAgain() }
            for broker in brokers { broker.receiver.endRound() }
        }
        for broker in brokers { try await expect(states, at: broker) }
    }

    @Test(arguments: SignalFault.allCases)
    func `presence reaches every process in the end, and so does its end`(
        fault: SignalFault
    ) async throws {
        let bus = UnevenBus(fault)
        try await with(bus) { brokers, place in
            brokers[0].signal(presence(.looking, in: place), by: Self.page)
            brokers[0].signal(presence(.writing, in: place), by: Self.page)
            bus.fix()
            try await settle(brokers, publishing: brokers, on: [.writing])
            // It stays for as long as the page is there.
            try await settle(brokers, publishing: brokers, on: [.writing])
            brokers[0].signal(presence(.idle, in: place), by: Self.page)
            try await settle(brokers, publishing: brokers, on: [])
        }
    }

    @Test(arguments: SignalFault.allCases)
    func `the presence of a process that was killed ends at the others`(
        fault: SignalFault
    ) async throws {
        let bus = UnevenBus(fault)
        try await with(bus) { brokers, place in
            bus.fix()
            brokers[0].signal(presence(.looking, in: place), by: Self.page)
            try await settle(brokers, publishing: brokers, on: [.looking])
            try await settle([brokers[1]], publishing: [brokers[1]], on: [])
        }
    }

    @Test func `a report that comes late changes nothing`() async throws {
        let bus = UnevenBus(.none)
        try await with(bus) { brokers, place in
            func notice(_ state: Signal.State, _ number: Int64) -> SignalNotice {
                SignalNotice(
                    presence(state, in: place),
                    report: SignalNotice.Report(stream: Self.page, number: number))
            }
            bus.publish([notice(.looking, 1), notice(.idle, 3), notice(.writing, 2)])
            for broker in brokers { try await expect([], at: broker) }
        }
    }

    @Test(arguments: SignalFault.allCases)
    func `typing reaches readers or is lost, and never ends a stream`(
        fault: SignalFault
    ) async throws {
        try await with(UnevenBus(fault)) { brokers, place in
            let readers = brokers.map { $0.events(after: nil, in: .conversation(place)) }
            let typing = Signal(
                kind: .typing, business: shop, conversation: place, who: agent, state: .start)
            for _ in 0..<1_000 { brokers[0].signal(typing) }
            for reader in readers {
                var count = 0
                while case .item(let item) = try await reader.nextAtHand() {
                    switch item {
                    case .signal(let signal):
                        #expect(signal == typing)
                        count += 1
                    case .live: break
                    case .event, .reset, .cutOff: throw Unexpected("\(item)")
                    }
                }
                #expect(count <= StreamLimits().queuedSignals)
                #expect((count > 0) == (fault != .losesAllUntilFixed))
            }
        }
    }

    @Test func `within one process presence stays unrepeated, and is there when it was said`()
        async throws
    {
        try await with(LocalSignalBus()) { brokers, place in
            brokers[0].signal(presence(.looking, in: place), by: Self.page)
            for broker in brokers { try await expect([.looking], at: broker) }
            try await settle(brokers, publishing: [], on: [.looking])
            brokers[0].signal(presence(.idle, in: place), by: Self.page)
            for broker in brokers { try await expect([], at: broker) }
        }
    }
}
