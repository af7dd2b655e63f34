import DeskModel
import DeskSQL
import DeskStore
import DeskStorePostgres
import DeskStoreSQLite
import StoreSupport
import Synchronization
import TestSupport
import Testing

/// What every engine promises of changes: each is recorded in its transaction, with its author.
@Suite struct AuditContract {
    /// What a store notified of.
    private final class Notes: Sendable {
        private let entries = Mutex<[RegistryEntry]>([])

        init(of store: any SQLRegistries) {
            store.followRegistries { [self] new in entries.withLock { $0 += new } }
        }

        /// What came since the last look.
        func take() -> [RegistryEntry] {
            entries.withLock { entries in
                defer { entries = [] }
                return entries
            }
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `every change of the registries is recorded once, with its author and the moment`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            _ = try await store.leaseOfTest()
            let notes = Notes(of: store)
            var newest: Int64 = 0
            for one in Self.cases {
                try await one.make(store)
                let expected = one.changes.map { RegistryEntry($0, by: one.author, at: dawn) }
                #expect(notes.take() == expected)
                let records = try await store.auditRecords(AuditFilter(), at: .start, limit: 300)
                    .elements
                    .filter { $0.number > newest }
                    .sorted { $0.number < $1.number }
                let kept = expected.filter(\.isKept).map(\.change.facts)
                #expect(records.map(\.kind) == kept.map(\.kind), "\(one.changes)")
                guard let record = records.first, let facts = kept.first else { continue }
                newest = records.last?.number ?? newest
                #expect(record.author == one.author && record.time == dawn, "\(one.changes)")
                #expect(record.subject == facts.subject && record.detail == facts.detail)
                #expect(record.business == facts.business)
            }
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a call that changes nothing leaves no record`(_ kept: KeptRegistries) async throws {
        try await kept.with { store in
            let notes = Notes(of: store)
            let (id, by) = (KeyID(uniqueID(7)), Self.me)
            #expect(try await store.revokeKey(id, at: dawn, author: by) == false)
            #expect(try await store.removeGrant(of: id, for: business(1), author: by) == false)
            #expect(try await store.removeEntryLink("l", of: business(1), author: by) == false)
            #expect(try await store.takeSession(.sha256([1]), author: by) == nil)
            #expect(try await store.removeGatewayLink(Self.link.id, author: by) == false)
            #expect(
                try await store.requeue(
                    Position(1)...Position(2), of: Self.link.outbox, due: dawn, author: by) == 0)
            try await store.reschedule(attempts: 0, of: Self.link.outbox, to: dawn, author: by)
            try await store.closeOutbox(Self.link.outbox, author: by)
            try await store.endSessions(of: .setup, author: by)
            #expect(
                try await store.accept(.sha256([1]), by: .known(agent(1)), at: dawn) == .gone)
            let person = Self.person(1)
            #expect(try await store.addFirstOwner(person))
            try await store.openOutbox(Self.link.outbox, after: .start, author: by)
            _ = notes.take()
            #expect(try await store.addFirstOwner(person) == false)
            try await store.openOutbox(Self.link.outbox, after: .start, author: by)
            #expect(notes.take().isEmpty)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `records are listed newest first, a business's alone, and old ones are pruned`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await store.begin(business(1))
            try await store.begin(business(2))
            try await store.setSetting("a", to: [1], author: .command)
            let all = try await store.auditRecords(AuditFilter(), at: .start, limit: 300).elements
            #expect(all.map(\.kind) == ["setting_set", "business_saved", "business_saved"])
            #expect(all.map(\.author) == [.command, .server, .server])
            let older = try await store.auditRecords(
                AuditFilter(), at: .after(all[0].number), limit: 1)
            #expect(older.elements == [all[1]] && older.hasMore)
            let newer = try await store.auditRecords(
                AuditFilter(), at: .before(all[2].number), limit: 1)
            #expect(newer.elements == [all[1]] && newer.hasMore)
            let first = try await store.auditRecords(
                AuditFilter(of: business(1)), at: .start, limit: 300
            ).elements
            #expect(first == [all[2]])
            try await store.pruneAudit(before: dawn)
            #expect(
                try await store.auditRecords(AuditFilter(), at: .start, limit: 300).elements == all)
            try await store.pruneAudit(before: dawn.advanced(by: .milliseconds(1)))
            #expect(
                try await store.auditRecords(AuditFilter(), at: .start, limit: 300).elements.isEmpty
            )
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a business has the records of its members, keys and links, and of no others`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            for number in 1...2 as ClosedRange<UInt64> {
                try await store.begin(business(number))
                try await store.save(Self.person(number), author: .server)
                try await store.setRole(
                    .agent, of: agent(number), in: business(number), author: .server)
                try await store.add(
                    APIKey(
                        id: KeyID(uniqueID(number + 6)), name: "k",
                        secret: .sha256([UInt8(number)]),
                        mode: .live, businesses: [business(number)], createdAt: dawn),
                    author: .agent(agent(number)))
            }
            _ = try await store.save(Self.link, author: Self.me)
            _ = try await store.removeGatewayLink(Self.link.id, author: Self.me)
            try await store.setSetting("a", to: [1], author: .command)
            func records(_ filter: AuditFilter) async throws -> [AuditRecord] {
                try await store.auditRecords(filter, at: .start, limit: 300).elements
            }
            let first = try await records(AuditFilter(of: business(1)))
            #expect(
                first.map(\.kind) == [
                    "link_removed", "link_saved", "key_added", "role_set", "agent_saved",
                    "business_saved",
                ])
            #expect(first.map(\.number) == first.map(\.number).sorted(by: >))
            var pages: [AuditRecord] = []
            var edge = PageEdge<Int64>.start
            repeat {
                let page = try await store.auditRecords(
                    AuditFilter(of: business(1)), at: edge, limit: 2)
                pages += page.elements
                edge = .after(try #require(page.elements.last).number)
                #expect(page.hasMore == (pages.count < first.count))
            } while pages.count < first.count
            #expect(pages == first)
            let second = try await records(AuditFilter(of: business(2)))
            #expect(
                second.map(\.kind) == ["key_added", "role_set", "agent_saved", "business_saved"])
            var filter = AuditFilter(of: business(1))
            filter.kind = "key_added"
            #expect(try await records(filter).map(\.subject) == [uniqueID(7).text])
            filter.author = agent(2).text
            #expect(try await records(filter).isEmpty)
            filter = AuditFilter()
            filter.author = agent(2).text
            #expect(try await records(filter).map(\.subject) == [uniqueID(8).text])
            filter.subject = uniqueID(7).text
            #expect(try await records(filter).isEmpty)
            filter = AuditFilter(of: business(1))
            filter.since = dawn
            #expect(try await records(filter) == first)
            filter.until = dawn
            #expect(try await records(filter).isEmpty)
        }
    }

    @Test func `the registries' steps of a group are recorded with it, and a refused group is not`()
        async throws
    {
        let store = try SQLiteStore(inMemory: Epoch(0xE))
        try await store.begin(conversation(1))
        try await store.save(Self.person(1), author: .server)
        try await store.setRole(.agent, of: agent(1), in: business(1), author: .server)
        try await store.setRole(.owner, of: agent(2), in: business(1), author: .server)
        try await store.add(
            APIKey(
                id: KeyID(uniqueID(7)), name: "k", secret: .sha256([1]), mode: .live,
                businesses: [business(1)], createdAt: dawn), author: .server)
        try await store.add(
            JoinCode(
                id: "c", business: business(1), link: .sha256([1]), locator: "A",
                typed: .sha256([2]), createdAt: dawn, expiresAt: dawn.advanced(by: .seconds(9)),
                uses: 1), author: .server)
        let notes = Notes(of: store)
        let template = Template(
            business: business(1), name: try #require(TemplateName("t")), title: "T", detail: "",
            payload: [], parameters: [], author: Self.me, publishedAt: dawn)
        let session = Session(
            token: .sha256([8]), subject: .customer(conversation(1)), createdAt: dawn,
            expiresAt: dawn)
        let change = MemberChange(
            agent: agent(1), business: business(1), role: nil, author: .agent(agent(2)), time: dawn)
        func group(_ link: UInt8) -> [Write] {
            [
                .template(template), .session(session),
                .bind(conversation(1), to: Self.link.id), .keepObjects(["o"]), .member(change),
                .redeem(link: .sha256([link]), for: conversation(1), at: dawn),
            ]
        }
        _ = try await store.append([group(9)])
        #expect(notes.take().isEmpty)
        _ = try await store.append([group(1)])
        let noted = notes.take()
        #expect(
            noted.map(\.change) == [
                .contents(.publishTemplate(template.name, of: business(1))),
                .credentials(.addSession(of: session.subject)),
                .links(.bindUpstream(conversation(1), to: Self.link.id)),
                .links(.keepObjects(["o"])),
                .people(.changeMember(agent(1), of: business(1), to: nil)),
                .credentials(.useJoinCode(for: conversation(1))),
            ])
        #expect(
            noted.map(\.author) == [
                Self.me, Self.device, .server, .server, .agent(agent(2)), Self.device,
            ])
        let kept = try await store.auditRecords(AuditFilter(of: business(1)), at: .start, limit: 2)
            .elements
        #expect(kept.map(\.kind) == ["member_removed", "template_published"])
        await store.close()
    }

    @Test func `rows that are changed without a record are refused`() async throws {
        let store = try SQLiteStore(inMemory: Epoch(0xE))
        let error = await #expect(throws: StoreError.self) {
            try await store.writeRegistry { sql, _ throws(StoreError) in
                let statement = try sql.statement("INSERT INTO settings VALUES ('a', x'01')")
                _ = try statement.runCounting()
            }
        }
        #expect(error?.code == .refused)
        #expect(try await store.findSetting("a") == nil)
        await store.close()
    }

    @Test func `who reads on behind the newest record misses none that another node commits later`()
        async throws
    {
        try await KeptRegistries.withDatabase(2) { stores, options in
            let isRecorded = Mutex(false)
            let isAsked = Mutex(false)
            async let first: Void = stores[0].writeRegistry { sql, entries throws(StoreError) in
                entries.append(
                    try stores[0].registryRecorder.record(
                        .contents(.setSetting("first")), by: .command, on: sql))
                isRecorded.withLock { $0 = true }
                // The transaction lasts until the other node has made its change, or waits with it.
                for _ in 0..<6_000 where isAsked.withLock({ !$0 }) {
                    _ = try sql.statement("SELECT pg_sleep(0.01)").first { _ in true }
                }
            }
            try await Wait.until("the record is written") { isRecorded.withLock(\.self) }
            let isDone = Mutex(false)
            let second = Task {
                // On a busy machine the turn comes later than a node waits for it: it asks again.
                while true {
                    do throws(StoreError) {
                        try await stores[1].setSetting("second", to: [1], author: .command)
                        break
                    } catch {
                        guard error.code == .busy else { throw error }
                    }
                }
                isDone.withLock { $0 = true }
            }
            let looking = PostgresRegistries(options)
            try await Wait.until("the other node's change is made, or waits") {
                let waiting = try await looking.readRegistry { sql throws(StoreError) in
                    try sql.statement(
                        "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
                    ).first { $0.integer() }
                }
                return isDone.withLock(\.self) || (waiting ?? 0) != 0
            }
            func records(_ edge: PageEdge<Int64>) async throws -> [AuditRecord] {
                try await stores[1].auditRecords(AuditFilter(), at: edge, limit: 300).elements
            }
            let known = try await records(.start)
            isAsked.withLock { $0 = true }
            try await first
            try await second.value
            let more = try await records(.before(known.first?.number ?? 0))
            #expect((more + known).count == 2, "\(known) \(more)")
            await looking.close()
        }
    }
}
