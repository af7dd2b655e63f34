import DeskJSON
import DeskModel
import DeskStore
import StoreSupport
import TestSupport
import Testing

/// What every store promises of metadata.
@Suite struct MetadataContract {
    private static let shop = business(1)
    private static let place = conversation(1)
    private static let author = Author.key(KeyID(uniqueID(7)))
    private static let secret = "kept beside"

    private static func metadata(_ members: [String: String]) -> Metadata {
        var metadata = Metadata()
        for (name, value) in members { metadata[name] = value }
        return metadata
    }

    private static func change(_ members: [String: String?]) -> Metadata.Change {
        var change = Metadata.Change()
        for (name, value) in members { change.set(name, to: value) }
        return change
    }

    @discardableResult
    private static func annotate(
        _ members: [String: String?], in store: any Store
    ) async throws -> Conversation {
        try await store.one(
            ChangeConversation(place, .annotate(change(members)), by: author, at: dawn))
    }

    private static func found(_ store: any Store) async throws -> Metadata {
        try await store.require(place).metadata
    }

    /// The data of the newest event of a type.
    private static func newest(
        _ type: EventType, in store: any Store
    ) async throws -> String? {
        let page = try await store.events(after: .start, in: .everything, limit: 300)
        return page.events.last { $0.type == type }.flatMap { event in
            if case .json(let data) = event.body {
                String(decoding: data, as: UTF8.self)
            } else {
                nil
            }
        }
    }

    @Test(arguments: Kept.allCases)
    func `names that a change gives are set, null removes one, and the others stay`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(Self.place)
            let begun = try await store.require(Self.place)
            #expect(begun.metadata.isEmpty)
            let first = try await Self.annotate(["order": "A-17", "注文": "\u{1F375}"], in: store)
            #expect(first.revision == begun.revision.next)
            try await Self.annotate(["order": "A-18", "old": nil, "note": ""], in: store)
            let third = try await Self.annotate(["注文": nil], in: store)
            let expected = Self.metadata(["order": "A-18", "note": ""])
            #expect(third.metadata == expected)
            #expect(try await Self.found(store) == expected)
            let listed = try await store.conversations(
                ConversationFilter(businesses: [Self.shop]), at: .start, limit: 9)
            #expect(listed.elements.map(\.metadata) == [expected])
            // A message in between leaves it where it is.
            _ = try await store.accept(submission("m1", to: Self.place))
            #expect(try await Self.found(store) == expected)
            let same = try await Self.annotate(["order": "A-18", "gone": nil], in: store)
            #expect(same.revision == third.revision.next)
        }
    }

    @Test(arguments: Kept.allCases)
    func `an event of metadata has the names and no value`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await store.begin(Self.place)
            try await Self.annotate(["b": Self.secret, "a": Self.secret], in: store)
            try await Self.annotate(["a": nil, "b": Self.secret, "c": Self.secret], in: store)
            let data = try #require(
                try await Self.newest(.conversationMetadataChanged, in: store))
            #expect(
                data
                    == #"{"change":{"metadata":{"set":["c"],"removed":["a"]}},"by":{"type":"key","id":"\#(Self.author.name)"}}"#
            )
            var values = SaveContact.Values()
            values.metadata = Self.change(["crm": Self.secret])
            _ = try await store.one(
                SaveContact(contact(1), of: Self.shop, values, by: Self.author, at: dawn))
            let saved = try #require(try await Self.newest(.contactSaved, in: store))
            #expect(saved.contains(#""change":{"metadata":{"set":["crm"],"removed":[]}}"#))
            #expect(!saved.contains(Self.secret))
        }
    }

    @Test(arguments: Kept.allCases)
    func `fifty names are kept, and one more is refused as a whole`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(Self.place)
            var many: [String: String?] = [:]
            for number in 0..<Metadata.most { many["n\(number)"] = "x" }
            try await Self.annotate(many, in: store)
            await #expect(throws: Refusal.unusable) {
                try await Self.annotate(["one more": "x"], in: store)
            }
            try await Self.annotate(["one more": "x", "n0": nil], in: store)
            #expect(try await Self.found(store).count == Metadata.most)
            var values = SaveContact.Values()
            values.metadata = Self.change(many)
            let step = SaveContact(contact(1), of: Self.shop, values, by: Self.author, at: dawn)
            #expect(try await store.one(step).metadata.count == Metadata.most)
            values.metadata = Self.change(["one more": "x"])
            let next = SaveContact(contact(1), of: Self.shop, values, by: Self.author, at: dawn)
            await #expect(throws: Refusal.unusable) { try await store.one(next) }
        }
    }

    @Test(arguments: Kept.allCases)
    func `a contact keeps its metadata, through a merge too`(_ kept: Kept) async throws {
        try await kept.with { store in
            for number in 1...2 as ClosedRange<UInt64> {
                try await store.begin(conversation(number), customer: number)
                var values = SaveContact.Values()
                values.metadata = Self.change(["number": "\(number)", "é": "e\u{301}"])
                _ = try await store.one(
                    SaveContact(
                        contact(number), of: Self.shop, values, by: Self.author, at: dawn))
            }
            let own = [1, 2].map { Self.metadata(["number": "\($0)", "é": "e\u{301}"]) }
            _ = try await store.one(
                MergeContacts(
                    contact(2), into: contact(1), of: Self.shop, by: Self.author, at: dawn))
            #expect(try await store.findContact(contact(1))?.metadata == own[0])
            #expect(try await store.findContact(contact(2))?.metadata == own[1])
        }
    }

    @Test(arguments: Kept.allCases)
    func `an erasure empties the metadata of the message, of its conversation and of no other`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            for number in 1...2 as ClosedRange<UInt64> {
                try await store.begin(conversation(number), customer: number)
                let step = ChangeConversation(
                    conversation(number), .annotate(Self.change(["a": Self.secret])),
                    by: Self.author, at: dawn)
                _ = try await store.one(step)
            }
            for name in ["m1", "m2"] {
                var one = try submission(name, to: Self.place)
                one.facts.metadata = Self.metadata(["a": Self.secret])
                _ = try await store.accept(one)
            }
            _ = try await store.one(try ErasureContract.order(["m1"]))
            #expect(try await Self.found(store).isEmpty)
            #expect(!(try await store.require(conversation(2)).metadata.isEmpty))
            for (name, isEmpty) in [("m1", true), ("m2", false)] {
                let message = try await store.findMessage(messageID(name), in: Self.place)
                #expect(message?.facts.metadata.isEmpty == isEmpty, "\(name)")
            }
            let page = try await store.events(
                after: .start, in: .conversation(Self.place), limit: 300)
            #expect(page.events.allSatisfy { $0.conversation?.metadata.isEmpty ?? true })
        }
    }

    /// What a request was answered, under a key of its own.
    private static func remember(
        _ text: String, as name: String, in store: any Store
    ) async throws {
        try await store.remember(
            RememberedAnswer(
                scope: name, body: .sha256([1]),
                content: .answer(status: 200, body: Array(text.utf8)), time: dawn))
    }

    @Test(arguments: Kept.allCases)
    func `an erasure empties remembered answers that show the conversation's metadata`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(Self.place)
            _ = try await store.accept(submission("m1", to: Self.place))
            let mine = #"{"id":"\#(Self.place.text)","metadata":{"a":"\#(Self.secret)"}}"#
            let other = #"{"id":"\#(conversation(2).text)","metadata":{"a":"x"}}"#
            let plain = #"{"id":"\#(Self.place.text)","metadata":{}}"#
            for (name, text) in [("mine", mine), ("other", other), ("plain", plain)] {
                try await Self.remember(text, as: name, in: store)
            }
            // Neither has the conversation's id in what it was answered.
            func scope(_ path: String) throws -> String {
                try #require(
                    IdempotencyClaim(
                        credential: "key:1", route: "POST /api/conversations/\(path)", key: "k",
                        body: .sha256([1]))
                ).scope
            }
            let scopes = [
                (try scope("\(Self.place.text)/control"), false),
                (try scope("\(Self.place.text.uppercased())/suggestions"), false),
                (try scope("\(Self.place.text)/notes"), true),
                (try scope("\(conversation(2).text)/control"), true),
            ]
            for (scope, _) in scopes {
                try await Self.remember(
                    #"{"metadata":{"a":"\#(Self.secret)"}}"#, as: scope, in: store)
            }
            _ = try await store.one(try ErasureContract.order(["m1"]))
            for (name, isKept) in [("mine", false), ("other", true), ("plain", true)] + scopes {
                guard case .answer = try await store.findAnswer(name)?.content else {
                    #expect(!isKept, "\(name)")
                    continue
                }
                #expect(isKept, "\(name)")
            }
        }
    }
}

