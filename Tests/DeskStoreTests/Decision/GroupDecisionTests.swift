import DeskModel
import DeskStore
import TestSupport
import Testing

/// What the decision of a write promises without any store.
@Suite struct GroupDecisionTests {
    private static func message(
        _ id: String, _ text: String = "hello", to number: UInt64 = 1,
        direction: Direction = .inbound, key: String? = nil, body: UInt8 = 1
    ) throws -> NewMessage {
        var sent = try submission(id, to: conversation(number), text, direction: direction)
        sent.idempotency = key.flatMap {
            IdempotencyClaim(credential: "c", route: "r", key: $0, body: .sha256([body]))
        }
        return NewMessage(sent, at: dawn)
    }

    private static func open(_ number: UInt64, of someone: UInt64) throws -> Write {
        .open(
            OpenConversation(
                conversation(number), business: business(1), customer: try customer(someone),
                at: dawn))
    }

    private static func change(_ change: ConversationChange, of number: UInt64 = 1) -> Write {
        .change(ChangeConversation(conversation(number), change, by: .agent(agent(1)), at: dawn))
    }

    private static func settle(
        _ request: String, by answer: String, in number: UInt64 = 1
    ) throws -> Write {
        .settle(try messageID(request), in: conversation(number), by: try messageID(answer))
    }

    private static let session = Write.session(
        Session(
            token: .sha256([1]), subject: .customer(conversation(1)), createdAt: dawn,
            expiresAt: dawn))

    private static func member(_ number: UInt64, _ role: Role?) -> Write {
        .member(
            MemberChange(
                agent: agent(number), business: business(1), role: role, author: .server,
                time: dawn))
    }

    private static func template(_ name: String) throws -> Write {
        guard let name = TemplateName(name) else { throw Unexpected(name) }
        return .template(
            Template(
                business: business(1), name: name, title: "T", detail: "", payload: [],
                parameters: [], author: .server, publishedAt: dawn))
    }

    private static func held(_ file: UInt8) throws -> Write {
        var sent = try submission("f", to: conversation(1))
        sent.facts.attachments = [
            AttachmentUse(
                id: AttachmentID(.sha256([file])), name: "a.png", mediaType: "image/png",
                byteCount: 1)
        ]
        sent.namesHeldFiles = true
        return .message(NewMessage(sent, at: dawn))
    }

    /// The types of the events that a group leads to, or its refusal.
    private static func word<Answer>(
        _ result: Result<PlainRows.Decided<Answer>, Refusal>
    ) -> String {
        switch result {
        case .success(let one): one.decision.events.map(\.type.rawValue).joined(separator: " ")
        case .failure(let refusal): refusal.code
        }
    }

