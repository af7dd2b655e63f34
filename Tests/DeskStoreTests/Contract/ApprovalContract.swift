import DeskModel
import DeskSQL
import DeskStore
import StoreSupport
import Testing

/// What every engine promises of what a second person has to approve.
@Suite struct ApprovalContract {
    static func id(_ number: UInt64) -> ApprovalID { ApprovalID(uniqueID(number)) }

    /// A request of agent 1 to export; one of another `digest` is another request.
    static func request(
        _ number: UInt64, of owner: UInt64 = 1, digest: UInt8 = 1, by author: Author? = nil,
        person: UInt64? = 1, at time: Timestamp = dawn
    ) -> Approval {
        Approval(
            id: id(number), business: business(owner), area: .exports, operation: "exportTable",
            details: Array(#"{"table":"messages"}"#.utf8), digest: .sha256([digest]),
            author: author ?? .agent(agent(1)), person: person.map { agent($0) }, madeAt: time)
    }

    /// Gives a business owners, and has areas guarded.
    static func begin(
        _ number: UInt64 = 1, owners: [UInt64] = [1, 2], guarding areas: Set<ApprovalArea>,
        in store: any SQLRegistries
    ) async throws {
        let me = Author.agent(agent(1))
        for owner in owners {
            try await store.save(
                Agent(
                    id: agent(owner), name: "A\(owner)", email: "a\(owner)@example.com",
                    password: "own", createdAt: dawn), author: me)
            try await store.setRole(.owner, of: agent(owner), in: business(number), author: me)
        }
        let rules = ApprovalRules(of: business(number), areas: areas, changedAt: dawn)
        let before = try await store.approvalRules(of: business(number))
        #expect(try await store.saveApprovalRules(rules, over: before, author: me) == .saved)
    }

    private static func ask(
        _ one: Approval, repeats: Bool = true, in store: any SQLRegistries
    ) async throws -> ApprovalUse {
        try await store.useApprovals([one], repeats: repeats)
    }

    private static func decide(
        _ decision: ApprovalDecision, on number: UInt64 = 1, by person: UInt64 = 2,
        at time: Timestamp = dawn, in store: any SQLRegistries
    ) async throws -> ApprovalOutcome {
        try await store.decide(
            decision, on: id(number), of: business(1), by: agent(person), comment: "c",
            permitted: [.owner], at: time)
    }

    private static func later(_ span: Duration) -> Timestamp { dawn.advanced(by: span) }

    @Test(arguments: KeptRegistries.allCases)
    func `what is guarded waits for another owner, and is carried out once that one approves`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await store.begin()
            try await Self.begin(guarding: [.exports, .keys], in: store)
            #expect(
                try await store.approvalRules(of: business(1))?.areas == [.exports, .keys])
            let one = Self.request(1)
            #expect(try await Self.ask(one, in: store) == .waiting(one, isNew: true))
            // The same request is no second one that waits.
            guard
                case .waiting(let again, isNew: false) = try await Self.ask(
                    Self.request(2), in: store)
            else { return #expect(Bool(false), "the request is not known") }
            #expect(again.id == Self.id(1))
            #expect(
                try await store.approvalsWaiting(for: agent(2), of: business(1), at: dawn) == 1)
            #expect(
                try await store.approvalsWaiting(for: agent(1), of: business(1), at: dawn) == 0)
            #expect(try await Self.decide(.approve, by: 1, in: store) == .ownRequest)
            guard case .decided(let approved) = try await Self.decide(.approve, in: store) else {
                return #expect(Bool(false), "another owner cannot approve")
            }
            #expect(approved.state == .approved && approved.decider == agent(2))
            #expect(approved.comment == "c" && approved.decidedAt == dawn)
            #expect(try await Self.ask(Self.request(3), in: store) == .granted)
            let used = try await store.approval(Self.id(1), of: business(1))
            #expect(used?.state == .used && used?.usedAt == dawn)
            #expect(try await store.approval(Self.id(1), of: business(2)) == nil)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `an approval is for one request, which can be repeated for a while where it does the same`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await store.begin()
            try await Self.begin(guarding: [.exports], in: store)
            _ = try await Self.ask(Self.request(1), in: store)
            _ = try await Self.decide(.approve, in: store)
            // Another request, and the same of another author.
            for other in [
                Self.request(2, digest: 2), Self.request(3, by: .key(KeyID(uniqueID(3)))),
            ] {
                #expect(try await Self.ask(other, in: store) == .waiting(other, isNew: true))
            }
            #expect(try await Self.ask(Self.request(4), in: store) == .granted)
            let soon = Self.later(Approval.repeats - .seconds(1))
            #expect(try await Self.ask(Self.request(5, at: soon), in: store) == .granted)
            let once = Self.request(6, at: soon)
            #expect(
                try await Self.ask(once, repeats: false, in: store) == .waiting(once, isNew: true))
            let late = Self.request(7, digest: 1, at: Self.later(.seconds(4 * 86_400)))
            #expect(try await Self.ask(late, in: store) == .waiting(late, isNew: true))
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `who decides first has decided, and what has ended cannot be decided`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await store.begin()
            try await Self.begin(owners: [1, 2, 3], guarding: [.exports], in: store)
            _ = try await Self.ask(Self.request(1), in: store)
            _ = try await Self.decide(.refuse, by: 3, in: store)
            guard case .ended(let refused) = try await Self.decide(.approve, in: store) else {
                return #expect(Bool(false), "decided twice")
            }
            #expect(refused.state == .refused && refused.decider == agent(3))
            // A refused one is asked for anew; its author withdraws it.
            let two = Self.request(2)
            #expect(try await Self.ask(two, in: store) == .waiting(two, isNew: true))
            #expect(
                try await Self.decide(.withdraw, on: 2, in: store) == .othersRequest)
            guard
                case .decided(let withdrawn) = try await Self.decide(
                    .withdraw, on: 2, by: 1, in: store)
            else { return #expect(Bool(false), "not withdrawn") }
            #expect(withdrawn.state == .withdrawn && withdrawn.decider == nil)
            // What is approved can still be refused before it is used.
            _ = try await Self.ask(Self.request(4), in: store)
            _ = try await Self.decide(.approve, on: 4, in: store)
            _ = try await Self.decide(.refuse, on: 4, by: 3, in: store)
            let five = Self.request(5)
            #expect(try await Self.ask(five, in: store) == .waiting(five, isNew: true))
            let late = Self.later(Approval.wait)
            guard
                case .ended = try await Self.decide(.approve, on: 5, at: late, in: store)
            else { return #expect(Bool(false), "approved too late") }
            #expect(try await Self.decide(.approve, on: 9, in: store) == .notFound)
            let all = try await store.approvals(of: business(1), in: [], at: .start, limit: 2)
            #expect(all.elements.map(\.id) == [Self.id(5), Self.id(4)] && all.hasMore)
            let some = try await store.approvals(
                of: business(1), in: [.refused], at: .start, limit: 9)
            #expect(some.elements.map(\.id) == [Self.id(4), Self.id(1)] && !some.hasMore)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func
        `an approval of a person who is no owner any more counts no longer, nor one of too long ago`(
            _ kept: KeptRegistries
        ) async throws
    {
        try await kept.with { store in
            try await store.begin()
            try await Self.begin(owners: [1, 2, 3], guarding: [.exports], in: store)
            _ = try await Self.ask(Self.request(1), in: store)
            _ = try await Self.decide(.approve, in: store)
            try await store.setRole(.agent, of: agent(2), in: business(1), author: .server)
            let two = Self.request(2)
            #expect(try await Self.ask(two, in: store) == .waiting(two, isNew: true))
            await #expect(throws: StoreError.self) {
                _ = try await Self.decide(.approve, on: 2, in: store)
            }
            _ = try await Self.decide(.approve, on: 2, by: 3, in: store)
            let late = Self.request(3, at: Self.later(Approval.life))
            #expect(try await Self.ask(late, in: store) == .waiting(late, isNew: true))
            // What was carried out is not repeated either.
            _ = try await Self.decide(.approve, on: 3, by: 3, at: late.madeAt, in: store)
            let soon = Self.request(4, at: late.madeAt)
            #expect(try await Self.ask(soon, in: store) == .granted)
            try await store.setRole(.agent, of: agent(3), in: business(1), author: .server)
            #expect(try await Self.ask(soon, in: store) == .waiting(soon, isNew: true))
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `open invitations of owners end when members are guarded, and no others`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await store.begin()
            try await Self.begin(guarding: [.exports], in: store)
            for (number, role) in [(1, Role.owner), (2, .agent)] as [(UInt64, Role)] {
                let one = Invitation(
                    id: InvitationID(uniqueID(number)), business: business(1),
                    email: "i\(number)@example.com", role: role,
                    token: .sha256([UInt8(number)]), maker: agent(1), createdAt: dawn,
                    expiresAt: dawn.advanced(by: .seconds(9)))
                try await store.add(one, permitted: [.owner])
            }
            let before = try await store.approvalRules(of: business(1))
            let rules = ApprovalRules(
                of: business(1), areas: [.exports, .members], changedAt: dawn)
            #expect(
                try await store.saveApprovalRules(rules, over: before, author: .server) == .saved)
            #expect(try await store.invitations(of: business(1)).map(\.role) == [.agent])
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `what concerns several businesses needs the approval of each that guards it`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await store.begin()
            try await Self.begin(guarding: [.exports], in: store)
            try await Self.begin(2, owners: [1, 3], guarding: [.exports], in: store)
            let both = [Self.request(1), Self.request(2, of: 2)]
            _ = try await store.useApprovals(both, repeats: false)
            _ = try await Self.decide(.approve, in: store)
            guard
                case .waiting(let left, isNew: false) = try await store.useApprovals(
                    [Self.request(3), Self.request(4, of: 2)], repeats: false)
            else { return #expect(Bool(false), "one approval was enough") }
            #expect(left.id == Self.id(2))
            // The first one is not used up by that.
            #expect(
                try await store.approval(Self.id(1), of: business(1))?.state == .approved)
            _ = try await store.decide(
                .approve, on: Self.id(2), of: business(2), by: agent(3), comment: "",
                permitted: [.owner], at: dawn)
            #expect(
                try await store.useApprovals(
                    [Self.request(5), Self.request(6, of: 2)], repeats: false) == .granted)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `nothing is guarded without a second owner, and what is not guarded does not wait`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await store.begin()
            try await Self.begin(owners: [1], guarding: [], in: store)
            let rules = ApprovalRules(of: business(1), areas: [.keys], changedAt: dawn)
            let before = try await store.approvalRules(of: business(1))
            #expect(
                try await store.saveApprovalRules(rules, over: before, author: .server)
                    == .tooFewOwners)
            let none = ApprovalRules(of: business(1), areas: [], changedAt: dawn)
            for known in [nil, rules] {
                #expect(
                    try await store.saveApprovalRules(none, over: known, author: .server)
                        == .changed)
            }
            #expect(try await Self.ask(Self.request(1), in: store) == .granted)
            #expect(try await store.approval(Self.id(1), of: business(1)) == nil)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `so many wait at a time, and a reason is its author's`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await store.begin()
            try await Self.begin(guarding: [.exports], in: store)
            for number in 1...UInt64(Approval.mostOfPerson) {
                _ = try await Self.ask(
                    Self.request(number, digest: UInt8(number)), in: store)
            }
            let more = Self.request(200, digest: 200)
            #expect(try await Self.ask(more, in: store) == .tooMany)
            let key = Author.key(KeyID(uniqueID(3)))
            for number in 1...UInt64(Approval.mostOfKey) {
                let one = Self.request(100 + number, digest: UInt8(100 + number), by: key)
                #expect(try await Self.ask(one, in: store) == .waiting(one, isNew: true))
            }
            let other = Self.request(201, digest: 201, by: key)
            #expect(try await Self.ask(other, in: store) == .tooMany)
            // To guard less waits in any case.
            let less = Approval(
                id: Self.id(202), business: business(1), area: .approvals,
                operation: "setApprovalRules", details: [], digest: .sha256([202]),
                author: .agent(agent(1)), person: agent(1), madeAt: dawn)
            #expect(try await Self.ask(less, in: store) == .waiting(less, isNew: true))
            func explain(_ author: Author) async throws -> Bool {
                try await store.explainApproval(
                    Self.id(1), of: business(1), reason: "why", author: author)
            }
            #expect(try await !explain(.agent(agent(2))))
            #expect(try await explain(.agent(agent(1))))
            #expect(
                try await store.approval(Self.id(1), of: business(1))?.reason == "why")
            _ = try await Self.decide(.refuse, in: store)
            #expect(try await !explain(.agent(agent(1))))
            try await store.pruneApprovals(before: Self.later(.seconds(1)))
            #expect(try await store.approval(Self.id(1), of: business(1)) == nil)
        }
    }
}
