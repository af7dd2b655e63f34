import DeskBroker
import DeskModel
import DeskStore
import Testing

/// Following the log: no gap, no double, bounded memory.
@Suite struct TailTests {
    @Test func `a resume replays what was missed, then goes live`() async throws {
        let broker = try await makeBroker()
        let place = try await broker.openConversation(of: customer(1), with: shop).id
        let start = broker.head
        for id in ["a", "b", "c"] { _ = try await broker.accept(message(id, to: place)) }
        let reader = broker.events(after: start, in: .everything)
        #expect(try await replayed(reader) == [2, 3, 4])
        async let live = nextPosition(reader)
        _ = try await broker.accept(message("d", to: place))
        #expect(try await live == 5)
    }

    @Test func `a resume from before recent memory reads the log`() async throws {
        var limits = StreamLimits()
        limits.recentEvents = 4
        limits.replayPage = 7
        let broker = try await makeBroker(limits: limits)
        let place = try await broker.openConversation(of: customer(1), with: shop).id
        for number in 0..<50 { _ = try await broker.accept(message("m\(number)", to: place)) }
        let start = EventID(epoch: broker.store.epoch, position: .start)
        let reader = broker.events(after: start, in: .everything)
        #expect(try await replayed(reader) == Array(1...51))
    }

