import DeskModel
import DeskSQL
import DeskStore
import TestSupport
import Testing

@testable import DeskStoreSQLite

func contact(_ number: UInt64) -> ContactID { ContactID(conversation(number).value) }

/// What every store promises of contacts.
@Suite struct ContactContract {
    private static let shop = business(1)

    @discardableResult
    private static func save(
        _ number: UInt64, name: String?? = nil, externalID: String?? = nil, notes: String? = nil,
        of owner: BusinessID = shop, in store: any Store
    ) async throws -> Contact {
        var values = SaveContact.Values()
        values.name = name
        values.externalID = externalID
        values.notes = notes
        return try await store.one(
            SaveContact(contact(number), of: owner, values, by: .agent(agent(1)), at: dawn))
    }

    private static func found(_ words: String, in store: any Store) async throws -> [UInt64] {
        try await store.findConversations(
            named: SearchQuery(words), in: [shop], limit: 9
        ).map { $0.id.value.low - 0xC000 }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a contact is kept with all that it has, and the newest is listed first`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let one = Contact(
                id: contact(1), business: Self.shop, name: "田中", externalID: "C-1", notes: "a\nb",
                createdAt: dawn)
            let two = Contact(id: contact(2), business: Self.shop, createdAt: dawn)
            let foreign = Contact(
                id: contact(3), business: business(2), externalID: "C-1", createdAt: dawn)
            for one in [one, two, foreign] { try await Self.keep(one, in: store) }
            #expect(try await store.findContact(contact(1)) == one)
            #expect(try await store.findContact(contact(9)) == nil)
            let first = try await store.contacts(of: Self.shop, at: .start, limit: 1)
            #expect(first.elements.map(\.contact) == [two] && first.hasMore)
            let next = try await store.contacts(
                of: Self.shop, at: .after(first.elements[0].place), limit: 9)
            #expect(next.elements.map(\.contact) == [one] && !next.hasMore)
            let back = try await store.contacts(
                of: Self.shop, at: .before(next.elements[0].place), limit: 9)
            #expect(back.elements.map(\.contact) == [two] && !back.hasMore)
            var renamed = one
            renamed.name = nil
            renamed.externalID = nil
            renamed.notes = ""
            try await Self.keep(renamed, in: store)
            #expect(try await store.findContact(contact(1)) == renamed)
        }
    }

    private static func keep(_ one: Contact, in store: any SQLRegistries) async throws {
        try await store.change(
            .contents(.saveContact(one.id, of: one.business)), author: .server
        ) { sql throws(StoreError) in try Contacts.save(one, on: sql) }
    }

    @Test(arguments: Kept.allCases)
    func `a customer's contact is there with the conversation`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            let conversation = try await store.require(conversation(1))
            #expect(conversation.contact == contact(1))
            #expect(try await store.findContact(contact(1)) == Contact(of: conversation))
            // The same customer again is no other contact.
            _ = try await store.one(
                OpenConversation(
                    DeskModel.ConversationID(uniqueID(0xC777)), business: Self.shop,
                    customer: conversation.customer, at: dawn))
            let page = try await store.contacts(of: Self.shop, at: .start, limit: 9)
            #expect(page.elements.count == 1)
        }
    }

    @Test(arguments: Kept.allCases)
    func `an edited name is in the row and found, and the customer's own stays found`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            var customer = try await store.require(conversation(1)).customer
            customer.name = "Mika Tanaka"
            _ = try await store.change(conversation(1), .describe(customer))
            let before = try await store.require(conversation(1)).revision
            let saved = try await Self.save(
                1, name: "Mrs Sato", externalID: "C-1", notes: "prefers mornings", in: store)
            #expect(saved.name == "Mrs Sato")
            #expect(try await store.types().last == .contactSaved)
            let row = try await store.require(conversation(1))
            #expect(row.contactName == "Mrs Sato")
            #expect(row.customer.name == "Mika Tanaka" && row.revision == before)
            for words in ["sato", "tan", "mika"] {
                #expect(try await Self.found(words, in: store) == [1], "\(words)")
            }
            let newest = store.newest
            #expect(try await Self.save(1, name: "Mrs Sato", in: store) == saved)
            #expect(store.newest == newest)
            try await Self.save(1, name: .some(nil), in: store)
            #expect(try await store.require(conversation(1)).contactName == nil)
            #expect(try await Self.found("sato", in: store) == [])
            #expect(try await Self.found("tanaka", in: store) == [1])
        }
    }

    @Test(arguments: Kept.allCases)
    func `an external id is one contact's in a business`(_ kept: Kept) async throws {
        try await kept.with { store in
            for number in 1...2 as ClosedRange<UInt64> {
                try await store.begin(conversation(number), customer: number)
            }
            try await store.begin(conversation(3), in: business(2), customer: 3)
            try await Self.save(1, externalID: "C-1", in: store)
            await #expect(throws: Refusal.nameTaken) {
                try await Self.save(2, externalID: "C-1", in: store)
            }
            try await Self.save(3, externalID: "C-1", of: business(2), in: store)
            await #expect(throws: Refusal.notFound) {
                try await Self.save(3, notes: "x", in: store)
            }
            await #expect(throws: Refusal.notFound) {
                try await Self.save(9, notes: "x", in: store)
            }
            // Given up in one step of a group, it is free for the next.
            var none = SaveContact.Values()
            none.externalID = .some(nil)
            var taken = SaveContact.Values()
            taken.externalID = "C-1"
            _ = try await store.append(
                SaveContact(contact(1), of: Self.shop, none, by: .server, at: dawn))
            _ = try await store.append(
                SaveContact(contact(2), of: Self.shop, taken, by: .server, at: dawn))
            #expect(try await store.findContact(contact(2))?.externalID == "C-1")
        }
    }

    @Test(arguments: Kept.allCases)
    func `of many who claim an external id at the same moment one has it`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            for number in 1...20 as ClosedRange<UInt64> {
                try await store.begin(conversation(number), customer: number)
            }
            let winners = await withTaskGroup(of: Int.self) { group in
                for number in 1...20 as ClosedRange<UInt64> {
                    group.addTask {
                        do {
                            try await Self.save(number, externalID: "C-1", in: store)
                            return 1
                        } catch {
                            return error as? Refusal == .nameTaken ? 0 : 100
                        }
                    }
                }
                return await group.reduce(0, +)
            }
            #expect(winners == 1)
        }
    }
}
