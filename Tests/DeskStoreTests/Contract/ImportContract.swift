import DeskModel
import DeskStore
import Testing

/// What every store promises of what was said and known in another system.
@Suite struct ImportContract {
    private func opening() throws -> OpenConversation {
        let id = try #require(CustomerID("urn:mbid:imported"))
        return OpenConversation(
            conversation(1), business: business(1), customer: Customer(id: id, locale: "ja_JP"),
            at: dawn, importedBy: .agent(agent(1)))
    }

    private func time(_ seconds: Int) -> Timestamp { dawn.advanced(by: .seconds(seconds)) }

    private func message(
        _ id: String, _ direction: Direction = .inbound, at seconds: Int, _ text: String = "Hello"
    ) throws -> NewMessage {
        var facts = MessageFacts(
            direction: direction, kind: .text,
            author: direction == .inbound ? .customer(device: "import") : .provider("Alice"),
            origin: .api, summary: text)
        facts.markImported(from: "chatwoot")
        return NewMessage(
            Submission(
                conversation: conversation(1), id: try #require(MessageID(id)),
                payload: Array("{\"body\":\"\(text)\"}".utf8), facts: facts), at: time(seconds))
    }

    private func customer(
        name: String?, externalID: String? = nil, _ store: any Store
    ) async throws -> ImportOutcome {
        var values = SaveContact.Values()
        if let name { values.name = name }
        if let externalID { values.externalID = externalID }
        let opening = try opening()
        return try await store.append(
            ImportCustomer(
                opening.customerID, of: business(1), values, by: .agent(agent(1)),
                at: time(1_000)), after: [.open(opening)]
        ).get().outcome
    }

    private func begin(_ store: any Store) async throws {
        // Another customer's conversation, which brings business and agent.
        try await store.begin(conversation(9), customer: 9)
    }

