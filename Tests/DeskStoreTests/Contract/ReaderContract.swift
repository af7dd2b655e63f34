import DeskModel
import DeskSQL
import DeskStore
import StoreSupport
import Testing

/// What every store promises of readers of the log: their cursors, and the counters of the first of them.
@Suite struct ReaderContract {
    private let reader = ReaderName("test")

    private func place(_ position: Int64, epoch: UInt64 = 0xFFFF_FFFF_FFFF_FFFF) -> EventID {
        EventID(epoch: Epoch(epoch), position: Position(position))
    }

    private func slot(_ number: Int) -> Timestamp {
        ReportKey.slot(of: dawn).advanced(by: ReportKey.slot * number)
    }

    private func counts(begun: Int64 = 0, sent: Int64 = 0, waited: Int64 = 0) -> ReportCounts {
        var counts = ReportCounts()
        counts.begun = begun
        counts.sent = sent
        if waited > 0 { counts.addWait(of: waited) }
        return counts
    }

    private func key(_ member: String, _ number: Int, of shop: UInt64 = 1) -> ReportKey {
        ReportKey(
            of: business(shop), member.isEmpty ? .total : .kind, member, slot: slot(number))
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a reader's cursor and what it stores are committed together, or neither is`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let lease = try await store.leaseOfTest()
            var change = ReportChange()
            change.counts[key("", 0)] = counts(begun: 1)
            #expect(try await store.findCursor(of: reader) == nil)
            try await store.advance(
                reader, from: nil, to: place(3), storing: .reports(change), under: lease)
            #expect(try await store.findCursor(of: reader) == place(3))
            // Two readers run at once for a moment: the second batch from the same place is refused.
            await #expect(throws: StoreError.self) {
                try await store.advance(
                    reader, from: nil, to: place(9), storing: .reports(change), under: lease)
            }
            let other = try await store.leaseOfTest()
            try await store.releaseLease(other)
            let error = await #expect(throws: StoreError.self) {
                try await store.advance(
                    reader, from: place(3), to: place(9), storing: .reports(change), under: other)
            }
            #expect(error?.code == .superseded)
            #expect(try await store.findCursor(of: reader) == place(3))
            #expect(
                try await store.reportSlots(
                    of: business(1), .total, "", from: slot(0), until: slot(1))
                    == [ReportSlot(slot(0), counts(begun: 1))])
            #expect(try await store.findCursor(of: ReaderName("other")) == nil)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `counters add up, and are read by time and by member`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let lease = try await store.leaseOfTest()
            var change = ReportChange()
            change.counts[key("", 0)] = counts(begun: 1, waited: 5_000)
            change.counts[key("", 2)] = counts(begun: 2)
            change.counts[key("text", 0)] = counts(sent: 1)
            change.counts[key("text", 2)] = counts(sent: 2)
            change.counts[key("list", 2)] = counts(sent: 4)
            change.counts[key("", 1, of: 2)] = counts(begun: 9)
            try await store.advance(
                reader, from: nil, to: place(1), storing: .reports(change), under: lease)
            try await store.advance(
                reader, from: place(1), to: place(2), storing: .reports(change), under: lease)
            func slots(_ begin: Int, _ end: Int) async throws -> [ReportSlot] {
                try await store.reportSlots(
                    of: business(1), .total, "", from: slot(begin), until: slot(end))
            }
            var waited = counts(begun: 1, waited: 5_000)
            waited += waited
            #expect(
                try await slots(0, 3) == [
                    ReportSlot(slot(0), waited), ReportSlot(slot(2), counts(begun: 4)),
                ])
            #expect(try await slots(1, 2).isEmpty)
            func members(_ limit: Int, until end: Int = 3) async throws -> [ReportMember] {
                try await store.reportMembers(
                    of: business(1), .kind, from: slot(0), until: slot(end), limit: limit)
            }
            #expect(
                try await members(9) == [
                    ReportMember("list", counts(sent: 8)), ReportMember("text", counts(sent: 6)),
                ])
            #expect(try await members(1).map(\.member) == ["list"])
            #expect(try await members(9, until: 1) == [ReportMember("text", counts(sent: 2))])
            var anew = ReportChange()
            anew.isAnew = true
            anew.counts[key("", 0)] = counts(begun: 1)
            try await store.advance(
                reader, from: place(2), to: place(0), storing: .reports(anew), under: lease)
            #expect(try await slots(0, 3) == [ReportSlot(slot(0), counts(begun: 1))])
            #expect(try await members(9).isEmpty)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `what members have of months is one sum, and names that look alike are two members`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let lease = try await store.leaseOfTest()
            let week = 7 * 24 * 4
            var change = ReportChange()
            for number in [0, week - 1, week, 5 * week, 9 * week] {
                change.counts[key("e\u{301}", number)] = counts(sent: 1, waited: 5_000)
            }
            change.counts[key("last", 9 * week + 1)] = counts(sent: 9)
            try await store.advance(
                reader, from: nil, to: place(1), storing: .reports(change), under: lease)
            change = ReportChange()
            change.counts[key("\u{e9}", week)] = counts(sent: 4, waited: 60_000)
            try await store.advance(
                reader, from: place(1), to: place(2), storing: .reports(change), under: lease)
            var often = ReportCounts()
            for _ in 0..<5 { often += counts(sent: 1, waited: 5_000) }
            let found = try await store.reportMembers(
                of: business(1), .kind, from: slot(0), until: slot(9 * week + 1), limit: 9)
            #expect(found.map { Array($0.member.utf8) } == [[0x65, 0xCC, 0x81], [0xC3, 0xA9]])
            #expect(found.map(\.counts) == [often, counts(sent: 4, waited: 60_000)])
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `what is counted from is read back as it was stored`(_ kept: KeptRegistries) async throws {
        try await kept.with { store in
            let lease = try await store.leaseOfTest()
            var state = ReportState(conversation(1), of: business(1))
            state.begunAt = dawn
            state.waitsSince = dawn.advanced(by: .seconds(1))
            state.entry = ReportEntry(intent: "予約", group: nil).text
            state.labels = [LabelID(uniqueID(7)), LabelID(uniqueID(8))]
            let bare = ReportState(conversation(2), of: business(1))
            let name = ReportCard.Name(try messageID("m"), in: conversation(1))
            var card = ReportCard(name, .payment, by: agent(1), slot: slot(0))
            var change = ReportChange()
            change.states = [state, bare]
            change.cards = [card]
            try await store.advance(
                reader, from: nil, to: place(1), storing: .reports(change), under: lease)
            #expect(
                Set(try await store.reportStates(of: [1, 2, 3].map { conversation($0) }))
                    == [state, bare])
            #expect(try await store.reportCards([name]) == [card])
            state.begunAt = nil
            state.isAnswered = true
            state.labels = []
            card.isAnswered = true
            change.states = [state]
            change.cards = [card]
            try await store.advance(
                reader, from: place(1), to: place(2), storing: .reports(change), under: lease)
            #expect(try await store.reportStates(of: [conversation(1)]) == [state])
            #expect(try await store.reportCards([name]) == [card])
            change = ReportChange()
            change.finished = [name]
            try await store.advance(
                reader, from: place(2), to: place(3), storing: .reports(change), under: lease)
            #expect(try await store.reportCards([name]).isEmpty)
        }
    }

    @Test(arguments: Kept.allCases)
    func `events that a reader still needs are not forgotten`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            for id in ["a", "b", "c", "d"] {
                _ = try await store.accept(submission(id, to: conversation(1)))
            }
            let lease = try await store.leaseOfTest()
            try await store.advance(
                reader, from: nil, to: EventID(epoch: store.epoch, position: Position(2)),
                storing: .nothing, under: lease)
            try await store.prune(upTo: Position(4))
            #expect(store.oldest == Position(2))
        }
    }
}
