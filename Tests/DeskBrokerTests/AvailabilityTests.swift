import DeskModel
import DeskStore
import TestSupport
import Testing

@testable import DeskBroker

/// What others see of an agent who is there.
@Suite struct AvailabilityTests {
    private static let first = UniqueID(high: 9, low: 1)
    private static let second = UniqueID(high: 9, low: 2)
    private static let ada = AgentID(UniqueID(high: 0xA, low: 1))

    private func page(
        _ state: Signal.State, by stream: UniqueID = first, _ broker: Broker
    ) {
        broker.signal(.page(of: Self.ada, in: shop, state), by: stream)
    }

    private func choose(_ state: Availability, _ version: Int64, _ broker: Broker) {
        broker.signal(
            ChosenAvailability(agent: Self.ada, state: state, version: version), in: shop)
    }

    /// A reader that is live.
    private func follow(_ scope: EventScope, _ broker: Broker) async throws -> EventReader {
        let reader = broker.events(after: nil, in: scope)
        guard case .live = try await reader.next() else { throw Unexpected("not live") }
        return reader
    }

    /// The next signals of a reader: kind and state.
    private func received(_ reader: EventReader, _ count: Int) async throws -> [String] {
        var found: [String] = []
        while found.count < count, let item = try await reader.next() {
            if case .signal(let signal) = item {
                #expect(signal.conversation == nil)
                found.append("\(signal.kind.rawValue) \(signal.state.rawValue)")
            }
        }
        return found
    }

    @Test func `an agent is there while a page is used, away while all are idle`() async throws {
        let broker = try await makeBroker()
        let reader = try await follow(.businesses([shop]), broker)
        choose(.online, 0, broker)
        #expect(try await received(reader, 1) == ["choice online"])
        let steps: [(Signal.State, UniqueID, String?)] = [
            (.online, Self.first, "online"), (.online, Self.second, nil),
            (.away, Self.first, nil), (.away, Self.second, "away"),
            (.online, Self.first, "online"), (.offline, Self.first, "away"),
            (.offline, Self.second, "offline"),
        ]
        for (state, stream, seen) in steps {
            page(state, by: stream, broker)
            guard let seen else { continue }
            #expect(try await received(reader, 1) == ["availability \(seen)"])
            #expect((broker.availability(in: shop)[Self.ada]?.rawValue ?? "offline") == seen)
        }
        #expect(broker.availability(in: otherShop) == [:])
    }

    @Test func `a reader that begins hears once of each who is there`()
        async throws
    {
        var table = AvailabilityTable()
        var there: Set<Author> = []
        // A dictionary's order depends on where it lies, and that on what else has its size.
        var random = SeededRandom(seed: 1)
        var others: [[UInt8]] = []
        for number in 1...24 {
            let agent = AgentID(UniqueID(high: 0xA, low: UInt64(number)))
            let chosen = ChosenAvailability(agent: agent, state: .online, version: 0)
            _ = table.note(.choice(chosen, in: shop), by: agent.value)
            _ = table.note(.page(of: agent, in: shop, .online), by: Self.first)
            there.insert(.agent(agent))
            for _ in 0..<300 {
                for _ in 0..<4 {
                    others.append(
                        Array(repeating: 0, count: .random(in: 1...4_000, using: &random)))
                }
                others.shuffle(using: &random)
                others.removeLast(.random(in: 0...min(8, others.count), using: &random))
                let signals = table.signals(in: .businesses([shop]), most: 1_024)
                #expect(signals.count == there.count)
                #expect(Set(signals.map(\.who)) == there)
            }
        }
        let some = table.signals(in: .businesses([shop, otherShop]), most: 5)
        #expect(Set(some.map(\.who)).count == 5)
    }

    @Test func `what an agent chose goes before what the pages say, and invisible looks offline`()
        async throws
    {
        let broker = try await makeBroker()
        let reader = try await follow(.businesses([shop]), broker)
        // Until the choice is known, nothing is seen.
        page(.online, broker)
        #expect(broker.availability(in: shop) == [:])
        choose(.invisible, 3, broker)
        #expect(broker.availability(in: shop) == [:])
        #expect(try await received(reader, 1) == ["choice invisible"])
        choose(.busy, 4, broker)
        #expect(try await received(reader, 2) == ["choice busy", "availability busy"])
        // An earlier choice that comes late changes nothing, and neither does an idle page.
        choose(.online, 3, broker)
        page(.away, broker)
        #expect(broker.availability(in: shop) == [Self.ada: .busy])
        choose(.away, 5, broker)
        #expect(try await received(reader, 2) == ["choice away", "availability away"])
        choose(.invisible, 6, broker)
        #expect(try await received(reader, 2) == ["choice invisible", "availability offline"])
    }

    @Test func `a reader that begins receives who is there, and a customer never`() async throws {
        let broker = try await makeBroker()
        let place = try await broker.openConversation(of: customer(1), with: shop).id
        choose(.busy, 1, broker)
        page(.online, broker)
        let late = broker.events(after: nil, in: .businesses([shop, otherShop]))
        #expect(try await received(late, 1) == ["availability busy"])
        let phone = try await follow(.customer(place), broker)
        choose(.online, 2, broker)
        broker.signal(
            Signal(
                kind: .typing, business: shop, conversation: place, who: .agent(Self.ada),
                state: .start))
        var kinds: [Signal.Kind] = []
        while kinds.isEmpty, let item = try await phone.next() {
            if case .signal(let signal) = item { kinds.append(signal.kind) }
        }
        #expect(kinds == [.typing])
    }

    @Test func `who uses a page is at a console, whatever was chosen`() async throws {
        let broker = try await makeBroker()
        page(.online, broker)
        #expect(broker.agentsAtConsoles(of: shop) == [Self.ada])
        for (version, state) in Availability.allCases.enumerated() {
            choose(state, Int64(version), broker)
            #expect(broker.agentsAtConsoles(of: shop) == [Self.ada])
        }
        page(.online, by: Self.second, broker)
        page(.away, broker)
        #expect(broker.agentsAtConsoles(of: shop) == [Self.ada])
        page(.offline, by: Self.second, broker)
        #expect(broker.agentsAtConsoles(of: shop).isEmpty)
        page(.offline, broker)
        #expect(broker.agentsAtConsoles(of: shop).isEmpty)
    }

    @Test func `at a conversation writing goes before looking, and looking before being idle`()
        async throws
    {
        let broker = try await makeBroker()
        let place = try await broker.openConversation(of: customer(1), with: shop).id
        let reader = try await follow(.businesses([shop]), broker)
        func say(_ state: Signal.State, by stream: UniqueID) {
            broker.signal(
                Signal(
                    kind: .presence, business: shop, conversation: place, who: .agent(Self.ada),
                    state: state), by: stream)
        }
        let steps: [(Signal.State, UniqueID, String)] = [
            (.away, Self.first, "away"), (.looking, Self.second, "looking"),
            (.writing, Self.second, "writing"), (.idle, Self.second, "away"),
            (.idle, Self.first, "idle"),
        ]
        for (state, stream, seen) in steps {
            say(state, by: stream)
            guard case .signal(let signal) = try await reader.next() else {
                throw Unexpected("no signal")
            }
            #expect(signal.state.rawValue == seen)
        }
    }
}
