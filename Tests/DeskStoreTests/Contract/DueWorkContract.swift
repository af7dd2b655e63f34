import DeskModel
import DeskSQL
import DeskStore
import Testing

/// What stores promise of work that is due at a moment.
@Suite struct DueWorkContract {
    private func time(_ seconds: Int) -> Timestamp { dawn.advanced(by: .seconds(seconds)) }

    private func send(_ subject: String, at seconds: Int, in place: UInt64 = 1) -> DueWork {
        DueWork(
            DueWork.Name(.send, in: conversation(place), on: subject), of: business(1),
            dueAt: time(seconds), madeAt: dawn, author: .agent(agent(1)),
            data: Array(#"{"posted":"é"}"#.utf8))
    }

    private static let failure = DueWork.Failure(code: "customer_left", detail: "Gone.")

    /// Adds rows as steps of the log do.
    private func put(_ works: [DueWork], in store: any SQLRegistries) async throws {
        try await store.writeRegistry { sql, entries throws(StoreError) in
            for work in works { try DueWorks.put(work, on: sql) }
            entries.append(RegistryEntry(.contents(.useCode), by: .server, at: dawn))
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `work is found by its name and listed by when it is due`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let (one, two, three) = (send("b", at: 9), send("a", at: 3), send("c", at: 5, in: 2))
            let refused = send("d", at: 1).refused(as: Self.failure)
            try await put([one, two, three, refused], in: store)
            #expect(try await store.findDueWork(one.name) == one)
            #expect(try await store.findDueWork(refused.name) == refused)
            #expect(
                try await store.findDueWork(DueWork.Name(.wake, in: conversation(1))) == nil)
            #expect(
                try await store.dueWork(.send, in: conversation(1)) == [refused, two, one])
            #expect(try await store.dueWork(until: time(2), limit: 9) == [])
            #expect(try await store.dueWork(until: time(5), limit: 9) == [two, three])
            #expect(try await store.dueWork(until: time(9), limit: 1) == [two])
            #expect(try await store.nextDueTime() == time(3))
            try await put([two.refused(as: Self.failure)], in: store)
            #expect(try await store.nextDueTime() == time(5))
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `refused work ends with its time, and work to come does not`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let (old, new) = (send("a", at: 1), send("b", at: 2))
            let left = send("c", at: 0)
            try await put(
                [old.refused(as: Self.failure), new.refused(as: Self.failure), left], in: store)
            try await store.pruneDueWork(dueBefore: time(2))
            #expect(
                try await store.dueWork(.send, in: conversation(1)).map(\.name)
                    == [left.name, new.name])
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `an agent's choices are kept, and others have their own`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            #expect(try await store.findPreferences(of: agent(1)) == AgentPreferences())
            _ = try await store.changePreferences(of: agent(1)) { $0.sendDelay = 10 }
            let changed = try await store.changePreferences(of: agent(1)) {
                $0.console = Array(#"{"sound":false}"#.utf8)
            }
            #expect(changed.sendDelay == 10)
            #expect(try await store.findPreferences(of: agent(1)) == changed)
            #expect(try await store.findPreferences(of: agent(2)).sendDelay == 0)
        }
    }

    @Test(arguments: Kept.allCases)
    func `a snooze until a moment is work that is due then, and none when it ends before`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            let name = DueWork.Name(.wake, in: conversation(1))
            func due() async throws -> Timestamp? { try await store.findDueWork(name)?.dueAt }
            _ = try await store.change(conversation(1), .snooze(until: time(60)))
            #expect(try await due() == time(60))
            _ = try await store.change(conversation(1), .snooze(until: time(90)))
            #expect(try await due() == time(90))
            _ = try await store.change(conversation(1), .snooze(until: nil))
            #expect(try await due() == nil)
            for end in [ConversationChange.close, .reopen, .pend] {
                _ = try await store.change(conversation(1), .snooze(until: time(60)))
                _ = try await store.change(conversation(1), end)
                #expect(try await due() == nil, "\(end)")
            }
            _ = try await store.change(conversation(1), .snooze(until: time(60)))
            _ = try await store.accept(submission("a", to: conversation(1)))
            #expect(try await due() == nil)
        }
    }

    @Test(arguments: Kept.allCases)
    func `of those who send a message and who withdraw it exactly one does`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            for round in 0..<50 {
                let work = send("m\(round)", at: 5)
                _ = try await store.append(
                    RequireRevision(of: conversation(1), in: nil), after: [.schedule(work)]
                ).get()
                let message = try submission(
                    "m\(round)", to: conversation(1), direction: .outbound)
                async let sent = store.append(
                    NewMessage(message, at: dawn), after: [.finish(work)])
                async let taken = store.append(
                    RequireRevision(of: conversation(1), in: nil), after: [.finish(work)])
                async let again = store.append(
                    NewMessage(message, at: dawn), after: [.finish(work)])
                var winners = 0
                if case .success = try await sent { winners += 1 }
                if case .success = try await again { winners += 1 }
                let isSent = winners == 1
                if case .success = try await taken { winners += 1 }
                #expect(winners == 1)
                #expect(try await store.findDueWork(work.name) == nil)
                let found = try await store.findMessage(message.id, in: conversation(1))
                #expect((found != nil) == isSent)
            }
        }
    }

    @Test(arguments: Kept.allCases)
    func `a name has one piece of work, and refused work stays until it is removed`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            let work = send("a", at: 5)
            func run(_ step: Write) async throws {
                _ = try await store.append(
                    RequireRevision(of: conversation(1), in: nil), after: [step]
                ).get()
            }
            await #expect(throws: Refusal.notFound) { try await run(.finish(work)) }
            try await run(.schedule(work))
            await #expect(throws: Refusal.idempotencyConflict) { try await run(.schedule(work)) }
            // Other work of the same name: what was read before is void.
            await #expect(throws: Refusal.notFound) { try await run(.finish(send("a", at: 6))) }
            try await run(.refuse(work, as: Self.failure))
            #expect(try await store.findDueWork(work.name)?.failure == Self.failure)
            #expect(try await store.dueWork(until: time(9), limit: 9) == [])
            try await run(.finish(work))
            #expect(try await store.findDueWork(work.name) == nil)
        }
    }
}