    @Test func `each step leads to its events or to its refusal`() throws {
        let json = Array("{}".utf8)
        let rows: [(before: [Write], step: Write, expected: String)] = [
            ([], .message(try Self.message("a")), "message.accepted"),
            ([], .message(try Self.message("a", to: 9)), "not_found"),
            ([.message(try Self.message("a"))], .message(try Self.message("a")), ""),
            (
                [.message(try Self.message("a"))], .message(try Self.message("a", "other")),
                "idempotency_conflict"
            ),
            (
                [Self.change(.leave)], .message(try Self.message("a", direction: .outbound)),
                "customer_left"
            ),
            (
                [Self.change(.leave)], .message(try Self.message("a")),
                "customer.returned message.accepted"
            ),
            (
                [.message(try Self.message("a", direction: .outbound)), Self.change(.leave)],
                .message(try Self.message("a", direction: .outbound)), ""
            ),
            (
                [Self.change(.close)], .message(try Self.message("a")),
                "conversation.reopened message.accepted"
            ),
            (
                [.message(try Self.message("a", key: "k"))],
                .message(try Self.message("b", "else", to: 9, key: "k")), ""
            ),
            (
                [.message(try Self.message("a", key: "k"))],
                .message(try Self.message("b", key: "k", body: 2)), "idempotency_mismatch"
            ),
            ([], try Self.settle("r", by: "a"), ""),
            ([try Self.settle("r", by: "a")], try Self.settle("r", by: "a"), ""),
            ([try Self.settle("r", by: "a")], try Self.settle("r", by: "b"), "not_offered"),
            ([try Self.settle("r", by: "a")], try Self.settle("s", by: "b"), ""),
            ([], try Self.settle("r", by: "a", in: 9), "not_found"),
            ([], Self.session, ""),
            ([Self.session], Self.session, "name_taken"),
            ([], try Self.held(1), "message.accepted"),
            ([], try Self.held(2), "not_found"),
            ([], try Self.open(8, of: 8), "conversation.opened"),
            ([], try Self.open(8, of: 1), ""),
            ([], try Self.open(1, of: 8), "name_taken"),
            ([], .require(RequireRevision(of: conversation(1), in: nil)), ""),
            (
                [], .require(RequireRevision(of: conversation(1), in: [Revision(2)])),
                "precondition_failed"
            ),
            ([], .require(RequireRevision(of: conversation(9), in: nil)), "not_found"),
            ([], Self.change(.assign(agent(2))), "conversation.assigned"),
            ([], .requireAssignee(nil, of: conversation(1)), ""),
            ([], .requireAssignee(agent(2), of: conversation(1)), "already_assigned"),
            (
                [Self.change(.assign(agent(2)))], .requireAssignee(nil, of: conversation(1)),
                "already_assigned"
            ),
            (
                [Self.change(.assign(agent(2)))],
                .requireAssignee(agent(2), of: conversation(1)), ""
            ),
            ([], .requireAssignee(nil, of: conversation(9)), "not_found"),
            ([], .requireTeam(nil, of: conversation(1)), ""),
            ([], .requireTeam(team(1), of: conversation(1)), "already_assigned"),
            (
                [Self.change(.move(to: team(1)))], .requireTeam(nil, of: conversation(1)),
                "already_assigned"
            ),
            ([Self.change(.move(to: team(1)))], .requireTeam(team(1), of: conversation(1)), ""),
            ([], Self.change(.move(to: team(1))), "conversation.team_changed"),
            ([], Self.change(.move(to: team(2))), "invalid"),
            ([], Self.change(.move(to: team(3))), "invalid"),
            ([], Self.change(.move(to: nil)), ""),
            ([], .requireMember(agent(9), of: business(1), in: .handling), "invalid"),
            ([], Self.change(.reopen), ""),
            ([], Self.change(.mute(true)), ""),
            ([], Self.change(.close, of: 9), "not_found"),
            (
                [],
                .note(
                    AddNote(
                        NoteID(uniqueID(1)), to: conversation(1), text: "n", by: .server, at: dawn)),
                "note.added"
            ),
            (
                [],
                .event(AppendEvent(.deliveryDead, of: business(1), in: nil, data: json, at: dawn)),
                "delivery.dead"
            ),
            (
                [],
                .event(
                    AppendEvent(
                        .deliveryDead, of: business(2), in: conversation(1), data: json, at: dawn)),
                "not_found"
            ),
            ([], try Self.template("greeting"), "template.published"),
            ([], .redeem(link: .sha256([1]), for: conversation(1), at: dawn), ""),
            ([], .redeem(link: .sha256([2]), for: conversation(1), at: dawn), "not_found"),
            ([], .redeem(link: .sha256([3]), for: conversation(1), at: dawn), "not_found"),
            ([], .redeem(link: .sha256([1]), for: conversation(9), at: dawn), "not_found"),
            ([], Self.member(1, .agent), ""),
            ([], Self.member(9, .agent), "not_found"),
            ([Self.member(2, nil)], Self.member(1, nil), "forbidden"),
            ([Self.change(.assign(agent(2)))], Self.member(2, nil), "conversation.assigned"),
        ]
        for (before, step, expected) in rows {
            var plain = try Self.rows()
            for one in before { try plain.apply([one]) }
            #expect(Self.word(try plain.apply([step])) == expected, "\(step)")
        }
    }

    private static func rows() throws -> PlainRows {
        var plain = try PlainRows(conversations: 1)
        plain.files = [AttachmentID(.sha256([1]))]
        plain.teams = [
            Team(id: team(1), business: business(1), name: "A", colour: "#000000"),
            Team(
                id: team(2), business: business(1), name: "B", colour: "#000000", isRetired: true),
            Team(id: team(3), business: business(2), name: "C", colour: "#000000"),
        ]
        plain.roles = [agent(1): .owner, agent(2): .owner]
        for (number, business, end) in [
            (1, business(1), 60), (2, business(2), 60), (3, business(1), 0),
        ] {
            plain.joinCodes[.sha256([UInt8(number)])] = KnownJoinCode(
                business: business, usesLeft: 1, expiresAt: dawn.advanced(by: .seconds(end)))
        }
        return plain
    }

    @Test func `a refused step refuses its group and leaves nothing, at whatever place`() throws {
        let good: [Write] = [
            try Self.open(8, of: 8), .message(try Self.message("a")), Self.change(.close),
            try Self.template("greeting"), Self.member(2, .agent),
            .redeem(link: .sha256([1]), for: conversation(1), at: dawn),
        ]
        for place in 0...good.count {
            var plain = try Self.rows()
            let before = (plain.newest, plain.events, plain.roles, plain.templates)
            var group = good
            group.insert(.message(try Self.message("b", to: 9)), at: place)
            #expect(Self.word(try plain.apply(group)) == "not_found")
            #expect((plain.newest, plain.events, plain.roles, plain.templates) == before)
            #expect(plain.conversations.count == 1)
            #expect(plain.messages.isEmpty)
            #expect(plain.joinCodes[.sha256([1])]?.usesLeft == 1)
        }
    }