    @Test func `many readers beside many writers see every event once and in order`() async throws {
        var limits = StreamLimits()
        // Small, so that the readers change between log, recent memory and live all the time.
        limits.recentEvents = 8
        limits.replayPage = 5
        let broker = try await makeBroker(limits: limits)
        let place = try await broker.openConversation(of: customer(1), with: shop).id
        let writers = 8
        let turns = 50
        let last = Int64(1 + writers * turns)
        let start = EventID(epoch: broker.store.epoch, position: .start)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<writers {
                group.addTask {
                    for turn in 0..<turns {
                        _ = try await broker.accept(message("w\(writer)-\(turn)", to: place))
                    }
                }
            }
            for _ in 0..<8 {
                group.addTask {
                    var cursor = start
                    var seen: [Int64] = []
                    while cursor.position.value < last {
                        // Read a few, leave, and resume, as a browser on a poor line would.
                        let reader = broker.events(after: cursor, in: .businesses([shop]))
                        var count = 0
                        while count < 7, cursor.position.value < last {
                            guard let item = try await reader.next() else { break }
                            guard case .event(let shared) = item else { continue }
                            seen.append(shared.event.id.position.value)
                            cursor = shared.event.id
                            count += 1
                        }
                        reader.leave()
                    }
                    #expect(seen == Array(1...last))
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `a cursor that cannot be continued gets a reset first`() async throws {
        let broker = try await makeBroker()
        let place = try await broker.openConversation(of: customer(1), with: shop).id
        _ = try await broker.accept(message("a", to: place))
        _ = try await broker.accept(message("b", to: place))
        try await broker.store.prune(upTo: Position(1))
        let epoch = broker.store.epoch
        let lost = [
            EventID(epoch: Epoch(0xF), position: Position(2)),
            EventID(epoch: epoch, position: Position(4)),
            EventID(epoch: epoch, position: .start),
        ]
        for cursor in lost {
            let reader = broker.events(after: cursor, in: .everything)
            guard case .reset(let head) = try await reader.next() else {
                Issue.record("no reset for \(cursor)")
                continue
            }
            #expect(head == broker.head)
            #expect(try await replayed(reader) == [])
        }
        let known = broker.events(
            after: EventID(epoch: epoch, position: Position(1)), in: .everything)
        #expect(try await replayed(known) == [2, 3])
    }

    @Test func `a scope sees its own events and no others`() async throws {
        let broker = try await makeBroker()
        let mine = try await broker.openConversation(of: customer(1), with: shop).id
        let start = EventID(epoch: broker.store.epoch, position: .start)
        let other = try await broker.openConversation(of: customer(1), with: otherShop).id
        _ = try await broker.accept(message("a", to: mine))
        _ = try await broker.accept(message("b", to: other))
        _ = try await broker.addNote("mind", to: mine, by: agent)
        let rows: [(EventScope, [Int64])] = [
            (.everything, [1, 2, 3, 4, 5]), (.businesses([shop]), [1, 3, 5]),
            (.businesses([otherShop]), [2, 4]), (.businesses([]), []),
            (.conversation(mine), [1, 3, 5]), (.customer(mine), [3]), (.customer(other), [4]),
        ]
        for (scope, expected) in rows {
            #expect(try await replayed(broker.events(after: start, in: scope)) == expected)
        }
    }

    @Test func `a reader that stays away is cut off and the others are not`() async throws {
        var limits = StreamLimits()
        limits.queuedItems = 4
        let broker = try await makeBroker(limits: limits)
        let place = try await broker.openConversation(of: customer(1), with: shop).id
        let slow = broker.events(after: nil, in: .everything)
        let swift = broker.events(after: nil, in: .everything)
        guard case .live = try await slow.next(), case .live = try await swift.next() else {
            Issue.record("not live")
            return
        }
        for number in 0..<5 {
            _ = try await broker.accept(message("m\(number)", to: place))
            #expect(try await nextPosition(swift) == Int64(2 + number))
        }
        guard case .cutOff = try await slow.next() else {
            Issue.record("not cut off")
            return
        }
        #expect(try await slow.next() == nil)
        let resumed = broker.events(
            after: EventID(epoch: broker.store.epoch, position: Position(1)), in: .everything)
        #expect(try await replayed(resumed) == [2, 3, 4, 5, 6])
    }

    @Test func `large payloads do not stay in recent memory`() async throws {
        let broker = try await makeBroker()
        let place = try await broker.openConversation(of: customer(1), with: shop).id
        let reader = broker.events(after: nil, in: .customer(place))
        let text = String(repeating: "x", count: Event.maximumPayloadBytes + 1)
        _ = try await broker.accept(message("a", to: place, text))
        guard case .live = try await reader.next(),
            case .event(let shared) = try await reader.next(),
            case .message(let received) = shared.event.body
        else {
            Issue.record("no message")
            return
        }
        #expect(received.payload == .reference(byteCount: text.utf8.count))
    }

    @Test func `typing reaches the other end, presence only colleagues`() async throws {
        let broker = try await makeBroker()
        let place = try await broker.openConversation(of: customer(1), with: shop).id
        let phone = broker.events(after: nil, in: .customer(place))
        let desk = broker.events(after: nil, in: .businesses([shop]))
        let device = Author.customer(device: "d")
        let rows: [(Signal.Kind, Author, Signal.State)] = [
            (.typing, device, .start), (.presence, agent, .looking), (.typing, agent, .start),
        ]
        for (kind, who, state) in rows {
            broker.signal(
                Signal(kind: kind, business: shop, conversation: place, who: who, state: state))
        }
        #expect(try await signals(phone, 1) == ["typing agent"])
        #expect(
            try await signals(desk, 3) == ["typing customer", "presence agent", "typing agent"])
    }

    @Test func `leaving and cancelling end the stream`() async throws {
        let broker = try await makeBroker()
        let left = broker.events(after: nil, in: .everything)
        left.leave()
        #expect(try await left.next() == nil)
        let cancelled = broker.events(after: nil, in: .everything)
        guard case .live = try await cancelled.next() else {
            Issue.record("not live")
            return
        }
        let task = Task { try await cancelled.next() == nil }
        task.cancel()
        #expect(try await task.value)
    }

    private func signals(_ reader: EventReader, _ count: Int) async throws -> [String] {
        var found: [String] = []
        while found.count < count, let item = try await reader.next() {
            guard case .signal(let signal) = item else { continue }
            found.append("\(signal.kind) \(signal.who.kind)")
        }
        return found
    }

    @Test func `signals without end cut no reader off; the newest are sent`() async throws {
        var limits = StreamLimits()
        limits.queuedItems = 8
        limits.queuedSignals = 4
        let broker = try await makeBroker(limits: limits)
        let place = try await broker.openConversation(of: customer(1), with: shop).id
        let reader = broker.events(after: nil, in: .businesses([shop]))
        func signal(_ state: Signal.State) -> Signal {
            Signal(
                kind: .typing, business: shop, conversation: place,
                who: .customer(device: "a"), state: state)
        }
        for _ in 0..<1_000 { broker.signal(signal(.start)) }
        broker.signal(signal(.end))
        _ = try await broker.accept(message("a", to: place))
        var states: [Signal.State] = []
        while let item = try await reader.next() {
            if case .signal(let signal) = item { states.append(signal.state) }
            if case .cutOff = item { Issue.record("signals cut a reader off") }
            if case .event = item { break }
        }
        #expect(states == [.start, .start, .start, .end])
    }
}
