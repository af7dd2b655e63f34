import DeskModel
import DeskStore
import StoreSupport
import Synchronization
import TestSupport
import Testing

/// What every store promises of a conversation's revision.
@Suite struct RevisionContract {
    @Test(arguments: Kept.allCases)
    func `every event of a conversation raises its revision by one, and nothing else does`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            try await store.begin(conversation(2), customer: 2)
            _ = try await store.accept(submission("a", to: conversation(1)))
            _ = try await store.change(conversation(1), .assign(agent(2)))
            _ = try await store.change(conversation(1), .assign(agent(2)))
            _ = try await store.change(conversation(1), .mute(true))
            _ = try await store.change(conversation(1), .markRead(SequenceNumber(1)))
            _ = try await store.change(conversation(1), .close)
            // Opens it again: two events.
            _ = try await store.accept(submission("b", to: conversation(1)))
            _ = try await store.accept(submission("b", to: conversation(1)))
            _ = try await store.one(
                AddNote(
                    NoteID(uniqueID(5)), to: conversation(1), text: "mind", by: .agent(agent(1)),
                    at: dawn))
            _ = try await store.one(
                AppendEvent(
                    .messageDeliveredUpstream, of: business(1), in: conversation(1),
                    data: Array("{}".utf8), at: dawn))
            _ = try await store.one(
                AppendEvent(
                    .deliveryDead, of: business(1), in: nil, data: Array("{}".utf8), at: dawn))
            #expect(try await store.require(conversation(1)).revision == Revision(8))
            #expect(try await store.require(conversation(2)).revision == Revision(1))
            let events = try await store.events(after: .start, in: .everything, limit: 99).events
            let own = events.filter { $0.conversation?.id == conversation(1) }
            #expect(own.map(\.revision) == (1...8).map { Revision($0) })
            #expect(events.last?.revision == nil)
        }
    }

    @Test(arguments: Kept.allCases)
    func `an event shows the revision it made, at once and when it is replayed`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            let received = Listener()
            store.follow { received.add($0) }
            try await store.begin(conversation(1))
            _ = try await store.change(conversation(1), .close)
            _ = try await store.accept(submission("a", to: conversation(1)))
            _ = try await store.change(conversation(1), .assign(agent(1)))
            let again = try await store.events(after: .start, in: .everything, limit: 9).events
            #expect(received.revisions == [1, 2, 3, 4, 5])
            #expect(again.map { $0.revision?.value } == received.revisions)
            #expect(again.map { $0.conversation?.revision.value } == received.revisions)
        }
    }

    @Test(arguments: Kept.allCases)
    func `a replayed message shows the state that it left, not what became of it`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            try await store.begin(conversation(2), customer: 2)
            _ = try await store.accept(submission("a", to: conversation(1)))
            _ = try await store.change(conversation(1), .assign(agent(2)))
            _ = try await store.accept(
                submission("b", to: conversation(1), direction: .outbound))
            _ = try await store.accept(submission("other", to: conversation(2)))
            _ = try await store.change(
                conversation(1), .snooze(until: dawn.advanced(by: .seconds(60))))
            _ = try await store.accept(submission("c", to: conversation(1), direction: .outbound))
            _ = try await store.one(
                AddNote(
                    NoteID(uniqueID(5)), to: conversation(1), text: "mind", by: .agent(agent(1)),
                    at: dawn))
            _ = try await store.change(conversation(1), .assign(nil))
            _ = try await store.change(conversation(1), .close)
            let events = try await store.events(after: .start, in: .everything, limit: 99).events
            let shown = events.compactMap { event -> String? in
                guard case .message(let message) = event.body, let one = event.conversation else {
                    return nil
                }
                let assignee = one.assignee == agent(2) ? "taken" : "free"
                let snooze = one.snoozedUntil == nil ? "" : " until"
                let last = one.last?.id == message.id && one.newest == message.sequence
                return "\(message.id.text) \(one.state.rawValue) \(assignee)\(snooze) \(last)"
            }
            #expect(
                shown == [
                    "a open free true", "b open taken true", "other open free true",
                    "c snoozed taken until true",
                ])
        }
    }

    @Test(arguments: Kept.allCases)
    func `a group that demands another revision changes nothing`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            let before = try await store.require(conversation(1))
            func group(_ revisions: [Revision]?) -> [Write] {
                [
                    .require(RequireRevision(of: conversation(1), in: revisions)),
                    .change(
                        ChangeConversation(
                            conversation(1), .assign(agent(2)), by: .server, at: dawn)),
                    .change(ChangeConversation(conversation(1), .close, by: .server, at: dawn)),
                ]
            }
            for wrong in [[], [Revision(2)], [Revision(7), Revision(9)]] {
                #expect(try await store.append([group(wrong)]) == [.preconditionFailed])
                #expect(try await store.require(conversation(1)) == before)
            }
            _ = try await store.append([group([Revision(4), Revision(1)])])
            let after = try await store.require(conversation(1))
            #expect(after.revision == Revision(3))
            #expect(after.state == .closed)
            _ = try await store.append([group(nil)])
            await #expect(throws: Refusal.notFound) {
                try await store.one(RequireRevision(of: conversation(9), in: nil))
            }
        }
    }

    @Test(arguments: Kept.allCases)
    func `a list shows who wrote the last message`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            _ = try await store.accept(submission("a", to: conversation(1)))
            #expect(try await store.require(conversation(1)).last?.author.kind == "customer")
            _ = try await store.accept(
                submission("b", to: conversation(1), direction: .outbound))
            let page = try await store.conversations(
                ConversationFilter(businesses: [business(1)]), at: .start, limit: 9)
            #expect(page.elements.map { $0.last?.author } == [.agent(agent(1))])
        }
    }
}

/// What a listener received, in order.
private final class Listener: Sendable {
    private let events = Mutex<[Event]>([])

    var revisions: [Int64?] { events.withLock { $0.map { $0.revision?.value } } }

    func add(_ more: [Event]) { events.withLock { $0 += more } }
}
