import DeskModel
import DeskStore
import TestSupport
import Testing

/// What holds of every sequence of groups, whatever their steps.
@Suite struct DecidedSequenceTests {
    /// Makes groups of steps of every kind, many of which must be refused.
    private struct Groups {
        var random: SeededRandom

        mutating func next() throws -> [Write] {
            try (0..<Int.random(in: 1...4, using: &random)).map { _ in try step() }
        }

        private mutating func number(_ range: ClosedRange<UInt64>) -> UInt64 {
            UInt64.random(in: range, using: &random)
        }

        private mutating func step() throws -> Write {
            let place = conversation(number(1...5))
            switch number(0...11) {
            case 0...4: return .message(try message(to: place))
            case 5:
                return .open(
                    OpenConversation(
                        place, business: business(number(1...2)),
                        customer: try customer(number(1...5)), at: dawn))
            case 6, 7:
                let changes: [ConversationChange] = [
                    .close, .reopen, .leave, .pend, .mute(true), .assign(agent(number(1...2))),
                    .markRead(SequenceNumber(Int64(number(1...9)))), .snooze(until: dawn),
                    .undoClose(.open, until: nil),
                ]
                return .change(
                    ChangeConversation(
                        place, changes[Int(number(0...8))], by: .agent(agent(1)), at: dawn))
            case 8:
                return .note(
                    AddNote(NoteID(uniqueID(1)), to: place, text: "n", by: .server, at: dawn))
            case 9:
                return .event(
                    AppendEvent(
                        .messageDeliveredUpstream, of: business(1), in: place, data: [], at: dawn))
            case 10:
                return .require(RequireRevision(of: place, in: [Revision(Int64(number(1...30)))]))
            default:
                let role: Role? = [.owner, .agent, nil][Int(number(0...2))]
                return .member(
                    MemberChange(
                        agent: agent(number(1...3)), business: business(1), role: role,
                        author: .server, time: dawn))
            }
        }

        private mutating func message(to place: ConversationID) throws -> NewMessage {
            let direction: Direction = number(0...1) == 0 ? .inbound : .outbound
            return NewMessage(
                try submission(
                    "m\(number(1...40))", to: place, "text \(number(1...2))",
                    direction: direction), at: dawn)
        }
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `positions, sequences and revisions have no gap, and a refused group leaves nothing`(
        _ seed: UInt64
    ) throws {
        var plain = try PlainRows(conversations: 2)
        plain.roles = [agent(1): .owner, agent(2): .owner, agent(3): .agent]
        var groups = Groups(random: SeededRandom(seed: seed))
        var (refused, decided) = (0, 0)
        for _ in 0..<150 {
            let group = try groups.next()
            let before = plain
            guard case .success(let one) = try plain.apply(group) else {
                refused += 1
                #expect(plain.events == before.events && plain.newest == before.newest)
                #expect(plain.messages.count == before.messages.count)
                continue
            }
            decided += 1
            let decision = one.decision
            // A new message is one row and one event; everything else is no message.
            let accepted = decision.events.count { $0.type == .messageAccepted }
            #expect(accepted == decision.messages.count)
            #expect(plain.messages.count == before.messages.count + accepted)
            #expect(plain.newest == before.newest + Int64(decision.events.count))
        }
        #expect(refused > 0 && decided > 0, "seed \(seed)")
        Self.expectWhole(plain, seed)
    }

    private static func expectWhole(_ plain: PlainRows, _ seed: UInt64) {
        #expect(plain.events.map(\.id.position.value) == Array(1...plain.newest), "seed \(seed)")
        #expect(plain.roles.values.contains(.owner), "seed \(seed)")
        for row in plain.conversations.values {
            let one = row.conversation
            let own = plain.events.filter { $0.conversation?.id == one.id }
            #expect(own.map { $0.revision?.value } == (1...one.revision.value).map { $0 })
            let thread = plain.messages.values.map(\.message)
                .filter { $0.conversation == one.id }.sorted { $0.sequence < $1.sequence }
            #expect(thread.map(\.sequence.value) == Array(0..<one.newest.value).map { $0 + 1 })
            #expect(row.end == thread.last?.position.value ?? 0)
            #expect(own.map(\.id.position).contains(one.activity), "seed \(seed)")
            var head: Digest?
            for message in thread {
                head = MessageChecksum.head(
                    after: head, digest: message.digest, checksum: message.checksum)
            }
            #expect(row.head == head, "seed \(seed)")
            #expect(one.unread <= thread.count { $0.facts.direction == .inbound })
        }
    }

    @Test func `the same rows and steps are decided alike`() throws {
        var plain = try PlainRows(conversations: 3)
        plain.roles = [agent(1): .owner, agent(2): .owner]
        var groups = Groups(random: SeededRandom(seed: 7))
        for _ in 0..<60 {
            let group = try groups.next()
            var other = plain
            let (one, two) = (try plain.apply(group), try other.apply(group))
            switch (one, two) {
            case (.failure(let one), .failure(let two)): #expect(one == two)
            case (.success(let one), .success(let two)):
                #expect(one.decision.events == two.decision.events)
            case (.failure, .success), (.success, .failure): Issue.record("\(group)")
            }
        }
    }
}
