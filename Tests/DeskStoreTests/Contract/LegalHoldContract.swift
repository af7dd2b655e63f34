import DeskModel
import DeskStore
import StoreSupport
import TestSupport
import Testing

/// What every store promises of content that is kept from being erased.
@Suite struct LegalHoldContract {
    private static let shop = business(1)
    private static let owner = Author.agent(agent(1))
    private static let held = LegalHold.Subject.conversation(conversation(1))
    private static let note = NoteID(uniqueID(1))

    private static func place(
        _ subjects: [LegalHold.Subject], _ reason: String = "Case 7", in store: any Store
    ) async throws -> Int {
        try await store.one(
            PlaceLegalHolds(on: subjects, of: shop, reason: reason, by: owner, at: dawn))
    }

    private static func release(
        _ subjects: [LegalHold.Subject], in store: any Store
    ) async throws -> Int {
        try await store.one(ReleaseLegalHolds(on: subjects, of: shop, by: owner))
    }

    private static func list(_ store: any Store) async throws -> [LegalHold] {
        try await store.legalHolds(of: shop, at: .start, limit: 9).elements
    }

    private static func noteContact(_ text: String, in store: any Store) async throws {
        var values = SaveContact.Values()
        values.notes = text
        _ = try await store.one(
            SaveContact(contact(1), of: shop, values, by: owner, at: dawn))
    }

    // MARK: What is kept

    /// Every step that removes content.
    enum Erasure: CaseIterable {
        case contactNotes, changedNote, deletedNote, messages, notes, rest, person, events

        func run(in store: any Store) async throws {
            let later = ErasureContract.later
            switch self {
            case .messages: _ = try await store.one(try ErasureContract.order(["m1"]))
            case .notes:
                _ = try await store.one(NoteErasing([note], in: conversation(1), at: later))
            case .rest:
                _ = try await store.one(
                    ConversationErasing(
                        conversation(1), by: owner, at: later, isBeginning: true))
            case .person:
                _ = try await store.one(
                    ContactErasing(contact(1), of: shop, by: owner, at: later))
            case .events:
                try await store.one(
                    ContactEventErasing([store.newest], about: [contact(1)], of: shop))
            case .contactNotes: try await LegalHoldContract.noteContact("other words", in: store)
            case .changedNote, .deletedNote:
                let text = self == .changedNote ? "other words" : nil
                _ = try await store.one(
                    ChangeNote(note, in: conversation(1), to: text, by: owner, at: later))
            }
        }
    }

    @Test(arguments: Kept.allCases, [held, .business(shop)])
    func `nothing is erased while it is on hold, and everything once it is released`(
        _ kept: Kept, _ subject: LegalHold.Subject
    ) async throws {
        try await kept.with { store in
            try await ErasureContract.fill(store)
            _ = try await store.one(
                AddNote(
                    Self.note, to: conversation(1), text: "words", by: Self.owner, at: dawn))
            try await Self.noteContact("words", in: store)
            #expect(try await Self.place([subject], in: store) == 1)
            try await Self.noteContact("words and more", in: store)
            let newest = store.newest
            for erasure in Erasure.allCases {
                await #expect(throws: Refusal.onHold, "\(erasure)") {
                    try await erasure.run(in: store)
                }
            }
            #expect(store.newest == newest)
            let notes = try await store.notes(in: conversation(1), behind: .beginning, limit: 9)
            #expect(notes.notes.map(\.text) == ["words"])
            #expect(try await Self.release([subject], in: store) == 1)
            for erasure in Erasure.allCases { try await erasure.run(in: store) }
            #expect(store.newest > newest)
        }
    }

    @Test(arguments: Kept.allCases)
    func `what is erased already is answered alike, and others are not kept`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await ErasureContract.fill(store)
            let order = try ErasureContract.order(["m1"])
            #expect(try await store.one(order).count == 1)
            #expect(try await Self.place([Self.held], in: store) == 1)
            #expect(try await store.one(order).isEmpty)
            try await store.begin(conversation(2), customer: 2)
            _ = try await store.one(
                ConversationErasing(
                    conversation(2), by: Self.owner, at: ErasureContract.later,
                    isBeginning: true))
            #expect(
                try await store.legalHolds(on: [conversation(2)], of: Self.shop).isEmpty)
        }
    }

    // MARK: Placing and releasing

    @Test(arguments: Kept.allCases)
    func `a hold gets another reason in its place, and each change is in the audit log`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            try await store.begin(conversation(2), customer: 2)
            let both = [Self.held, .conversation(conversation(2))]
            #expect(try await Self.place(both, in: store) == 2)
            #expect(try await Self.place(both, in: store) == 0)
            #expect(try await Self.place([Self.held], "Case 8", in: store) == 1)
            #expect(try await Self.list(store).map(\.reason) == ["Case 7", "Case 8"])
            #expect(try await Self.list(store).map(\.subject) == both.reversed())
            #expect(try await Self.place([.business(Self.shop)], in: store) == 1)
            #expect(try await Self.list(store).count == 2)
            let all = try await store.legalHolds(on: [conversation(1)], of: Self.shop)
            #expect(all.map(\.subject) == [.business(Self.shop), Self.held])
            let content = try await store.heldContent(of: Self.shop)
            #expect(content.isEverything && content.conversations.count == 2)
            #expect(try await Self.release(both + both, in: store) == 2)
            #expect(try await Self.list(store).isEmpty)
            #expect(try await store.heldContent(of: business(2)) == HeldContent())
            var filter = AuditFilter()
            filter.business = Self.shop
            let records = try await store.auditRecords(filter, at: .start, limit: 300)
            let kinds = records.elements.map(\.kind)
            #expect(kinds.filter { $0 == "legal_hold_placed" }.count == 4)
            #expect(kinds.filter { $0 == "legal_hold_released" }.count == 2)
        }
    }

    @Test(arguments: Kept.allCases)
    func `pages of holds lead on and back`(_ kept: Kept) async throws {
        try await kept.with { store in
            for number in UInt64(1)...5 {
                try await store.begin(conversation(number), customer: number)
            }
            let subjects = (1...5).map {
                LegalHold.Subject.conversation(conversation(UInt64($0)))
            }
            #expect(try await Self.place(subjects, in: store) == 5)
            let first = try await store.legalHolds(of: Self.shop, at: .start, limit: 2)
            #expect(first.hasMore && first.elements.map(\.subject) == [subjects[4], subjects[3]])
            let last = try #require(first.elements.last?.number)
            let next = try await store.legalHolds(of: Self.shop, at: .after(last), limit: 3)
            #expect(!next.hasMore && next.elements.map(\.subject) == subjects[..<3].reversed())
            let edge = try #require(next.elements.first?.number)
            let back = try await store.legalHolds(of: Self.shop, at: .before(edge), limit: 9)
            #expect(back.elements == first.elements)
        }
    }

    @Test(arguments: Kept.allCases)
    func `a hold is on what the business has, all of them or none`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            await #expect(throws: Refusal.notFound) {
                try await Self.place(
                    [Self.held, .conversation(conversation(9))], in: store)
            }
            await #expect(throws: Refusal.notFound) {
                try await store.one(
                    PlaceLegalHolds(
                        on: [Self.held], of: business(2), reason: "Case 7", by: Self.owner,
                        at: dawn))
            }
            #expect(try await Self.list(store).isEmpty)
        }
    }
}
