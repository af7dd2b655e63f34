import DeskModel
import DeskSQL
import DeskStore
import TestSupport
import Testing

@testable import DeskStoreSQLite

/// What every store promises of links between contacts of different businesses.
@Suite struct ContactLinkContract {
    private static let shop = business(1)
    private static let other = business(2)

    /// A contact in each of two businesses, and an agent who belongs to both.
    private static func begin(_ store: any Store) async throws {
        try await store.begin(conversation(1))
        try await store.begin(conversation(2), in: other, customer: 2)
        for business in [shop, other] {
            try await store.setRole(.agent, of: agent(1), in: business, author: .server)
        }
    }

    @discardableResult
    private static func link(
        _ one: UInt64 = 1, with two: UInt64 = 2, of first: BusinessID = shop,
        and second: BusinessID = other, isLinked: Bool = true, by author: Author? = nil,
        in store: any Store
    ) async throws -> ContactLink {
        try await store.one(
            LinkContacts(
                contact(one), of: first, with: contact(two), of: second, isLinked: isLinked,
                permitted: [.owner, .agent], by: author ?? .agent(agent(1)), at: dawn))
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a link is kept with all that it has, and found from both ends`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            for (number, owner) in [(1, Self.shop), (2, Self.other), (3, Self.other)] {
                let one = Contact(
                    id: contact(UInt64(number)), business: owner, externalID: "C-1\(number)",
                    isExternalIDVerified: number == 2, createdAt: dawn)
                try await store.change(
                    .contents(.saveContact(one.id, of: owner)), author: .server
                ) { sql throws(StoreError) in try Contacts.save(one, on: sql) }
                #expect(try await store.findContact(one.id) == one)
                #expect(try await store.findContact(externalID: "C-1\(number)", of: owner) == one)
            }
            #expect(try await store.findContact(externalID: "C-12", of: Self.shop) == nil)
            var link = ContactLink(
                contact(2), contact(1), isLinked: true, author: .agent(agent(1)), time: dawn)
            #expect(link.one == contact(1) && link.other == contact(2))
            for isLinked in [true, false] {
                link.isLinked = isLinked
                let changed = link
                try await store.change(
                    .contents(.linkContact(contact(1), of: Self.shop, isLinked)), author: .server
                ) { sql throws(StoreError) in try ContactLinks.put(changed, on: sql) }
                #expect(try await store.contactLinks(of: [contact(1)]) == [changed])
                #expect(try await store.contactLinks(of: [contact(2)]) == [changed])
                #expect(try await store.contactLinks(of: [contact(3)]) == [])
            }
        }
    }

    @Test(arguments: Kept.allCases)
    func `a link is an event in both businesses that says nothing of the other one`(_ kept: Kept)
        async throws
    {
        try await kept.with { store in
            try await Self.begin(store)
            let before = store.newest
            try await Self.link(in: store)
            // Linked from either end it is the same, and no event.
            try await Self.link(2, with: 1, of: Self.other, and: Self.shop, in: store)
            #expect(store.newest.value == before.value + 2)
            let events = try await store.events(after: .start, in: .everything, limit: 300).events
            let made = events.suffix(2)
            #expect(made.allSatisfy { $0.type == .contactLinksChanged })
            #expect(made.map(\.business) == [Self.shop, Self.other])
            for (event, foreign) in zip(made, [contact(2), contact(1)]) {
                guard case .json(let bytes) = event.body else {
                    Issue.record("another body")
                    continue
                }
                let text = String(decoding: bytes, as: UTF8.self)
                let business = event.business == Self.shop ? Self.other : Self.shop
                #expect(!text.contains(foreign.text) && !text.contains(business.text))
                #expect(text.contains(agent(1).text))
            }
            try await Self.link(isLinked: false, in: store)
            #expect(try await store.contactLinks(of: [contact(1)]).map(\.isLinked) == [false])
            #expect(store.newest.value == before.value + 4)
        }
    }

    @Test(arguments: Kept.allCases)
    func `only who belongs to both businesses in that commit links their contacts`(_ kept: Kept)
        async throws
    {
        try await kept.with { store in
            try await Self.begin(store)
            try await store.setRole(.agent, of: agent(2), in: Self.shop, author: .server)
            let key = Author.key(KeyID(uniqueID(0xB001)))
            for author in [Author.agent(agent(2)), .agent(agent(3)), key, .server] {
                await #expect(throws: Refusal.notFound) {
                    try await Self.link(by: author, in: store)
                }
            }
            await #expect(throws: Refusal.notFound) { try await Self.link(with: 9, in: store) }
            await #expect(throws: Refusal.notFound) {
                try await Self.link(with: 1, and: Self.shop, in: store)
            }
            #expect(try await store.contactLinks(of: [contact(1), contact(2)]) == [])
        }
    }

    @Test(arguments: Kept.allCases)
    func `a contact has so many links and no more`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await Self.begin(store)
            for number in 10..<UInt64(10 + ContactLink.most) {
                try await store.begin(conversation(number), in: Self.other, customer: number)
                try await Self.link(with: number, in: store)
            }
            await #expect(throws: Refusal.unusable) { try await Self.link(in: store) }
            try await Self.link(with: 10, isLinked: false, in: store)
        }
    }

    @Test(arguments: Kept.allCases)
    func `a key verifies an external id, a person clears it, and a merge moves both`(_ kept: Kept)
        async throws
    {
        try await kept.with { store in
            try await Self.begin(store)
            try await store.begin(conversation(3), customer: 3)
            func save(_ number: UInt64, _ id: String?, by author: Author) async throws -> Bool {
                var values = SaveContact.Values()
                values.externalID = .some(id)
                return try await store.one(
                    SaveContact(contact(number), of: Self.shop, values, by: author, at: dawn)
                ).isExternalIDVerified
            }
            let key = Author.key(KeyID(uniqueID(0xB001)))
            let person = Author.agent(agent(1))
            #expect(try await !save(1, "C-1", by: person))
            #expect(try await save(1, "C-1", by: key))
            #expect(try await save(1, "C-1", by: person))
            #expect(try await !save(1, "C-2", by: person))
            #expect(try await !save(1, nil, by: key))
            #expect(try await save(3, "C-3", by: key))
            let root = try await store.one(
                MergeContacts(
                    contact(3), into: contact(1), of: Self.shop, by: person, at: dawn))
            #expect(root.externalID == "C-3" && root.isExternalIDVerified)
            let parted = try await store.one(
                UnmergeContact(contact(3), of: Self.shop, by: person, at: dawn))
            #expect(parted.externalID == "C-3" && parted.isExternalIDVerified)
            #expect(try await store.findContact(contact(1))?.isExternalIDVerified == false)
        }
    }
}
