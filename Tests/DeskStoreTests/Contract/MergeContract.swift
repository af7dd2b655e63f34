import DeskModel
import DeskSQL
import DeskStore
import TestSupport
import Testing

@testable import DeskStoreSQLite

/// What every store promises of merged and blocked contacts.
@Suite struct MergeContract {
    private static let shop = business(1)
    private static let author = Author.agent(agent(1))

    private static func begin(_ count: UInt64, in store: any Store) async throws {
        for number in 1...count {
            try await store.begin(conversation(number), customer: number)
        }
        let definition = AttributeDefinition(
            id: attributeID(1), business: shop, subject: .contact, key: "tier", kind: .text,
            name: "Tier")
        _ = try await store.one(SaveAttribute(definition, by: author, at: dawn))
    }

    private static func save(
        _ number: UInt64, _ name: String?, _ externalID: String? = nil, notes: String = "",
        tier: String? = nil, in store: any Store
    ) async throws {
        var values = SaveContact.Values()
        values.name = name
        values.externalID = externalID
        values.notes = notes
        values.attributes = ["tier": tier.map { .text($0) }]
        let saved = values
        _ = try await store.one(
            SaveContact(contact(number), of: shop, saved, by: author, at: dawn))
    }

    @discardableResult
    private static func merge(
        _ other: UInt64, into root: UInt64, by who: Author = author, in store: any Store
    ) async throws -> Contact {
        try await store.one(
            MergeContacts(contact(other), into: contact(root), of: shop, by: who, at: dawn))
    }

    @discardableResult
    private static func unmerge(_ number: UInt64, in store: any Store) async throws -> Contact {
        try await store.one(
            UnmergeContact(contact(number), of: shop, by: author, at: dawn))
    }

    private static func shown(_ number: UInt64, in store: any Store) async throws -> ContactID {
        try await store.require(conversation(number)).contact
    }

