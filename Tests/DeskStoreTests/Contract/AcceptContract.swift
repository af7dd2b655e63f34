import DeskModel
import DeskStore
import Testing

/// What every store promises of accepting messages.
@Suite struct AcceptContract {
    @Test(arguments: Kept.allCases)
    func `numbers rise by one in each conversation`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            try await store.begin(conversation(2), customer: 2)
            for turn in 1...3 {
                for place in [conversation(1), conversation(2)] {
                    let stored = try await store.accept(submission("m\(turn)", to: place))
                    #expect(stored.message.sequence == SequenceNumber(Int64(turn)))
                }
            }
            let events = try await store.events(after: .start, in: .everything, limit: 300).events
            #expect(events.map(\.id.position.value) == Array(1...8))
            #expect(store.newest == Position(8))
        }
    }

    @Test(arguments: Kept.allCases)
    func `the same id and bytes give the first answer and store nothing`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            let first = try await store.accept(submission("a", to: conversation(1)))
            let before = store.newest
            let again = try await store.accept(submission("a", to: conversation(1)))
            #expect(!first.isRepeat)
            #expect(again.isRepeat)
            #expect(again.message == first.message)
            #expect(store.newest == before)
        }
    }

    @Test(arguments: Kept.allCases)
    func `the same id with other bytes is refused and stores nothing`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            _ = try await store.accept(submission("a", to: conversation(1), "one"))
            let before = store.newest
            await #expect(throws: Refusal.idempotencyConflict) {
                try await store.accept(submission("a", to: conversation(1), "two"))
            }
            #expect(store.newest == before)
        }
    }

    @Test(arguments: Kept.allCases)
    func `a repeat is known by the bytes as posted, not by what was spliced in`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            var first = try submission("a", to: conversation(1), "{\"v\":1}")
            first.posted = Array("{}".utf8)
            var again = try submission("a", to: conversation(1), "{\"v\":1 }")
            again.posted = Array("{}".utf8)
            let stored = try await store.accept(first)
            let repeated = try await store.accept(again)
            #expect(repeated.isRepeat)
            #expect(repeated.message.payload == stored.message.payload)
        }
    }

    @Test(arguments: Kept.allCases)
    func `ids are compared as bytes`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            _ = try await store.accept(submission("abc", to: conversation(1)))
            let other = try await store.accept(submission("ABC", to: conversation(1)))
            #expect(other.message.sequence == SequenceNumber(2))
        }
    }

    @Test(arguments: Kept.allCases)
    func `the same id may be used in another conversation`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            try await store.begin(conversation(2), customer: 2)
            _ = try await store.accept(submission("a", to: conversation(1)))
            let other = try await store.accept(submission("a", to: conversation(2), "else"))
            #expect(!other.isRepeat)
        }
    }

    @Test(arguments: Kept.allCases)
    func `a payload comes back byte for byte with all its facts`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            let bytes = (0...255).map { UInt8($0) }
            var sent = try submission("a", to: conversation(1), direction: .outbound)
            sent.payload = bytes
            sent.facts.headers = [
                HeaderField(name: "auto-reply", value: "true"),
                HeaderField(name: "x", value: "a,3:b\u{e9}"),
            ]
            sent.facts.warnings = Array("[{}]".utf8)
            sent.facts.inReplyTo = try messageID("before")
            sent.facts.entryCode = "code-7"
            sent.facts.template = TemplateName("greeting").map {
                TemplateUse(name: $0, version: 3, values: Array("{\"a\":1}".utf8))
            }
            sent.facts.attachments = [
                AttachmentUse(
                    id: AttachmentID(.sha256([1])), name: "\u{1f4f7}.png",
                    mediaType: "image/png", byteCount: 7)
            ]
            let stored = try await store.accept(sent)
            let found = try await store.findMessage(sent.id, in: conversation(1))
            #expect(found == stored.message)
            #expect(found?.payload == .bytes(bytes))
            #expect(found?.facts == sent.facts)
            #expect(found?.digest == .sha256(bytes))
        }
    }

    @Test(arguments: Kept.allCases)
    func `no message enters a conversation that does not exist`(_ kept: Kept) async throws {
        try await kept.with { store in
            await #expect(throws: Refusal.notFound) {
                try await store.accept(submission("a", to: conversation(9)))
            }
            #expect(store.newest == .start)
        }
    }

    @Test(arguments: Kept.allCases)
    func `many writers at once leave no gap and no double`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            try await store.begin(conversation(2), customer: 2)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<16 {
                    group.addTask {
                        for turn in 0..<20 {
                            let place = conversation(UInt64(1 + turn % 2))
                            // Every message is sent twice, as an impatient client would.
                            let sent = try submission("w\(writer)-\(turn)", to: place)
                            async let first = store.accept(sent)
                            async let again = store.accept(sent)
                            let both = try await [first, again]
                            #expect(both[0].message == both[1].message)
                            #expect(both.count { $0.isRepeat } == 1)
                        }
                    }
                }
                try await group.waitForAll()
            }
            for place in [conversation(1), conversation(2)] {
                let page = try await store.messages(in: place, .newest, limit: 300)
                #expect(page.elements.map(\.sequence.value) == Array(1...160))
                #expect(Set(page.elements.map(\.id)).count == 160)
            }
            #expect(store.newest == Position(2 + 320))
        }
    }

    @Test(arguments: Kept.allCases)
    func `an idempotency key is remembered with its message`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            var sent = try submission("a", to: conversation(1))
            let claim = IdempotencyClaim(
                credential: "key:1", route: "POST /x", key: "k", body: .sha256([1]))
            sent.idempotency = claim
            _ = try await store.accept(sent)
            let known = try await store.findAnswer(claim?.scope ?? "")
            #expect(known?.content == .message(conversation(1), sent.id))
            #expect(known?.body == .sha256([1]))
            try await store.pruneAnswers(before: dawn.advanced(by: .seconds(1)))
            #expect(try await store.findAnswer(claim?.scope ?? "") == nil)
        }
    }

    @Test(arguments: Kept.allCases)
    func `a page at or beyond the end is empty, and pages end where they looked`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            try await store.begin(conversation(2), in: business(2), customer: 2)
            for number in 0..<5 {
                _ = try await store.accept(submission("m\(number)", to: conversation(2)))
            }
            let rows: [(Position, EventScope, Int, [Int64], Int64)] = [
                (Position(7), .everything, 9, [], 7),
                (Position(2), .everything, 2, [3, 4], 4),
                (Position(1), .businesses([business(1)]), 9, [], 7),
                (.start, .customer(conversation(2)), 9, [3, 4, 5, 6, 7], 7),
            ]
            for (start, scope, limit, expected, end) in rows {
                let page = try await store.events(after: start, in: scope, limit: limit)
                #expect(page.events.map(\.id.position.value) == expected)
                #expect(page.end == Position(end))
            }
            try await store.prune(upTo: Position(3))
            try await store.prune(upTo: Position(2))
            #expect(store.oldest == Position(3))
            try await store.prune(upTo: Position(99))
            #expect(store.oldest == Position(6))
            #expect(
                try await store.messages(in: conversation(2), .newest, limit: 9).elements.count == 5
            )
        }
    }
}
