import DeskBroker
import DeskLog
import DeskModel
import DeskStore
import StoreSupport
import Testing

/// Accepting through the broker.
@Suite struct AcceptTests {
    @Test func `a repeat gives the first answer, other bytes are a conflict`() async throws {
        let broker = try await makeBroker()
        let place = try await broker.openConversation(of: customer(1), with: shop).id
        let first = try await broker.accept(message("a", to: place))
        let again = try await broker.accept(message("a", to: place))
        #expect(again.message == first.message)
        #expect(again.isRepeat)
        await #expect(throws: BrokerError.refused(.idempotencyConflict)) {
            try await broker.accept(message("a", to: place, "else"))
        }
    }

    @Test func `a process counts each message that it stored, and no other`() async throws {
        let metrics = Metrics()
        let broker = try await makeBroker(metrics: metrics)
        let place = try await broker.openConversation(of: customer(1), with: shop).id
        for _ in 1...2 { _ = try await broker.accept(message("a", to: place)) }
        _ = try await broker.accept([
            message("a", to: place), message("b", to: place),
            message("c", to: place, direction: .outbound),
        ])
        // Stored by another process: this one's feed brings it all the same.
        _ = try await broker.store.append([
            [.message(NewMessage(try message("d", to: place), at: dawn))]
        ])
        let counts = metrics.text().split(separator: "\n").filter {
            $0.hasPrefix("frontdesk_messages_accepted_total{")
        }
        #expect(
            Set(counts) == [
                "frontdesk_messages_accepted_total{direction=\"inbound\"} 2",
                "frontdesk_messages_accepted_total{direction=\"outbound\"} 1",
            ])
    }

    @Test func `the same key and body give the first message though the id is new`() async throws {
        let broker = try await makeBroker()
        let place = try await broker.openConversation(of: customer(1), with: shop).id
        let first = try await broker.accept(message("a", to: place, key: "k"))
        let again = try await broker.accept(message("b", to: place, key: "k"))
        #expect(again.isRepeat)
        #expect(again.message == first.message)
        await #expect(throws: BrokerError.refused(.idempotencyMismatch)) {
            try await broker.accept(message("c", to: place, "else", key: "k"))
        }
        let page = try await broker.store.messages(in: place, .newest, limit: 9)
        #expect(page.elements.count == 1)
    }

    @Test func `a key that is still running is refused, then free again`() async throws {
        let broker = try await makeBroker()
        let claim = try #require(
            IdempotencyClaim(credential: "a", route: "r", key: "k", body: .sha256([1])))
        let answer = try await broker.answerOnce(claim) {
            do {
                _ = try await broker.answerOnce(claim) { KeyedAnswer(status: 200, body: []) }
                return KeyedAnswer(status: 200, body: Array("ran twice".utf8))
            } catch {
                return KeyedAnswer(status: 201, body: Array("\(error)".utf8))
            }
        }
        #expect(
            answer.body == Array("BrokerError(idempotency_in_progress)".utf8))
        let again = try await broker.answerOnce(claim) { KeyedAnswer(status: 500, body: []) }
        #expect(again == KeyedAnswer(status: 201, body: answer.body, isRepeat: true))
        let other = try #require(
            IdempotencyClaim(credential: "a", route: "r", key: "k", body: .sha256([2])))
        await #expect(throws: BrokerError.refused(.idempotencyMismatch)) {
            try await broker.answerOnce(other) { KeyedAnswer(status: 200, body: []) }
        }
    }

    @Test func `a failed answer is not remembered`() async throws {
        let broker = try await makeBroker()
        let claim = try #require(
            IdempotencyClaim(credential: "a", route: "r", key: "k", body: .sha256([1])))
        _ = try await broker.answerOnce(claim) { KeyedAnswer(status: 503, body: []) }
        let second = try await broker.answerOnce(claim) { KeyedAnswer(status: 200, body: [1]) }
        #expect(second == KeyedAnswer(status: 200, body: [1]))
    }

    @Test func `a batch answers for each message`() async throws {
        let broker = try await makeBroker()
        let place = try await broker.openConversation(of: customer(1), with: shop).id
        let nowhere = ConversationID(UniqueID(high: 9, low: 9))
        let results = try await broker.accept([
            message("a", to: place), message("b", to: nowhere), message("a", to: place, "else"),
            message("c", to: place, key: "k"), message("d", to: place, key: "k"),
        ])
        #expect(
            results.map { result -> String in
                switch result {
                case .success(let acceptance): "\(acceptance.message.sequence)"
                case .failure(let refusal): refusal.code
                }
            } == ["1", "not_found", "idempotency_conflict", "2", "2"])
    }

    @Test func `a first message opens its conversation in one commit`() async throws {
        let broker = try await makeBroker()
        let place = ConversationID(UniqueID(high: 3, low: 3))
        let session = Session(
            token: .sha256([1]), subject: .customer(place), createdAt: dawn, expiresAt: dawn)
        let opening = try Opening(
            business: shop, customer: customer(1), conversation: place, session: session,
            message: message("a", to: place))
        #expect(try await broker.open(opening).message.sequence == SequenceNumber(1))
        #expect(try await broker.store.findSession(.sha256([1])) == session)
        var dead = try Opening(
            business: shop, customer: customer(2),
            conversation: ConversationID(UniqueID(high: 3, low: 4)),
            message: message("a", to: place))
        dead.code = .sha256([7])
        await #expect(throws: BrokerError.refused(.notFound)) { try await broker.open(dead) }
        #expect(try await broker.store.findConversation(dead.conversation) == nil)
    }
}