    @Test(arguments: Kept.allCases)
    func `a merge moves what the other lacks, and undoing it gives everything back`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await Self.begin(3, in: store)
            try await Self.save(1, nil, nil, notes: "one", in: store)
            try await Self.save(2, "Mrs Sato", "C-2", notes: "two", tier: "gold", in: store)
            let before = [
                try await store.findContact(contact(1)), try await store.findContact(contact(2)),
            ]
            let revision = try await store.require(conversation(2)).revision
            let root = try await Self.merge(2, into: 1, in: store)
            #expect(root.name == "Mrs Sato" && root.externalID == "C-2")
            #expect(root.notes == "one\n\ntwo" && root.attributes == ["tier": .text("gold")])
            #expect(try await store.types().last == .contactMerged)
            for number in 1...2 as ClosedRange<UInt64> {
                #expect(try await Self.shown(number, in: store) == contact(1))
                #expect(try await store.require(conversation(number)).contactName == "Mrs Sato")
            }
            #expect(try await Self.shown(3, in: store) == contact(3))
            // Conversations and their numbers are not merged.
            #expect(try await store.require(conversation(2)).revision == revision)
            #expect(try await store.contactTree(of: contact(1)) == [contact(1), contact(2)])
            let listed = try await store.contacts(of: Self.shop, at: .start, limit: 9)
            #expect(listed.elements.map(\.contact.id) == [contact(3), contact(1)])
            try await Self.unmerge(2, in: store)
            #expect(try await store.types().last == .contactUnmerged)
            #expect(
                [
                    try await store.findContact(contact(1)),
                    try await store.findContact(contact(2)),
                ] == before)
            #expect(try await Self.shown(2, in: store) == contact(2))
            #expect(try await store.require(conversation(1)).contactName == nil)
            #expect(try await store.require(conversation(2)).contactName == "Mrs Sato")
            await #expect(throws: Refusal.notMerged) { try await Self.unmerge(2, in: store) }
        }
    }

    @Test(arguments: Kept.allCases)
    func `what was changed since the merge stays where it was changed`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await Self.begin(2, in: store)
            try await Self.save(2, "Mrs Sato", "C-2", notes: "two", tier: "gold", in: store)
            try await Self.merge(2, into: 1, in: store)
            try await Self.save(1, "Dr Sato", "C-9", notes: "two, and more", tier: "new", in: store)
            let other = try await Self.unmerge(2, in: store)
            #expect(other.name == "Mrs Sato" && other.externalID == nil && other.notes == "two")
            let root = try await store.findContact(contact(1))
            #expect(root?.name == "Dr Sato" && root?.externalID == "C-9")
            #expect(root?.notes == "two, and more" && root?.attributes == ["tier": .text("new")])
        }
    }

    @Test(arguments: Kept.allCases)
    func `merges are undone in any order that leaves each with its own`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await Self.begin(3, in: store)
            try await Self.merge(3, into: 2, in: store)
            try await Self.merge(2, into: 1, in: store)
            for number in 1...3 as ClosedRange<UInt64> {
                #expect(try await Self.shown(number, in: store) == contact(1))
            }
            // Its own root was merged further: that is undone first.
            await #expect(throws: Refusal.alreadyMerged) { try await Self.unmerge(3, in: store) }
            try await Self.unmerge(2, in: store)
            #expect(try await Self.shown(3, in: store) == contact(2))
            #expect(try await Self.shown(2, in: store) == contact(2))
            try await Self.unmerge(3, in: store)
            #expect(try await Self.shown(3, in: store) == contact(3))
        }
    }

    @Test(arguments: Kept.allCases)
    func `what cannot be merged is refused, and nothing is changed`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await Self.begin(3, in: store)
            try await store.begin(conversation(4), in: business(2), customer: 4)
            let newest = store.newest
            await #expect(throws: Refusal.unusable) { try await Self.merge(1, into: 1, in: store) }
            await #expect(throws: Refusal.notFound) { try await Self.merge(4, into: 1, in: store) }
            await #expect(throws: Refusal.notFound) { try await Self.merge(9, into: 1, in: store) }
            #expect(store.newest == newest)
            try await Self.merge(2, into: 1, in: store)
            for (other, root) in [(2, 3), (3, 2), (1, 2), (2, 1)] as [(UInt64, UInt64)] {
                await #expect(throws: Refusal.alreadyMerged) {
                    try await Self.merge(other, into: root, in: store)
                }
            }
            await #expect(throws: Refusal.alreadyMerged) {
                try await Self.save(2, "late", in: store)
            }
            _ = try await store.one(
                BlockContact(contact(3), of: Self.shop, isBlocked: true, by: .server, at: dawn))
            await #expect(throws: Refusal.unusable) { try await Self.merge(3, into: 1, in: store) }
        }
    }

    @Test(arguments: Kept.allCases)
    func `of two merges at the same moment one wins`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await Self.begin(40, in: store)
            for number in stride(from: 1, to: 40, by: 2) as StrideTo<UInt64> {
                let results = await withTaskGroup(of: Refusal?.self) { group in
                    for (other, root) in [(number, number + 1), (number + 1, number)] {
                        group.addTask {
                            do {
                                try await Self.merge(other, into: root, in: store)
                                return nil
                            } catch {
                                return error as? Refusal ?? .notFound
                            }
                        }
                    }
                    return await group.reduce(into: [Refusal?]()) { $0.append($1) }
                }
                #expect(results.count { $0 == nil } == 1)
                #expect(results.count { $0 == .alreadyMerged } == 1)
                let shown = [
                    try await Self.shown(number, in: store),
                    try await Self.shown(number + 1, in: store),
                ]
                #expect(shown[0] == shown[1])
            }
        }
    }

    @Test(arguments: Kept.allCases)
    func `a blocked customer stores nothing, in no conversation of the contact`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await Self.begin(3, in: store)
            try await Self.merge(2, into: 1, in: store)
            func block(_ isBlocked: Bool, _ number: UInt64 = 1) async throws -> Contact {
                try await store.one(
                    BlockContact(
                        contact(number), of: Self.shop, isBlocked: isBlocked, by: Self.author,
                        at: dawn))
            }
            #expect(try await block(true).blockedAt == dawn)
            #expect(try await store.types().suffix(2) == [.customerBlocked, .customerBlocked])
            let newest = store.newest
            _ = try await block(true)
            for number in 1...2 as ClosedRange<UInt64> {
                await #expect(throws: Refusal.customerBlocked) {
                    try await store.accept(submission("a", to: conversation(number)))
                }
            }
            await #expect(throws: Refusal.alreadyMerged) { try await block(false, 2) }
            #expect(store.newest == newest)
            _ = try await store.accept(submission("a", to: conversation(3)))
            // The business may still write.
            _ = try await store.accept(
                submission("b", to: conversation(1), direction: .outbound))
            let apart = try await Self.unmerge(2, in: store)
            #expect(apart.blockedAt == dawn)
            #expect(try await block(false).blockedAt == nil)
            #expect(try await store.types().last == .customerUnblocked)
            _ = try await store.accept(submission("a", to: conversation(1)))
            await #expect(throws: Refusal.customerBlocked) {
                try await store.accept(submission("a", to: conversation(2)))
            }
        }
    }
}
