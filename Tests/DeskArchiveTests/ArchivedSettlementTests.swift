import DeskModel
import DeskStore
import FoundationEssentials
import StoreSupport
import Testing

@testable import DeskArchive

/// A request that is settled once stays settled where an archive goes.
@Suite struct ArchivedSettlementTests {
    private static let shop = FilledStore.conversation(2)

    private static func message(
        _ id: String, _ direction: Direction, to request: String? = nil,
        state: String = "success", origin: Origin = .phone
    ) throws -> NewMessage {
        var facts = MessageFacts(
            direction: direction, kind: .payment,
            author: direction == .inbound ? .customer(device: "d") : .server, origin: origin)
        facts.inReplyTo = request.flatMap { MessageID($0) }
        let payload =
            #"{"id":"\#(id)","interactiveData":{"data":{"payment":{"state":"\#(state)"}}}}"#
        return NewMessage(
            Submission(
                conversation: shop, id: try #require(MessageID(id)), payload: Array(payload.utf8),
                facts: facts), at: FilledStore.dawn)
    }

    /// Answers a request as a phone does; the refusal of another answer than the first.
    private static func pay(
        _ request: String, by id: String, in store: any Store
    ) async throws -> Refusal? {
        let name = try #require(MessageID(request))
        let answer = try message(id, .inbound, to: request)
        let result = try await store.append(
            answer, after: [.settle(name, in: shop, by: answer.submission.id)])
        switch result {
        case .success: return nil
        case .failure(let refusal): return refusal
        }
    }

    /// A store with a request that was paid and, when asked for, whose answer was erased then.
    private static func makePaid(in place: ArchivePlace, erased: Bool = false) async throws
        -> ArchivePlace.Opened
    {
        let opened = try await place.fill(messages: 12)
        let store = opened.store
        _ = try await store.append(try message("bill", .outbound))
        #expect(try await pay("bill", by: "paid", in: store) == nil)
        if erased {
            let id = try #require(MessageID("paid"))
            let order = Erasing([id], in: shop, by: .server, at: FilledStore.dawn)
            _ = try await store.append(order).get()
        }
        return opened
    }

    /// The lines as a program wrote them that had no settlements.
    private static func withoutSettlements(_ bytes: [UInt8]) throws -> [UInt8] {
        var text = ArchiveText(bytes)
        text.lines = text.lines.compactMap { line in
            var line = String(decoding: line, as: UTF8.self)
            if line.hasPrefix("{\"type\":\"settlement\"") { return nil }
            if line.contains("frontdesk-export") {
                line.replace("\"version\":3,", with: "\"version\":2,")
                line.replace(",\"settlement\"]", with: "]")
            }
            return Array(line.utf8)
        }
        return try text.resummed()
    }

