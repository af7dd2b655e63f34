import DeskModel
import DeskStore
import StoreSupport
import TestSupport
import Testing

/// What every store promises of retention by age.
@Suite struct RetentionContract {
    private static let me = Author.agent(agent(1))
    private static let shop = business(1)
    private static let day = Duration.seconds(86_400)

    // MARK: What is chosen

    @Test(arguments: KeptRegistries.allCases)
    func `a choice begins a day later, and what keeps more than one that has begun goes on`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            #expect(try await store.retention(of: Self.shop) == nil)
            func set(_ days: Int, _ time: Timestamp) async throws -> Retention {
                try await store.setRetention(
                    ofDays: days, of: Self.shop, at: time, author: Self.me)
            }
            let first = try await set(300, dawn)
            #expect(first.beginsAt == dawn.advanced(by: Self.day))
            #expect(try await store.retention(of: Self.shop) == first)
            let later = dawn.advanced(by: Self.day * 2)
            #expect(try await set(300, later) == first)
            #expect(try await set(400, later).beginsAt == first.beginsAt)
            let shorter = try await set(30, later)
            #expect(shorter.beginsAt == later.advanced(by: Self.day))
            // What has not begun is no measure: the slip may have been the days before.
            let taken = later.advanced(by: .seconds(60))
            #expect(try await set(350, taken).beginsAt == taken.advanced(by: Self.day))
            _ = try await store.setRetention(
                ofDays: 90, of: business(2), at: later, author: Self.me)
            #expect(try await store.retentions().map(\.days) == [350, 90])
            #expect(try await store.removeRetention(of: Self.shop, author: Self.me))
            #expect(try await !store.removeRetention(of: Self.shop, author: Self.me))
            #expect(try await store.retentions().map(\.business) == [business(2)])
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `progress is stored under the lease, and not of a choice that is another by now`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            var one = try await store.setRetention(
                ofDays: 90, of: Self.shop, at: dawn, author: Self.me)
            let lease = try await store.leaseOfTest()
            one.progress = Retention.Progress(position: Position(7), note: 3, through: dawn)
            try await store.advanceRetention(one, under: lease)
            #expect(try await store.retention(of: Self.shop) == one)
            // Shortened, it goes on behind what was erased, and is looked at again at once.
            let soon = dawn.advanced(by: .seconds(5))
            let next = try await store.setRetention(
                ofDays: 60, of: Self.shop, at: soon, author: Self.me)
            #expect(next.progress.position == Position(7) && next.progress.note == 3)
            #expect(next.progress.through == nil)
            try await store.advanceRetention(one, under: lease)
            #expect(try await store.retention(of: Self.shop) == next)
            try await store.releaseLease(lease)
            await #expect(throws: StoreError.self) {
                try await store.advanceRetention(next, under: lease)
            }
        }
    }

    // MARK: What is old

    @Test(arguments: Kept.allCases)
    func `heads of content are listed by their place, without what is erased, and counted`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await ErasureContract.fill(store)
            try await store.begin(conversation(2), customer: 2)
            _ = try await store.accept(submission("x1", to: conversation(2)))
            let note = NoteID(uniqueID(5))
            _ = try await store.one(
                AddNote(note, to: conversation(1), text: "hush", by: Self.me, at: dawn))
            _ = try await store.one(ErasureContract.order(["m2"]))
            let found = try await store.agedMessages(after: .start)
            #expect(found.map(\.id.text) == ["m1", "m3", "m4", "m5", "x1"])
            #expect(Set(found.map(\.business)) == [Self.shop])
            #expect(found.map(\.place) == found.map(\.place).sorted())
            let rest = try await store.agedMessages(after: Position(found[2].place))
            #expect(rest.map(\.id.text) == ["m5", "x1"])
            let notes = try await store.agedNotes(after: 0)
            #expect(notes.map(\.id) == [note] && notes.map(\.conversation) == [conversation(1)])
            let newestNote = try await store.newestNote()
            #expect(newestNote == notes[0].place)
            let later = dawn.advanced(by: Self.day * 9_000)
            let counts = try await store.countMessages(
                of: Self.shop, before: later, after: .start)
            #expect(
                counts.reduce(into: [:]) { $0[$1.conversation] = $1.count }
                    == [conversation(1): 4, conversation(2): 1])
            #expect(
                try await store.countMessages(of: business(2), before: later, after: .start) == [])
            let oldest = try #require(found.map(\.time).min())
            #expect(
                try await store.countMessages(of: Self.shop, before: oldest, after: .start) == [])
            #expect(
                try await store.countNotes(of: Self.shop, before: later, after: 0).map(\.count)
                    == [1])
            _ = try await store.one(NoteErasing([note], in: conversation(1), at: dawn))
            #expect(try await store.agedNotes(after: 0) == [])
        }
    }

    // MARK: By which choice

    @Test(arguments: Kept.allCases)
    func `what is erased by a choice is erased in a commit that finds the choice, or not at all`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await ErasureContract.fill(store)
            let note = NoteID(uniqueID(5))
            _ = try await store.one(
                AddNote(note, to: conversation(1), text: "hush", by: Self.me, at: dawn))
            func choose(_ days: Int, after seconds: Int) async throws -> Retention {
                try await store.setRetention(
                    ofDays: days, of: Self.shop, at: dawn.advanced(by: .seconds(seconds)),
                    author: Self.me)
            }
            func erase(_ id: String, by choice: Retention) async throws -> Int {
                let order = Erasing(
                    [try messageID(id)], in: conversation(1), by: .server,
                    at: ErasureContract.later, olderThan: ErasureContract.later)
                return try await store.append(order, after: [.requireRetention(choice)]).get().count
            }
            func eraseNote(by choice: Retention) async throws -> Int {
                let order = NoteErasing([note], in: conversation(1), at: ErasureContract.later)
                return try await store.append(order, after: [.requireRetention(choice)]).get().count
            }
            func expectNothing(by choice: Retention) async throws {
                let newest = store.newest
                await #expect(throws: Refusal.preconditionFailed) {
                    _ = try await erase("m2", by: choice)
                }
                await #expect(throws: Refusal.preconditionFailed) {
                    _ = try await eraseNote(by: choice)
                }
                #expect(store.newest == newest)
                #expect(try await store.agedMessages(after: .start).map(\.id.text).contains("m2"))
                #expect(try await store.agedNotes(after: 0).map(\.id) == [note])
            }
            let first = try await choose(30, after: 0)
            #expect(try await erase("m1", by: first) == 1)
            // What was erased by it meanwhile, and stored, is no other choice.
            var further = first
            further.progress.position = Position(3)
            try await store.advanceRetention(further, under: try await store.leaseOfTest())
            #expect(try await erase("m3", by: first) == 1)
            let raised = try await choose(400, after: 5)
            try await expectNothing(by: first)
            #expect(try await store.removeRetention(of: Self.shop, author: Self.me))
            try await expectNothing(by: raised)
            // That another business has chosen changes nothing of it.
            _ = try await store.setRetention(
                ofDays: 400, of: business(2), at: raised.changedAt, author: Self.me)
            try await expectNothing(by: raised)
            let again = try await choose(30, after: 9)
            try await expectNothing(by: first)
            #expect(try await erase("m2", by: again) == 1)
            #expect(try await eraseNote(by: again) == 1)
        }
    }

    // MARK: What stays beside it

    @Test(arguments: Kept.allCases)
    func `an erasure by age leaves metadata and suggestions until the last message goes`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await ErasureContract.fill(store)
            var change = Metadata.Change()
            change.set("order", to: "A-1")
            _ = try await store.one(
                ChangeConversation(conversation(1), .annotate(change), by: Self.me, at: dawn))
            let suggestion = try await store.one(AddSuggestion(SuggestionContract.suggestion(1)))
            func erase(_ ids: String...) async throws -> [Int64] {
                try await store.one(
                    Erasing(
                        try ids.map { try messageID($0) }, in: conversation(1), by: .server,
                        at: ErasureContract.later, olderThan: ErasureContract.later)
                ).map(\.value)
            }
            #expect(try await erase("m1", "m2", "m3") == [1, 2, 3])
            #expect(try await store.require(conversation(1)).metadata["order"] == "A-1")
            #expect(try await store.suggestions(in: conversation(1)) == [suggestion])
            #expect(try await erase("m1", "m2", "m3") == [])
            #expect(try await erase("m4", "m5") == [4, 5])
            #expect(try await store.require(conversation(1)).metadata.isEmpty)
            #expect(try await store.suggestions(in: conversation(1)) == [])
        }
    }

    @Test(arguments: Kept.allCases)
    func `a long conversation is erased in pieces, and its chain stays whole`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            let ids = try (0..<620).map { try messageID("m\($0)") }
            let all = try ids.map {
                WriteGroup(NewMessage(try submission($0.text, to: conversation(1)), at: dawn))
            }
            for start in stride(from: 0, to: all.count, by: 62) {
                for result in try await store.append(Array(all[start..<start + 62])) {
                    _ = try result.get()
                }
            }
            for start in stride(from: 0, to: 600, by: 200) {
                let order = Erasing(
                    Array(ids[start..<start + 200]), in: conversation(1), by: .server,
                    at: ErasureContract.later, olderThan: ErasureContract.later)
                #expect(try await store.one(order).count == 200)
            }
            let left = try await store.agedMessages(after: .start)
            #expect(left.map(\.id) == Array(ids[600...]))
            let thread = try await store.messages(in: conversation(1), .newest, limit: 300)
            #expect(thread.damaged == [] && thread.elements.count == 300)
        }
    }
}