    @Test func `a step sees what the steps before it in its group decided`() throws {
        let use = Write.redeem(link: .sha256([1]), for: conversation(1), at: dawn)
        let groups: [([Write], String)] = [
            (
                [try Self.open(8, of: 8), .message(try Self.message("a", to: 8))],
                "conversation.opened message.accepted"
            ),
            ([try Self.open(8, of: 8), try Self.open(9, of: 8)], "conversation.opened"),
            ([try Self.open(8, of: 8), try Self.open(8, of: 9)], "name_taken"),
            (
                [.message(try Self.message("a")), .message(try Self.message("a"))],
                "message.accepted"
            ),
            (
                [.message(try Self.message("a")), .message(try Self.message("a", "x"))],
                "idempotency_conflict"
            ),
            (
                [Self.change(.leave), .message(try Self.message("a", direction: .outbound))],
                "customer_left"
            ),
            ([use, use], "not_found"),
            ([Self.member(1, nil), Self.member(2, .agent)], "forbidden"),
            ([Self.member(1, .agent), Self.member(1, .owner), Self.member(2, nil)], ""),
            (
                [
                    Self.change(.close),
                    .require(RequireRevision(of: conversation(1), in: [Revision(2)])),
                ],
                "conversation.closed"
            ),
        ]
        for (group, expected) in groups {
            var plain = try Self.rows()
            #expect(Self.word(try plain.apply(group)) == expected, "\(group)")
        }
        var plain = try Self.rows()
        try plain.apply([try Self.template("greeting"), try Self.template("greeting")])
        #expect(plain.templates.map(\.version) == [1, 2])
    }

    @Test func `a repeat gives the first acceptance, marked, and remembers its key`() throws {
        var plain = try PlainRows(conversations: 1)
        let first = try plain.apply(Self.message("a", key: "k")).get()
        let again = try plain.apply(Self.message("a", key: "l")).get()
        #expect(again.answer.message == first.answer.message)
        #expect(!first.answer.isRepeat && again.answer.isRepeat)
        #expect(again.decision.events.isEmpty && again.decision.messages.isEmpty)
        #expect(plain.answers.count == 2)
    }

    @Test func `an id that is assumed new is not looked up and is written as one message`() throws {
        var plain = try PlainRows(conversations: 1)
        plain.lookups = []
        var decision = GroupDecision(after: plain.newest, in: plain.epoch, lookingForRepeats: false)
        let step = try Self.message("a")
        // The second is who may have control, the third what is answered to customers' messages by itself, the
        // last how soon by agents.
        let expected: [Lookup] = [
            .conversation(conversation(1)), .bots(of: business(1)),
            .automaticAnswers(of: business(1)),
            .serviceLevels(of: business(1)),
        ]
        for _ in expected {
            do throws(Undecided) {
                _ = try step.decide(by: &decision)
                Issue.record("it was decided without what it needs")
            } catch {
                guard case .needs(let lookup) = error else { throw error }
                try plain.answer(lookup, to: &decision)
            }
        }
        _ = try step.decide(by: &decision)
        #expect(plain.lookups == expected)
        #expect(decision.messages.count == 1)
        guard case .message(0) = decision.changes[0], case .event(0, _) = decision.changes[1] else {
            throw Unexpected("\(decision.changes)")
        }
    }

    @Test func `however many messages a suggestion may repeat, one lookup asks about all of them`()
        throws
    {
        var plain = try PlainRows(conversations: 1)
        let ids = try (1...40).map { try messageID("m\($0)") }
        try plain.apply([.message(try Self.message("m7"))])
        plain.lookups = []
        _ = try plain.apply(AddSuggestion(SuggestionContract.suggestion(1), quoting: ids)).get()
        #expect(plain.lookups.count { if case .message = $0 { true } else { false } } == 0)
        #expect(plain.lookups.count { if case .erased = $0 { true } else { false } } == 1)
        let order = Erasing([ids[6]], in: conversation(1), by: .agent(agent(1)), at: dawn)
        _ = try plain.apply(order).get()
        let late = try plain.apply(
            AddSuggestion(SuggestionContract.suggestion(2), quoting: ids))
        #expect(throws: Refusal.messageErased) { _ = try late.get() }
    }

    @Test func `a full conversation accepts no more messages`() throws {
        var plain = try PlainRows(conversations: 1)
        var row = try #require(plain.conversations[conversation(1)])
        row.conversation.last = LastMessage(
            id: try messageID("z"), sequence: SequenceNumber(1 << 32 - 1), direction: .inbound,
            kind: .text, author: .server, time: dawn, summary: "")
        plain.conversations[conversation(1)] = row
        #expect(throws: StoreError(.refused, "conversation is full")) {
            try plain.apply([.message(try Self.message("a"))])
        }
    }
}
