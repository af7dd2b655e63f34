import DeskModel
import DeskStore
import Testing

/// What every store promises of the events between a thread's messages, and of who answered last.
@Suite struct ThreadContract {
    @Test(arguments: Kept.allCases)
    func `the events of a thread come with their steps, between the messages they lie between`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            try await store.begin(conversation(2), customer: 2)
            _ = try await store.accept(submission("a", to: conversation(1)))
            _ = try await store.change(conversation(1), .assign(agent(1)))
            _ = try await store.change(conversation(2), .close)
            _ = try await store.accept(submission("b", to: conversation(1), direction: .outbound))
            _ = try await store.change(conversation(1), .close)
            _ = try await store.accept(submission("c", to: conversation(1)))
            func types(_ first: Int64, _ last: Int64) async throws -> [EventType] {
                try await store.threadEvents(
                    in: conversation(1), from: SequenceNumber(first), to: SequenceNumber(last)
                ).map(\.type)
            }
            #expect(
                try await types(0, 3) == [
                    .conversationOpened, .conversationAssigned, .conversationClosed,
                    .conversationReopened,
                ])
            #expect(try await types(0, 0) == [.conversationOpened])
            #expect(try await types(1, 1) == [.conversationAssigned])
            #expect(try await types(2, 9) == [.conversationClosed, .conversationReopened])
            #expect(try await types(3, 3) == [])
            let events = try await store.threadEvents(
                in: conversation(1), from: .start, to: SequenceNumber(3))
            #expect(events.map { $0.step?.assignee } == [nil, agent(1), agent(1), agent(1)])
            #expect(events.map { $0.step?.state } == [.open, .open, .closed, .open])
            #expect(events.map { $0.revision?.value } == [1, 3, 5, 6])
            let replayed = try await store.events(after: .start, in: .everything, limit: 99).events
            #expect(Set(events.map(\.id)).isSubset(of: replayed.map(\.id)))
        }
    }

    @Test(arguments: Kept.allCases)
    func `of a thread's many events the newest are read`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            _ = try await store.accept(submission("a", to: conversation(1)))
            for _ in 0..<151 {
                _ = try await store.change(conversation(1), .close)
                _ = try await store.change(conversation(1), .reopen)
            }
            let events = try await store.threadEvents(
                in: conversation(1), from: .start, to: SequenceNumber(1))
            #expect(events.count == 300)
            #expect(events.last?.revision == Revision(304))
        }
    }

    @Test(arguments: Kept.allCases)
    func `a send is refused after a colleague's answer that its sender has not seen`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            _ = try await store.accept(submission("a", to: conversation(1)))
            func send(
                _ id: String, by author: UInt64, seen: Int64?
            ) async throws -> Acceptance {
                var message = try submission(id, to: conversation(1), direction: .outbound)
                message.facts.author = .agent(agent(author))
                message.lastSeen = seen.map { SequenceNumber($0) }
                return try await store.accept(message)
            }
            _ = try await send("b", by: 1, seen: 1)
            // One's own answer is no other's.
            _ = try await send("c", by: 1, seen: 1)
            await #expect(throws: Refusal.answeredMeanwhile) {
                try await send("d", by: 2, seen: 1)
            }
            _ = try await store.accept(submission("e", to: conversation(1)))
            // The newest message is the customer's, and the answer before it is looked for.
            await #expect(throws: Refusal.answeredMeanwhile) {
                try await send("d", by: 2, seen: 2)
            }
            #expect(try await store.require(conversation(1)).newest == SequenceNumber(4))
            #expect(try await send("d", by: 2, seen: 3).message.sequence == SequenceNumber(5))
            // A repeat gets its first answer, also when another wrote since.
            _ = try await send("f", by: 1, seen: nil)
            #expect(try await send("d", by: 2, seen: 3).isRepeat)
        }
    }
}
