import DeskModel
import DeskSQL
import DeskStore
import TestSupport
import Testing

@testable import DeskStoreSQLite

func attributeID(_ number: UInt64) -> AttributeID { AttributeID(uniqueID(0xAA00 + number)) }

/// What every store promises of attributes.
@Suite struct AttributeContract {
    private static let shop = business(1)

    private static func definition(
        _ number: UInt64, _ key: String, _ kind: AttributeDefinition.Kind = .text,
        of subject: AttributeDefinition.Subject = .conversation, choices: [String] = [],
        in owner: BusinessID = shop
    ) -> AttributeDefinition {
        AttributeDefinition(
            id: attributeID(number), business: owner, subject: subject, key: key, kind: kind,
            name: "Name of \(key)", choices: choices, order: Int(number))
    }

    private static func make(_ one: AttributeDefinition, in store: any Store) async throws {
        _ = try await store.one(SaveAttribute(one, by: .agent(agent(1)), at: dawn))
    }

    private static func set(
        _ values: [String: AttributeValue?], of number: UInt64 = 1, in store: any Store
    ) async throws -> Conversation {
        try await store.change(conversation(number), .attribute(values))
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a definition is kept with all that it has, and a business's are in order`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            var one = Self.definition(2, "tier", .choice, choices: ["gold", "銀", ""])
            let two = Self.definition(1, "tier", .number, of: .contact)
            let foreign = Self.definition(3, "tier", in: business(2))
            for definition in [one, two, foreign] {
                try await store.change(
                    .contents(.saveAttribute(definition.id, of: definition.business)),
                    author: .server
                ) { sql throws(StoreError) in try Attributes.save(definition, on: sql) }
            }
            #expect(try await store.attributes(of: Self.shop) == [two, one])
            one.choices.append("new")
            one.isRetired = true
            one.order = 0
            let changed = one
            try await store.change(
                .contents(.saveAttribute(one.id, of: Self.shop)), author: .server
            ) { sql throws(StoreError) in try Attributes.save(changed, on: sql) }
            #expect(try await store.attributes(of: Self.shop) == [changed, two])
        }
    }

    @Test(arguments: Kept.allCases)
    func `a key is one definition's of a subject, and choices are only added`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            try await Self.make(Self.definition(1, "tier", .choice, choices: ["gold"]), in: store)
            await #expect(throws: Refusal.nameTaken) {
                try await Self.make(Self.definition(2, "tier"), in: store)
            }
            try await Self.make(Self.definition(2, "tier", of: .contact), in: store)
            #expect(try await store.types().last == .attributeSaved)
            var values = SaveAttribute.Values()
            values.choices = ["silver", "gold"]
            let changed = try await store.one(
                SaveAttribute(attributeID(1), of: Self.shop, values, by: .server, at: dawn))
            #expect(changed.choices == ["gold", "silver"])
            let newest = store.newest
            _ = try await store.one(
                SaveAttribute(attributeID(1), of: Self.shop, values, by: .server, at: dawn))
            #expect(store.newest == newest)
            await #expect(throws: Refusal.unusable) {
                try await store.one(
                    SaveAttribute(attributeID(2), of: Self.shop, values, by: .server, at: dawn))
            }
            await #expect(throws: Refusal.notFound) {
                try await store.one(
                    SaveAttribute(attributeID(9), of: Self.shop, values, by: .server, at: dawn))
            }
        }
    }

    @Test(arguments: Kept.allCases)
    func `a business defines its most attributes and no more`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            for number in 1...UInt64(AttributeDefinition.most) {
                try await Self.make(Self.definition(number, "key\(number)"), in: store)
            }
            await #expect(throws: Refusal.unusable) {
                try await Self.make(Self.definition(99, "one_more"), in: store)
            }
            try await Self.make(Self.definition(99, "one_more", of: .contact), in: store)
        }
    }

    @Test(arguments: Kept.allCases)
    func `values are what their definition allows, and each change is one event`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            try await Self.make(Self.definition(1, "order_no"), in: store)
            try await Self.make(Self.definition(2, "weight", .number), in: store)
            try await Self.make(Self.definition(3, "tier", of: .contact), in: store)
            let first = try await Self.set(
                ["order_no": .text("A-17 \"x\""), "weight": .number(12.5)], in: store)
            #expect(first.attributes == ["order_no": .text("A-17 \"x\""), "weight": .number(12.5)])
            let again = try await Self.set(["weight": .number(12.5), "order_no": nil], in: store)
            #expect(again.attributes == ["weight": .number(12.5)])
            let newest = store.newest
            _ = try await Self.set(["weight": .number(12.5), "order_no": nil], in: store)
            #expect(store.newest == newest)
            let events = try await store.events(after: .start, in: .everything, limit: 300).events
            let changes = events.filter { $0.type == .conversationAttributesChanged }
            guard case .conversation(let step) = changes.last?.body else {
                throw Unexpected("\(changes)")
            }
            #expect(changes.count == 2)
            #expect(
                step.change
                    == .attributes([
                        AttributeStep(key: "order_no", from: .text("A-17 \"x\""), to: nil)
                    ]))
            for wrong in [
                ["order_no": .number(1)], ["weight": .text("1")], ["tier": .text("gold")],
                ["none": .text("x")], ["order_no": .text("")],
            ] as [[String: AttributeValue?]] {
                await #expect(throws: Refusal.unusable) { try await Self.set(wrong, in: store) }
            }
            // Retired: what is there stays, goes for good, and nothing is added.
            var values = SaveAttribute.Values()
            values.isRetired = true
            _ = try await store.one(
                SaveAttribute(attributeID(2), of: Self.shop, values, by: .server, at: dawn))
            _ = try await Self.set(["weight": .number(12.5)], in: store)
            await #expect(throws: Refusal.unusable) {
                try await Self.set(["weight": .number(13)], in: store)
            }
            #expect(try await Self.set(["weight": nil], in: store).attributes == [:])
            let stored = try await store.require(conversation(1))
            #expect(stored.attributes == [:])
        }
    }

    @Test(arguments: Kept.allCases)
    func `two who set different attributes at once both keep theirs`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            for number in 1...10 as ClosedRange<UInt64> {
                try await Self.make(Self.definition(number, "key\(number)"), in: store)
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...10 {
                    group.addTask {
                        _ = try await Self.set(["key\(number)": .text("v\(number)")], in: store)
                    }
                }
                try await group.waitForAll()
            }
            let set = try await store.require(conversation(1)).attributes
            #expect(set.count == 10)
            #expect(set["key7"] == .text("v7"))
        }
    }

    @Test(arguments: Kept.allCases)
    func `a contact has attributes of its own`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            try await Self.make(
                Self.definition(1, "since", .date, of: .contact), in: store)
            var values = SaveContact.Values()
            values.attributes = ["since": .text("2026-02-29")]
            let wrong = values
            await #expect(throws: Refusal.unusable) {
                try await store.one(
                    SaveContact(contact(1), of: Self.shop, wrong, by: .server, at: dawn))
            }
            values.attributes = ["since": .text("2028-02-29")]
            let right = values
            let saved = try await store.one(
                SaveContact(contact(1), of: Self.shop, right, by: .server, at: dawn))
            #expect(saved.attributes == ["since": .text("2028-02-29")])
            #expect(try await store.findContact(contact(1)) == saved)
            #expect(try await store.require(conversation(1)).attributes == [:])
        }
    }

    @Test(
        arguments: [
            (.text, .text("a"), true), (.text, .text(" "), false), (.text, .text(""), false),
            (.text, .text(String(repeating: "x", count: 201)), false), (.text, .number(1), false),
            (.number, .number(-1.5), true), (.number, .number(1e15), true),
            (.number, .number(1e16), false), (.number, .text("1"), false),
            (.date, .text("2026-11-23"), true), (.date, .text("2026-11-31"), false),
            (.date, .text("2026-2-3"), false), (.date, .text("+026-01-01"), false),
            (.date, .text("0000-01-01"), false), (.choice, .text("gold"), true),
            (.choice, .text("Gold"), false), (.choice, .text("e\u{301}"), false),
            (.link, .text("https://a.example/x?y=1#z"), true), (.link, .text("HTTP://a"), true),
            (.link, .text("javascript:alert(1)"), false), (.link, .text("https://"), false),
            (.link, .text("https:///x"), false), (.link, .text("https://a b"), false),
            (.link, .text("https://a\u{202E}b"), false), (.link, .text("https://a\"b"), false),
        ] as [(AttributeDefinition.Kind, AttributeValue, Bool)])
    func `a type says which values it allows`(
        kind: AttributeDefinition.Kind, value: AttributeValue, isAllowed: Bool
    ) {
        let definition = Self.definition(1, "key", kind, choices: ["gold", "\u{e9}"])
        #expect(definition.allows(value) == isAllowed)
    }

    @Test(
        arguments: [
            (.text(""), "t"), (.text("n1"), "tn1"), (.number(3), "n3"), (.number(-0.5), "n-0.5"),
            (.number(1e15), "n1000000000000000"), (.text("\u{301}"), "t\u{301}"),
        ] as [(AttributeValue, String)])
    func `a value's stored form is read back`(value: AttributeValue, stored: String) {
        #expect(value.stored.utf8.elementsEqual(stored.utf8))
        #expect(AttributeValue(stored: stored) == value)
    }
}
