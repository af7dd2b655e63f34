import DeskModel
import DeskStore
import TestSupport
import Testing

/// What every store promises of bots whose key is replaced.
@Suite struct BotKeyContract {
    /// Makes a key in the place of another one.
    private static func replace(
        _ before: KeyID, by number: UInt64, in store: any Store
    ) async throws -> KeyID {
        let next = APIKey(
            id: KeyID(uniqueID(number)), name: "bot", secret: .sha256([UInt8(number)]),
            mode: .live, businesses: [BotContract.shop], predecessor: before, createdAt: dawn)
        #expect(
            try await store.replace(
                before, by: next, end: dawn.advanced(by: .seconds(86_400)), author: .server,
                permitted: []))
        return next.id
    }

    @Test(arguments: Kept.allCases)
    func `a bot is the same one with every key of its line, whichever of them it has`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            let bot = try await BotContract.begin(store)
            let second = try await Self.replace(BotContract.key, by: 0xC2, in: store)
            let third = try await Self.replace(second, by: 0xC3, in: store)
            let other = try await Self.replace(BotContract.key, by: 0xC4, in: store)
            let line = [BotContract.key, second, third, other]
            for (index, registered) in [BotContract.key, third, second].enumerated() {
                _ = try await BotContract.save(1, isNew: false, in: store) { $0.key = registered }
                for (number, key) in line.enumerated() {
                    #expect(
                        try await store.findBot(with: key, of: BotContract.shop)?.id == bot.id)
                    let (name, author) = ("\(index)\(number)", Author.key(key))
                    _ = try await BotContract.say("a\(name)", in: store)
                    _ = try await BotContract.control(
                        .pass, to: .bot(bot.id), by: BotContract.owner, in: store)
                    #expect(try await BotContract.found(store)?.answerBy != nil)
                    let answer = try await BotContract.answer("b\(name)", by: author, in: store)
                    #expect(answer.message.facts.isAutomatic, "\(name)")
                    #expect(try await BotContract.found(store)?.answerBy == nil, "\(name)")
                    await #expect(throws: Refusal.notForBots) {
                        try await store.one(
                            ChangeConversation(BotContract.place, .pend, by: author, at: dawn))
                    }
                    _ = try await BotContract.control(.take, by: BotContract.owner, in: store)
                    await #expect(throws: Refusal.notInControl) {
                        try await BotContract.answer("c\(name)", by: author, in: store)
                    }
                }
            }
            #expect(try await !BotContract.reasons(store).contains("timeout"))
        }
    }

    @Test(arguments: Kept.allCases)
    func `a bot's program was heard with any key of its line`(_ kept: Kept) async throws {
        try await kept.with { store in
            let bot = try await BotContract.begin(store)
            let second = try await Self.replace(BotContract.key, by: 0xC2, in: store)
            func heard() async throws -> [BotID: Timestamp] {
                try await store.lastRequests(ofBotsOf: BotContract.shop)
            }
            #expect(try await heard() == [:])
            for (key, seconds) in [(second, 20), (BotContract.key, 10)] {
                let time = dawn.advanced(by: .seconds(seconds))
                let request = KeyRequest(
                    time: time, operation: "sendMessage", status: 201, code: "", milliseconds: 3,
                    address: "127.0.0.1", request: "r\(seconds)")
                try await store.note([key: [request]])
            }
            #expect(try await heard() == [bot.id: dawn.advanced(by: .seconds(20))])
            #expect(try await store.lastRequests(ofBotsOf: business(2)) == [:])
        }
    }

    @Test(arguments: Kept.allCases)
    func `of two bots with keys of one line a key is the one that it came after last`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            let bot = try await BotContract.begin(store)
            let second = try await Self.replace(BotContract.key, by: 0xC2, in: store)
            let third = try await Self.replace(second, by: 0xC3, in: store)
            let other = try await BotContract.save(2, in: store) {
                $0.name = "Bo"
                $0.key = second
            }
            _ = try await BotContract.say("a", in: store)
            for (key, owner) in [(BotContract.key, bot), (second, other), (third, other)] {
                #expect(try await store.findBot(with: key, of: BotContract.shop)?.id == owner.id)
                #expect(try await store.findBot(with: key, of: business(2)) == nil)
                let wrong = owner.id == bot.id ? other.id : bot.id
                _ = try await BotContract.control(
                    .pass, to: .bot(wrong), by: BotContract.owner, in: store)
                await #expect(throws: Refusal.notInControl) {
                    try await BotContract.answer("\(key)x", by: .key(key), in: store)
                }
                _ = try await BotContract.control(
                    .pass, to: .bot(owner.id), by: BotContract.owner, in: store)
                _ = try await BotContract.answer("\(key)", by: .key(key), in: store)
            }
            // A retired one leaves its keys to the other.
            _ = try await BotContract.save(2, isNew: false, in: store) { $0.isRetired = true }
            _ = try await BotContract.control(
                .pass, to: .bot(bot.id), by: BotContract.owner, in: store)
            _ = try await BotContract.answer("z", by: .key(third), in: store)
            // A key of no line stays one that sends beside people.
            _ = try await BotContract.control(.take, by: BotContract.owner, in: store)
            let plain = APIKey(
                id: KeyID(uniqueID(0xD1)), name: "parcels", secret: .sha256([9]), mode: .live,
                businesses: [BotContract.shop], createdAt: dawn)
            try await store.add(plain, author: .server, permitted: [])
            let sent = try await BotContract.answer("p", by: .key(plain.id), in: store)
            #expect(!sent.message.facts.isAutomatic)
        }
    }
}