    @Test(arguments: ArchivePlace.Way.all, [false, true])
    func `a second answer is refused after an export and an import`(
        way: ArchivePlace.Way, erased: Bool
    ) async throws {
        try await ArchivePlace.with(way.from, way.to) { places in
            let opened = try await Self.makePaid(in: places[0], erased: erased)
            #expect(try await Self.pay("bill", by: "again", in: opened.store) == .settled)
            let bytes = try await FilledStore.export(opened)
            await opened.close()
            #expect(try FilledStore.take(bytes, into: places[1]).damage == [])
            let again = try await places[1].open()
            let copy = again.store
            copy.follow { _ in }
            #expect(try await Self.pay("bill", by: "again", in: copy) == .settled)
            #expect(
                try await Self.pay("bill", by: "paid", in: copy) == (erased ? .messageErased : nil))
            await again.close()
        }
    }

    // An answer that was erased says nothing any more: docs/operations.md says so.
    @Test(arguments: ArchivePlace.Way.all, [(false, Refusal.settled), (true, nil)])
    func `in an archive without settlements the answers that are left settle their requests`(
        way: ArchivePlace.Way, of answer: (isErased: Bool, refusal: Refusal?)
    ) async throws {
        let (erased, refusal) = answer
        try await ArchivePlace.with(way.from, way.to) { places in
            let opened = try await Self.makePaid(in: places[0], erased: erased)
            let bytes = try Self.withoutSettlements(await FilledStore.export(opened))
            await opened.close()
            #expect(try FilledStore.take(bytes, into: places[1]).damage == [])
            let again = try await places[1].open()
            let copy = again.store
            copy.follow { _ in }
            #expect(try await Self.pay("bill", by: "again", in: copy) == refusal)
            await again.close()
        }
    }

    @Test(arguments: ArchivePlace.Way.all)
    func `a settlement whose answer no line has is refused with its line`(
        way: ArchivePlace.Way
    ) async throws {
        try await ArchivePlace.with(way.from, way.to) { places in
            let opened = try await Self.makePaid(in: places[0])
            var text = ArchiveText(try await FilledStore.export(opened))
            await opened.close()
            let place = try #require(
                text.lines.lastIndex { $0.starts(with: Array("{\"type\":\"settlement\"".utf8)) })
            var line = String(decoding: text.lines[place], as: UTF8.self)
            line.replace("\"answer\":\"", with: "\"answer\":\"x")
            text.lines[place] = Array(line.utf8)
            let error = #expect(throws: ArchiveFault.self) {
                try FilledStore.take(text.resummed(), into: places[1])
            }
            #expect(error?.line == place + 1)
            #expect(error?.reason.hasPrefix("no earlier line has the answer x") == true)
        }
    }

    // MARK: A merge

    private static func merge(
        _ bytes: [UInt8], into opened: ArchivePlace.Opened, _ place: ArchivePlace
    ) async throws -> ArchiveMerge {
        let path = place.directory + ".archive"
        try Data(bytes).write(to: URL(filePath: path))
        var merge = ArchiveMerge(into: opened.store, opened.blobs)
        try await merge.run(ArchiveSource(path))
        return merge
    }

    @Test(
        arguments: ArchivePlace.Way.all, [(false, false), (false, true), (true, false)])
    func `a second answer is refused where an archive was merged`(
        way: ArchivePlace.Way, of answer: (isErased: Bool, isEarlier: Bool)
    ) async throws {
        let (erased, isEarlier) = answer
        try await ArchivePlace.with(way.from, way.to) { places in
            let opened = try await Self.makePaid(in: places[0], erased: erased)
            var bytes = try await FilledStore.export(opened)
            await opened.close()
            if isEarlier { bytes = try Self.withoutSettlements(bytes) }
            let into = try await places[1].open(2)
            let other = into.store
            other.follow { _ in }
            for _ in 1...2 {
                let found = try await Self.merge(bytes, into: into, places[1])
                #expect(found.refused == 0)
            }
            #expect(try await Self.pay("bill", by: "again", in: other) == .settled)
            await into.close()
        }
    }

    @Test(arguments: ArchivePlace.Way.all)
    func `an answer to what another answer settled here is refused by a merge, alone`(
        way: ArchivePlace.Way
    ) async throws {
        try await ArchivePlace.with(way.from, way.to) { places in
            let opened = try await places[0].fill(messages: 12)
            let store = opened.store
            _ = try await store.append(try Self.message("bill", .outbound))
            // An upstream's answers are kept as they come.
            for id in ["up1", "up2"] {
                _ = try await store.append(
                    try Self.message(id, .inbound, to: "bill", origin: .upstream))
            }
            let before = try await FilledStore.export(opened)
            #expect(try await Self.pay("bill", by: "paid", in: store) == nil)
            let after = try await FilledStore.export(opened)
            await opened.close()
            let into = try await places[1].open(2)
            let other = into.store
            other.follow { _ in }
            #expect(try await Self.merge(before, into: into, places[1]).refused == 0)
            #expect(try await Self.pay("bill", by: "mine", in: other) == nil)
            let found = try await Self.merge(after, into: into, places[1])
            #expect(
                found.conflicts.map(\.reason)
                    == ["message paid answers what another answer settled"])
            #expect(found.refused == 1)
            #expect(
                try await other.findSettlement(
                    of: #require(MessageID("bill")), in: Self.shop) == MessageID("mine"))
            await into.close()
            #expect(try await places[1].verify().damage == [])
        }
    }
}
