import DeskModel
import DeskSQL
import DeskStore
import StoreSupport
import TestSupport
import Testing

/// What every store promises of conversations and persons that are erased as a whole.
@Suite struct WholeErasureContract {
    private static let secret = ErasureContract.secret
    private static let shop = business(1)
    private static let owner = Author.agent(agent(1))
    private static let later = ErasureContract.later

    /// Whether the secret is in any event of the log.
    private static func isInEvents(of store: any Store) async throws -> Bool {
        let page = try await store.events(after: .start, in: .everything, limit: 300)
        return page.events.contains { "\($0.body)".contains(secret) || isInJSON($0.body) }
    }

    private static func isInJSON(_ body: EventBody) -> Bool {
        guard case .json(let data) = body else { return false }
        return String(decoding: data, as: UTF8.self).contains(secret)
    }

    private static func define(
        _ number: UInt64, _ key: String, of subject: AttributeDefinition.Subject,
        in store: any Store
    ) async throws {
        let definition = AttributeDefinition(
            id: attributeID(number), business: shop, subject: subject, key: key, kind: .text,
            name: key)
        _ = try await store.one(SaveAttribute(definition, by: owner, at: dawn))
    }

    private static func remember(
        _ scope: String, _ body: String, in store: any Store
    ) async throws {
        try await store.remember(
            RememberedAnswer(
                scope: scope, body: .sha256([1]),
                content: .answer(status: 200, body: Array(body.utf8)), time: dawn))
    }

    /// Whether a scope is answered as what was erased is.
    private static func isErased(_ scope: String, in store: any Store) async throws -> Bool {
        guard case .message(conversation(1), _)? = try await store.findAnswer(scope)?.content
        else { return false }
        return true
    }

    // MARK: Notes

