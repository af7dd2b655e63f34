import DeskModel
import DeskStore
import StoreSupport
import Testing

/// What every store promises of groups: whole or not at all.
@Suite struct GroupContract {
    private static let link = Digest.sha256([1])

    private static func code(uses: Int = 1) -> JoinCode {
        JoinCode(
            id: "c1", business: business(1), link: link, locator: "ABCDE", typed: .sha256([2]),
            createdAt: dawn, expiresAt: dawn.advanced(by: .seconds(600)), uses: uses)
    }

    private static func opening(_ number: UInt64, with link: Digest) throws -> [Write] {
        let session = Session(
            token: .sha256([9, UInt8(number)]), subject: .customer(conversation(number)),
            createdAt: dawn, expiresAt: dawn.advanced(by: .seconds(60)))
        return [
            .open(
                OpenConversation(
                    conversation(number), business: business(1), customer: try customer(number),
                    at: dawn)),
            .session(session),
            .redeem(link: link, for: conversation(number), at: dawn),
            .message(NewMessage(try submission("first", to: conversation(number)), at: dawn)),
        ]
    }

    @Test(arguments: Kept.allCases)
    func `a first message opens everything in one commit`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await store.begin(conversation(9), customer: 9)
            try await store.add(Self.code(), author: .server)
            #expect(try await store.append([Self.opening(1, with: Self.link)]) == [nil])
            #expect(try await store.require(conversation(1)).newest == SequenceNumber(1))
            #expect(try await store.findSession(.sha256([9, 1])) != nil)
            #expect(try await store.findJoinCode("c1")?.conversation == conversation(1))
            #expect(try await store.findJoinCode("c1")?.usesLeft == 0)
        }
    }

    @Test(arguments: Kept.allCases)
    func `a refused step rolls the whole group back`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await store.begin(conversation(9), customer: 9)
            try await store.add(Self.code(), author: .server)
            _ = try await store.append([Self.opening(1, with: Self.link)])
            let before = store.newest
            // The code is used up, so the second customer is refused after the open and session.
            #expect(try await store.append([Self.opening(2, with: Self.link)]) == [.notFound])
            #expect(store.newest == before)
            #expect(try await store.findConversation(conversation(2)) == nil)
            #expect(try await store.findSession(.sha256([9, 2])) == nil)
            let accepted = try await store.accept(submission("next", to: conversation(1)))
            #expect(accepted.message.position.value == before.value + 1)
            #expect(accepted.message.sequence == SequenceNumber(2))
        }
    }

    @Test(arguments: Kept.allCases)
    func `a refused group rolls back what it changed of a known conversation`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            _ = try await store.accept(submission("a", to: conversation(1), "one"))
            let before = try await store.require(conversation(1))
            _ = try await store.append([
                [
                    .change(ChangeConversation(conversation(1), .close, by: .server, at: dawn)),
                    .message(NewMessage(try submission("b", to: conversation(1)), at: dawn)),
                    .message(NewMessage(try submission("a", to: conversation(1), "x"), at: dawn)),
                ]
            ])
            #expect(try await store.require(conversation(1)) == before)
            #expect(try await store.findMessage(messageID("b"), in: conversation(1)) == nil)
            let next = try await store.accept(submission("c", to: conversation(1)))
            #expect(next.message.sequence == SequenceNumber(2))
        }
    }

    @Test(arguments: Kept.allCases)
    func `each group of one call is judged by itself`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            let refusals = try await store.append([
                [.message(NewMessage(try submission("a", to: conversation(1)), at: dawn))],
                [.message(NewMessage(try submission("b", to: conversation(7)), at: dawn))],
                [.message(NewMessage(try submission("c", to: conversation(1)), at: dawn))],
            ])
            #expect(refusals == [nil, .notFound, nil])
            #expect(try await store.require(conversation(1)).newest == SequenceNumber(2))
        }
    }

    @Test(arguments: Kept.allCases)
    func `a customer has one conversation with a business for ever`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            let again = try await store.one(
                OpenConversation(
                    conversation(2), business: business(1), customer: customer(1), at: dawn))
            #expect(again.conversation.id == conversation(1))
            #expect(!again.isNew)
            #expect(try await store.types() == [.conversationOpened])
        }
    }
}