    @Test(arguments: Kept.allCases)
    func `a template is imported once, however often and however many at once`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await begin(store)
            let name = try #require(TemplateName("hello"))
            func bring(_ title: String) async throws -> ImportOutcome {
                try await store.one(
                    ImportTemplate(
                        Template(
                            business: business(1), name: name, title: title, detail: "",
                            payload: Array("{}".utf8), parameters: Array("[]".utf8),
                            author: .agent(agent(1)), publishedAt: dawn)))
            }
            let outcomes = try await withThrowingTaskGroup(of: ImportOutcome.self) { group in
                for _ in 0..<6 { group.addTask { try await bring("Hello") } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.count { $0 == .added } == 1)
            #expect(outcomes.count { $0 == .known } == 5)
            #expect(try await bring("Hi") == .updated)
            #expect(try await bring("Hi") == .known)
            func newest() async throws -> Template? {
                try await store.findTemplate(name, of: business(1), version: nil)
            }
            let second = try #require(try await newest())
            #expect(second.version == 2)
            _ = try await store.one(second.removal(by: .agent(agent(1)), at: dawn))
            #expect(try await newest() == nil)
            #expect(try await bring("Hi") == .added)
            #expect(try await newest()?.version == 4)
        }
    }

    @Test(arguments: Kept.allCases)
    func `for what is imported no customer waits, and it is read`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await begin(store)
            #expect(try await customer(name: "Mio", store) == .added)
            for (id, direction, at) in [
                ("a", Direction.inbound, 10), ("b", .outbound, 20), ("c", .inbound, 30),
            ] {
                let accepted = try await store.one(message(id, direction, at: at))
                #expect(!accepted.isRepeat)
                #expect(accepted.message.time == time(at))
                #expect(accepted.message.facts.importedFrom == "chatwoot")
            }
            let after = try #require(try await store.findConversation(conversation(1)))
            #expect(after.state == .closed)
            #expect(after.unread == 0)
            #expect(after.readUpTo == SequenceNumber(3))
            #expect(after.waitingSince == nil)
            #expect(after.participants.isEmpty)
            #expect(after.last?.time == time(30))
            #expect(after.contactName == "Mio")
            let page = try await store.events(after: .start, in: .everything, limit: 300)
            let own = page.events.filter { $0.conversation?.id == conversation(1) }
            #expect(own.count == 4)
            #expect(own.allSatisfy { $0.isImported })
            let saved = page.events.filter { $0.type == .contactSaved }
            #expect(saved.count == 1)
            #expect(saved.allSatisfy { $0.isImported })
            // What is said here afterwards is a message like any other.
            _ = try await store.accept(submission("d", to: conversation(1)))
            let open = try #require(try await store.findConversation(conversation(1)))
            #expect(open.state == .open)
            #expect(open.unread == 1)
            #expect(open.waitingSince != nil)
        }
    }

    @Test(arguments: Kept.allCases)
    func `a second import stores nothing`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await begin(store)
            #expect(try await customer(name: "Mio", externalID: "7", store) == .added)
            #expect(try await !store.one(message("a", at: 10)).isRepeat)
            #expect(try await !store.one(message("b", at: 20)).isRepeat)
            let newest = store.newest
            #expect(try await customer(name: "Mio", externalID: "7", store) == .known)
            #expect(try await store.one(message("a", at: 10)).isRepeat)
            // Whatever the bytes: the log keeps what was there first.
            #expect(try await store.one(message("b", at: 20, "Other")).isRepeat)
            #expect(store.newest == newest)
            #expect(try await customer(name: "Mio T.", externalID: "7", store) == .updated)
        }
    }

    @Test(arguments: Kept.allCases)
    func `a message goes behind the newest one or is refused`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await begin(store)
            _ = try await customer(name: nil, store)
            _ = try await store.one(message("a", at: 100))
            let late = try await store.append(message("b", at: 99))
            #expect(late == .failure(.preconditionFailed))
            #expect(try await !store.one(message("c", at: 100)).isRepeat)
        }
    }

    @Test(arguments: Kept.allCases)
    func `state and priority are imported until the first message, and labels always`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await begin(store)
            _ = try await customer(name: nil, store)
            var values = SaveLabel.Values()
            values.name = "VIP"
            values.colour = "#336699"
            let label = try await store.one(
                SaveLabel(
                    LabelID(uniqueID(70)), of: business(1), isNew: true, values,
                    by: .agent(agent(1)), at: dawn)
            ).id
            func state(
                _ state: ConversationState, labels: [LabelID] = [], until: Timestamp? = nil
            ) async throws -> ImportedConversation {
                try await store.one(
                    ImportState(
                        conversation(1),
                        ImportState.Work(state: state, snoozedUntil: until, priority: .high),
                        labels: labels, by: .agent(agent(1)), at: time(1_000)))
            }
            let snoozed = try await state(.snoozed, until: time(5_000))
            #expect(snoozed.outcome == .updated)
            #expect(snoozed.conversation.state == .snoozed)
            #expect(snoozed.conversation.snoozedUntil == time(5_000))
            #expect(try await state(.open).conversation.state == .open)
            #expect(try await state(.open).outcome == .known)
            _ = try await store.one(message("a", at: 10))
            let after = try await state(.closed, labels: [label])
            #expect(after.keepsWork)
            #expect(after.outcome == .updated)
            #expect(after.conversation.state == .open)
            #expect(after.conversation.priority == .high)
            #expect(after.conversation.labels == [label])
            #expect(try await state(.closed, labels: [label]).outcome == .known)
        }
    }

    @Test(arguments: Kept.allCases)
    func `a note keeps who wrote it and comes once`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await begin(store)
            _ = try await customer(name: nil, store)
            let note = ImportNote(
                NoteID(uniqueID(80)), in: conversation(1), text: "Called back", by: "Alice",
                at: time(5))
            #expect(try await store.one(note) == .added)
            #expect(try await store.one(note) == .known)
            let notes = try await store.notes(in: conversation(1), from: .start, to: .start)
            #expect(notes.map(\.author) == [.provider("Alice")])
            #expect(notes.map(\.time) == [time(5)])
            let page = try await store.events(after: .start, in: .everything, limit: 300)
            #expect(page.events.filter { $0.type == .noteAdded }.allSatisfy { $0.isImported })
        }
    }
}
