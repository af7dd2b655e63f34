import DeskBroker
import DeskModel
import DeskStore
import TestSupport
import Testing

/// Who receives presence.
@Suite struct PresenceTests {
    private static let first = UniqueID(high: 9, low: 1)
    private static let second = UniqueID(high: 9, low: 2)

    private func say(
        _ state: Signal.State, in place: ConversationID, by stream: UniqueID = first,
        _ broker: Broker, business: BusinessID = shop
    ) {
        broker.signal(
            Signal(
                kind: .presence, business: business, conversation: place, who: agent, state: state),
            by: stream)
    }

    /// The next items of a reader; `live` and each signal's state.
    private func received(_ reader: EventReader, _ count: Int) async throws -> [String] {
        var found: [String] = []
        while found.count < count, let item = try await reader.next() {
            switch item {
            case .signal(let signal): found.append(signal.state.rawValue)
            case .live: found.append("live")
            case .event, .reset, .cutOff: found.append("\(item)")
            }
        }
        return found
    }

    @Test func `a new reader receives who is there now`() async throws {
        let broker = try await makeBroker()
        let place = try await broker.openConversation(of: customer(1), with: shop).id
        let other = try await broker.openConversation(of: customer(1), with: otherShop).id
        say(.looking, in: place, broker)
        say(.writing, in: place, broker)
        say(.looking, in: other, broker, business: otherShop)
        let late = broker.events(after: nil, in: .businesses([shop]))
        #expect(try await received(late, 2) == ["live", "writing"])
        let resumed = broker.events(after: broker.head, in: .businesses([shop]))
        #expect(try await received(resumed, 2) == ["live", "writing"])
        let phone = broker.events(after: nil, in: .customer(place))
        say(.idle, in: place, broker)
        #expect(try await received(late, 1) == ["idle"])
        let later = broker.events(after: nil, in: .businesses([shop]))
        _ = try await broker.accept(message("a", to: place))
        #expect(try await received(later, 2).first == "live")
        #expect(try await received(phone, 2).filter { $0 == "writing" || $0 == "idle" } == [])
    }

    @Test func `a person with two pages is there until both have gone`() async throws {
        let broker = try await makeBroker()
        let place = try await broker.openConversation(of: customer(1), with: shop).id
        let reader = broker.events(after: nil, in: .businesses([shop]))
        #expect(try await received(reader, 1) == ["live"])
        say(.looking, in: place, broker)
        #expect(try await received(reader, 1) == ["looking"])
        say(.looking, in: place, by: Self.second, broker)
        say(.writing, in: place, by: Self.second, broker)
        #expect(try await received(reader, 1) == ["writing"])
        say(.idle, in: place, by: Self.second, broker)
        #expect(try await received(reader, 1) == ["looking"])
        say(.idle, in: place, broker)
        #expect(try await received(reader, 1) == ["idle"])
        let late = broker.events(after: nil, in: .businesses([shop]))
        _ = try await broker.accept(message("a", to: place))
        let page = try await received(late, 2)
        #expect(page.first == "live" && page.last != "looking")
    }

    @Test func `a reader that missed presence is sent all of it again`() async throws {
        var limits = StreamLimits()
        limits.queuedSignals = 4
        let broker = try await makeBroker(limits: limits)
        var places: [ConversationID] = []
        for number in 1...10 {
            places.append(try await broker.openConversation(of: customer(number), with: shop).id)
        }
        let slow = broker.events(after: nil, in: .businesses([shop]))
        for place in places { say(.looking, in: place, broker) }
        for place in places.prefix(3) { say(.idle, in: place, broker) }
        var there: Set<ConversationID> = []
        var marks = 0
        while marks < 2 || there.count < 7, let item = try await slow.next() {
            switch item {
            case .live:
                there = []
                marks += 1
            case .signal(let signal):
                let place = try #require(signal.conversation)
                if signal.state == .idle { there.remove(place) } else { there.insert(place) }
            case .event, .reset, .cutOff: break
            }
        }
        #expect(there == Set(places.dropFirst(3)))
    }
}