/// Metadata by itself.
struct MetadataTests {
    @Test(arguments: [
        ("", ""), ("a", ""), ("注文", "改行\n\u{2028}\"\\"), ("\u{e9}", "1"), ("e\u{301}", "2"),
    ])
    func `what is written is read`(name: String, value: String) {
        var metadata = Metadata()
        metadata[name] = value
        #expect(Metadata(json: metadata.json) == metadata)
    }

    @Test func `names that only look alike are different`() {
        var metadata = Metadata()
        metadata["\u{e9}"] = "1"
        metadata["e\u{301}"] = "2"
        #expect(metadata.count == 2)
        #expect(Metadata(json: metadata.json) == metadata)
        #expect(metadata["\u{e9}"] == "1")
    }

    @Test(arguments: ["", "[]", "{\"a\":1}", "{\"a\":null}", "{\"a\":{}}", "{\"a\":\"b\""])
    func `what is no object of texts is none`(text: String) {
        #expect(Metadata(json: Array(text.utf8)) == nil)
    }

    @Test func `of a message it is one header field, and none where it is empty`() {
        var facts = MessageFacts(
            direction: .outbound, kind: .text, author: .server, origin: .api,
            headers: [MessageFacts.automatic])
        var metadata = Metadata()
        metadata["a"] = "b"
        facts.metadata = metadata
        facts.metadata = metadata
        #expect(facts.headers.count == 2 && facts.metadata == metadata && facts.isAutomatic)
        facts.metadata = Metadata()
        #expect(facts.headers == [MessageFacts.automatic])
    }
}
