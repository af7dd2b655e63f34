import DeskModel
import DeskStore
import DeskStorePostgres
import DeskStoreSQLite
import PostgresSupport
import Synchronization
import TestSupport
import Testing

@testable import DeskBroker

/// The buses that keep the contract.
enum SignalCarrier: Hashable, CaseIterable, Sendable {
    case uneven(SignalFault)
    /// So many nodes on one database.
    case postgres(Int)

    static let allCases: [SignalCarrier] = TestedEngines.chosen(
        SignalFault.allCases.map { Self.uneven($0) }, [.postgres(2), .postgres(3)])

    var losesAllUntilFixed: Bool { self == .uneven(.losesAllUntilFixed) }
}

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

    /// The brokers of several processes, a conversation, and how their buses are driven.
    private struct Processes {
        let brokers: [Broker]
        let place: ConversationID
        /// Ends the losses of a bus that loses all until then.
        let fix: () -> Void
        /// Returns when what was published has arrived, as far as it does.
        let deliver: () async throws -> Void
    }

    private func with(
        _ buses: [any SignalBus], fix: @escaping () -> Void = {},
        deliver: @escaping () async throws -> Void = {},
        _ body: (Processes) async throws -> Void
    ) async throws {
        var brokers: [Broker] = []
        // A store that one process opens has one broker, and signals are not stored.
        for bus in buses {
            let store = try SQLiteStore(inMemory: Epoch(0xE))
            try await store.save(
                Business(id: shop, name: "S", colour: "#000000", mode: .test, createdAt: dawn),
                author: .server)
            brokers.append(Broker(store: store, now: { dawn }, signals: bus))
        }
        let place = try await brokers[0].openConversation(of: customer(1), with: shop).id
        try await body(Processes(brokers: brokers, place: place, fix: fix, deliver: deliver))
    }

    private func with(
        _ carrier: SignalCarrier, _ body: (Processes) async throws -> Void
    ) async throws {
        switch carrier {
        case .uneven(let fault):
            let bus = UnevenBus(fault)
            try await with([bus, bus], fix: { bus.fix() }, body)
        case .postgres(let count):
            try await PostgresNodes.with(count) { nodes in
                let buses = nodes.notices.map { PostgresSignalBus($0) }
                // Those who listen from now on miss nothing.
                try await nodes.deliver()
                try await with(
                    buses,
                    deliver: {
                        for bus in buses { bus.flush() }
                        try await nodes.deliver()
                    }, body)
            }
        }
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

    /// Lets each process repeat what it has and end its round, until all see the same as stated.
    private func settle(
        _ processes: Processes, publishing: [Broker], ending: [Broker]? = nil,
        on states: [Signal.State]
    ) async throws {
        for _ in 1...12 {
            for broker in publishing { broker.signals.publishAgain() }
            try await processes.deliver()
            for broker in ending ?? processes.brokers { broker.receiver.endRound() }
        }
        for broker in ending ?? processes.brokers { try await expect(states, at: broker) }
    }

    @Test(arguments: SignalCarrier.allCases)
    func `presence reaches every process in the end, and so does its end`(
        carrier: SignalCarrier
    ) async throws {
        try await with(carrier) { processes in
            let (brokers, place) = (processes.brokers, processes.place)
            brokers[0].signal(presence(.looking, in: place), by: Self.page)
            brokers[0].signal(presence(.writing, in: place), by: Self.page)
            processes.fix()
            try await settle(processes, publishing: brokers, on: [.writing])
            // It stays for as long as the page is there.
            try await settle(processes, publishing: brokers, on: [.writing])
            brokers[0].signal(presence(.idle, in: place), by: Self.page)
            try await settle(processes, publishing: brokers, on: [])
        }
    }

    @Test(arguments: SignalCarrier.allCases)
    func `the presence of a process that was killed ends at the others`(
        carrier: SignalCarrier
    ) async throws {
        try await with(carrier) { processes in
            let (brokers, place) = (processes.brokers, processes.place)
            processes.fix()
            brokers[0].signal(presence(.looking, in: place), by: Self.page)
            try await settle(processes, publishing: brokers, on: [.looking])
            let others = Array(brokers.dropFirst())
            try await settle(processes, publishing: others, ending: others, on: [])
        }
    }

    @Test(arguments: TestedEngines.chosen([SignalCarrier.uneven(.none)], [.postgres(2)]))
    func `a report that comes late changes nothing`(carrier: SignalCarrier) async throws {
        try await with(carrier) { processes in
            let bus = processes.brokers[0].signals.bus
            func notice(_ state: Signal.State, _ number: Int64) -> SignalNotice {
                SignalNotice(
                    presence(state, in: processes.place),
                    report: SignalNotice.Report(stream: Self.page, number: number))
            }
            for late in [notice(.looking, 1), notice(.idle, 3), notice(.writing, 2)] {
                bus.publish([late])
                try await processes.deliver()
            }
            for broker in processes.brokers { try await expect([], at: broker) }
        }
    }

    @Test(arguments: SignalCarrier.allCases)
    func `typing reaches readers or is lost, and never ends a stream`(
        carrier: SignalCarrier
    ) async throws {
        try await with(carrier) { processes in
            let (brokers, place) = (processes.brokers, processes.place)
            let readers = brokers.map { $0.events(after: nil, in: .conversation(place)) }
            let typing = Signal(
                kind: .typing, business: shop, conversation: place, who: agent, state: .start)
            for _ in 0..<1_000 { brokers[0].signal(typing) }
            try await processes.deliver()
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
                #expect((count > 0) == !carrier.losesAllUntilFixed)
            }
        }
    }

    @Test func `within one process presence stays unrepeated, and is there when it was said`()
        async throws
    {
        let bus = LocalSignalBus()
        try await with([bus, bus]) { processes in
            let (brokers, place) = (processes.brokers, processes.place)
            brokers[0].signal(presence(.looking, in: place), by: Self.page)
            for broker in brokers { try await expect([.looking], at: broker) }
            try await settle(processes, publishing: [], on: [.looking])
            brokers[0].signal(presence(.idle, in: place), by: Self.page)
            for broker in brokers { try await expect([], at: broker) }
        }
    }
}
