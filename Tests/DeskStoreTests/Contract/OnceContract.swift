import DeskModel
import DeskStore
import StoreSupport
import TestSupport
import Testing

/// What every store promises to happen once, however many try at the same time.
@Suite struct OnceContract {
    private static func claim(_ body: UInt8 = 1) throws -> IdempotencyClaim {
        let made = IdempotencyClaim(
            credential: "key:1", route: "POST /x", key: "k", body: .sha256([body]))
        guard let made else { throw Unexpected("no claim") }
        return made
    }

    private static func message(
        _ id: String, _ claim: IdempotencyClaim
    ) throws -> NewMessage {
        var sent = try submission(id, to: conversation(1))
        sent.idempotency = claim
        return NewMessage(sent, at: dawn)
    }

    @Test(arguments: Kept.allCases)
    func `of messages with one key that come at once one is stored, and all are answered by it`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            let claim = try Self.claim()
            let all = try await withThrowingTaskGroup(of: Acceptance.self) { group in
                for number in 0..<16 {
                    group.addTask { try await store.one(Self.message("m\(number)", claim)) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(all.count { !$0.isRepeat } == 1)
            #expect(Set(all.map(\.message.id)).count == 1)
            #expect(try await store.require(conversation(1)).newest == SequenceNumber(1))
        }
    }

    @Test(arguments: Kept.allCases)
    func `a key belongs to its first request: the group of another is refused`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            _ = try await store.one(Self.message("a", Self.claim()))
            let before = store.newest
            await #expect(throws: Refusal.idempotencyMismatch) {
                try await store.one(Self.message("b", Self.claim(2)))
            }
            // An answer that stored no message is not a message's.
            let other = try #require(
                IdempotencyClaim(credential: "c", route: "r", key: "k", body: .sha256([1])))
            try await store.remember(
                RememberedAnswer(
                    scope: other.scope, body: other.body, content: .answer(status: 201, body: []),
                    time: dawn))
            await #expect(throws: Refusal.idempotencyMismatch) {
                try await store.one(Self.message("c", other))
            }
            #expect(store.newest == before)
            #expect(try await store.findMessage(messageID("b"), in: conversation(1)) == nil)
        }
    }

    @Test(arguments: Kept.allCases)
    func `of first words with one token that come at once one makes a customer`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            let refusals = try await withThrowingTaskGroup(of: [Refusal?].self) { group in
                for number in 10...25 as ClosedRange<UInt64> {
                    group.addTask { try await store.append([Self.opening(number)]) }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(refusals.count { $0 == nil } == 1)
            #expect(refusals.count { $0 == .nameTaken } == 15)
            let session = try #require(try await store.findSession(.sha256([7])))
            let types = try await store.types()
            #expect(types.count { $0 == .conversationOpened } == 2)
            guard case .customer(let id) = session.subject else { throw Unexpected("no customer") }
            #expect(try await store.require(id).newest == SequenceNumber(1))
        }
    }

    @Test(arguments: Kept.allCases)
    func `of answers to one request that come at once one settles it, and may come again`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            @Sendable func settle(_ number: Int) async throws -> Result<Acceptance, Refusal> {
                let answer = try submission("answer-\(number)", to: conversation(1))
                return try await store.append(
                    NewMessage(answer, at: dawn),
                    after: [
                        .settle(try messageID("request"), in: conversation(1), by: answer.id)
                    ])
            }
            let results = try await withThrowingTaskGroup(
                of: Result<Acceptance, Refusal>.self
            ) { group in
                for number in 0..<16 { group.addTask { try await settle(number) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(results.count { $0 == .failure(.settled) } == 15)
            let page = try await store.messages(in: conversation(1), .newest, limit: 99)
            #expect(page.elements.count == 1)
            let winner = try #require(results.firstIndex { (try? $0.get()) != nil })
            let first = try results[winner].get()
            let number = try #require(first.message.id.text.split(separator: "-").last)
            let again = try await settle(try #require(Int(number))).get()
            #expect(again.isRepeat && again.message == first.message)
        }
    }

    private static func opening(_ number: UInt64) throws -> [Write] {
        let id = conversation(number)
        return [
            .open(
                OpenConversation(
                    id, business: business(1), customer: try customer(number), at: dawn)),
            .session(
                Session(
                    token: .sha256([7]), subject: .customer(id), createdAt: dawn,
                    expiresAt: dawn.advanced(by: .seconds(60)))),
            .message(NewMessage(try submission("first", to: id), at: dawn)),
        ]
    }
}