    @Test(arguments: Kept.allCases)
    func `notes are emptied by others than their authors, once, and all or none`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            let ids = (1...2).map { NoteID(uniqueID(UInt64($0))) }
            for (id, author) in zip(ids, [Self.owner, .provider("Ada")]) {
                _ = try await store.one(
                    AddNote(id, to: conversation(1), text: Self.secret, by: author, at: dawn))
            }
            func erase(_ notes: [NoteID]) async throws -> [NoteID] {
                try await store.one(NoteErasing(notes, in: conversation(1), at: Self.later))
            }
            await #expect(throws: Refusal.notFound) {
                try await erase(ids + [NoteID(uniqueID(9))])
            }
            #expect(try await Self.isInEvents(of: store))
            #expect(try await erase(ids + ids) == ids)
            let newest = store.newest
            #expect(try await erase(ids) == [])
            #expect(store.newest == newest)
            let notes = try await store.notes(in: conversation(1), from: .start, to: .start)
            #expect(notes.map(\.text) == ["", ""])
            #expect(notes.map(\.deletedAt) == [Self.later, Self.later])
            #expect(notes.map(\.author) == [Self.owner, .provider("Ada")])
            #expect(try await store.types().suffix(2) == [.noteDeleted, .noteDeleted])
            #expect(try await !Self.isInEvents(of: store))
        }
    }

    // MARK: Many messages

    @Test(arguments: Kept.allCases)
    func `the answers that show one of the messages that are erased together go with them`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await ErasureContract.fill(store)
            var keyed = try submission("k1", to: conversation(1), Self.secret)
            keyed.idempotency = IdempotencyClaim(
                credential: "key:1", route: "POST /x", key: "k", body: .sha256([1]))
            _ = try await store.one(NewMessage(keyed, at: dawn))
            let scope = try #require(keyed.idempotency).scope
            func body(_ id: String) -> String {
                #"{"id":"\#(conversation(1))","lastMessage":{"id":"\#(id)"}}"#
            }
            try await Self.remember("a change", body("m3"), in: store)
            try await Self.remember("another", body("m5"), in: store)
            let order = try ErasureContract.order(["m2", "m3", "m4", "k1"])
            let erased = try await store.one(order)
            #expect(erased.count == 4)
            #expect(try await Self.isErased("a change", in: store))
            #expect(try await !Self.isErased("another", in: store))
            let known = try #require(try await store.findAnswer(scope))
            #expect(known.body != .sha256([1]))
            #expect(known.content == .message(conversation(1), try messageID("k1")))
            await #expect(throws: Refusal.messageErased) {
                try await store.one(NewMessage(keyed, at: dawn))
            }
        }
    }

    // MARK: A conversation

    @Test(arguments: Kept.allCases)
    func `what lies beside the messages of a conversation goes, and the audit says who erased it`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await ErasureContract.fill(store)
            try await Self.define(1, "order", of: .conversation, in: store)
            for change in [
                ConversationChange.attribute(["order": .text(Self.secret)]),
                .attribute(["order": .text("\(Self.secret) 2")]),
            ] {
                _ = try await store.one(
                    ChangeConversation(conversation(1), change, by: Self.owner, at: dawn))
            }
            var metadata = Metadata.Change()
            metadata.set("crm", to: Self.secret)
            _ = try await store.one(
                ChangeConversation(
                    conversation(1), .annotate(metadata), by: Self.owner, at: dawn))
            _ = try await store.one(
                AddSuggestion(
                    SuggestionContract.suggestion(1), quoting: [try messageID("m1")]))
            _ = try await store.save(
                DraftContract.draft(1, Self.secret), over: 0, atMost: 9)
            try await store.add(
                Session(
                    token: .sha256([1]), subject: .customer(conversation(1)), createdAt: dawn,
                    expiresAt: Self.later), author: .server)
            try await store.save(PushContract.subscription(1), author: PushContract.me)
            let refused = #"{"message":"m1","status":400,"detail":"Not \#(Self.secret)"}"#
            _ = try await store.one(
                AppendEvent(
                    .messageRefusedUpstream, of: Self.shop, in: conversation(1),
                    data: Array(refused.utf8), at: dawn))
            let path = "POST /api/conversations/\(conversation(1).text.uppercased())/notes"
            try await Self.remember(path, #"{"text":"\#(Self.secret)"}"#, in: store)
            try await Self.remember("other", #"{"id":"\#(conversation(2))"}"#, in: store)
            let counts = try #require(try await store.erasureCounts(of: conversation(1)))
            #expect(counts.messages == 5 && counts.notes == 0 && counts.files == 2)
            #expect(counts.drafts == 1 && counts.suggestions == 1 && counts.scheduled == 0)
            for isBeginning in [true, false] {
                _ = try await store.one(
                    ConversationErasing(
                        conversation(1), by: Self.owner, at: Self.later,
                        isBeginning: isBeginning))
            }
            let left = try await store.require(conversation(1))
            #expect(left.attributes.isEmpty && left.metadata.isEmpty)
            #expect(try await store.suggestions(in: conversation(1)).isEmpty)
            #expect(try await store.findDraft(of: agent(1), in: conversation(1)) == nil)
            #expect(try await store.pushSubscriptions(in: [conversation(1)], at: dawn).isEmpty)
            #expect(try await Self.isErased(path, in: store))
            #expect(try await !Self.isErased("other", in: store))
            let events = try await store.events(after: .start, in: .everything, limit: 300).events
            let outcome = try #require(events.first { $0.type == .messageRefusedUpstream })
            guard case .json(let data) = outcome.body else {
                Issue.record("\(outcome.body)")
                return
            }
            #expect(
                String(decoding: data, as: UTF8.self)
                    == #"{"message":"m1","status":400,"detail":""}"#)
            let steps = events.filter { $0.type == .conversationAttributesChanged }
            #expect(steps.count == 3)
            #expect(!steps.contains { "\($0.body)".contains(Self.secret) })
            #expect(steps.allSatisfy { $0.emptiesEarlierOnes })
            let records = try await store.auditRecords(
                AuditFilter(of: Self.shop), at: .start, limit: 9
            ).elements.filter { $0.kind == "conversation_erased" }
            #expect(records.map(\.detail) == ["complete", "begun"])
            #expect(records.allSatisfy { $0.author == Self.owner })
            #expect(try await store.erasureCounts(of: conversation(9)) == nil)
        }
    }

    // MARK: A person

    private static func save(
        _ number: UInt64, named name: String, in store: any Store
    ) async throws {
        var values = SaveContact.Values()
        values.name = .some(name)
        values.externalID = .some("\(secret) \(number)")
        values.notes = secret
        values.attributes = ["tier": .text(secret)]
        values.metadata.set("crm", to: secret)
        let saved = values
        _ = try await store.one(
            SaveContact(contact(number), of: shop, saved, by: owner, at: dawn))
    }

    private static func eraseEvents(_ numbers: [UInt64], in store: any Store) async throws {
        let found = try await store.contactEvents(
            naming: numbers.map { contact($0) }, of: shop, after: nil)
        #expect(found.next == nil)
        try await store.one(
            ContactEventErasing(
                found.positions, about: numbers.map { contact($0) }, of: shop))
    }

    @Test(arguments: Kept.allCases)
    func `a person is erased with all that was merged, and the contact stays and can be used again`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            for number in 1...3 as ClosedRange<UInt64> {
                try await store.begin(conversation(number), customer: number)
            }
            try await Self.define(1, "tier", of: .contact, in: store)
            for number in 1...2 as ClosedRange<UInt64> {
                try await Self.save(number, named: "\(Self.secret) \(number)", in: store)
            }
            try await Self.save(3, named: "Mrs Sato", in: store)
            var described = try await store.require(conversation(1)).customer
            described.name = Self.secret
            described.locale = "ja"
            _ = try await store.change(conversation(1), .describe(described))
            _ = try await store.one(
                MergeContacts(
                    contact(2), into: contact(1), of: Self.shop, by: Self.owner, at: dawn))
            await #expect(throws: Refusal.alreadyMerged) {
                try await store.one(
                    ContactErasing(
                        contact(2), of: Self.shop, by: Self.owner, at: Self.later))
            }
            try await Self.eraseEvents([1, 2], in: store)
            let erased = try await store.one(
                ContactErasing(contact(1), of: Self.shop, by: Self.owner, at: Self.later))
            #expect(erased.name == nil && erased.externalID == nil && erased.notes.isEmpty)
            #expect(erased.attributes.isEmpty && erased.metadata.isEmpty)
            let merged = try #require(try await store.findContact(contact(2)))
            #expect(merged.merge?.into == contact(1) && merged.merge?.notes == "")
            #expect(merged.name == nil && merged.attributes.isEmpty)
            #expect(!"\(merged)".contains(Self.secret))
            let rows = [
                try await store.require(conversation(1)), try await store.require(conversation(2)),
            ]
            #expect(rows.allSatisfy { $0.contactName == nil && $0.customer.name == nil })
            #expect(rows.allSatisfy { $0.customer.locale == nil && $0.isPersonErased })
            let query = try SearchQuery("secret")
            let named = try await store.findConversations(
                named: query, in: [Self.shop], limit: 9)
            #expect(named.isEmpty)
            // Another person's events are as they were; the contact's say what was changed, and no value.
            let events = try await store.events(after: .start, in: .everything, limit: 300).events
            let texts = events.compactMap { event -> String? in
                guard case .json(let data) = event.body else { return nil }
                return String(decoding: data, as: UTF8.self)
            }
            #expect(texts.filter { $0.contains("Mrs Sato") }.count == 1)
            let other = "\(Self.secret) 3"
            #expect(texts.filter { $0.contains(other) }.count == 1)
            #expect(!texts.contains { $0.contains("\(Self.secret) 1") })
            #expect(!texts.contains { $0.contains("\(Self.secret) 2") })
            #expect(events.last?.type == .contactSaved && events.last?.emptiesEarlierOnes == true)
            let records = try await store.auditRecords(
                AuditFilter(of: Self.shop), at: .start, limit: 1)
            #expect(records.elements.map(\.kind) == ["contact_erased"])
            // The customer writes again, and the contact is given a name again.
            _ = try await store.accept(submission("again", to: conversation(1)))
            #expect(try await !store.require(conversation(1)).isPersonErased)
            try await Self.save(1, named: "Mrs Oki", in: store)
            #expect(try await store.require(conversation(1)).contactName == "Mrs Oki")
        }
    }
}
