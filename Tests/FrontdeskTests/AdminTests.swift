import DeskAPI
import DeskBroker
import DeskCommandLine
import DeskLog
import DeskModel
import DeskStore
import DeskStoreSQLite
import DeskWeb
import FoundationEssentials
import Testing

@testable import frontdesk

struct AdminTests {
    private func makeCommands() async throws -> AdminCommands {
        let store = try SQLiteStore(inMemory: Epoch(7))
        _ = try await FirstStart(store: store, time: .system).requireBusinesses(named: "Shop")
        return AdminCommands(store: store, time: .system, publicURL: "http://chat.example")
    }

    private func parsed(
        _ values: [String: [String]] = [:], _ arguments: [String] = []
    ) -> Parsed {
        Parsed(values: values, arguments: arguments)
    }

    @Test func `a first start makes a live business and the sandbox's, once`() async throws {
        let store = try SQLiteStore(inMemory: Epoch(7))
        let start = FirstStart(store: store, time: .system)
        let first = try await start.requireBusinesses(named: "Shop")
        let again = try await start.requireBusinesses(named: "Other")
        #expect(first.sandbox == again.sandbox && first.own == again.own)
        #expect(first.own?.name == "Shop" && first.own?.mode == .live)
        #expect(first.sandbox.mode == .test && first.sandbox.isSandbox)
        #expect(try await store.businesses().count == 2)
    }

    @Test func `servers that start at once for the first time make the businesses once`()
        async throws
    {
        let store = try SQLiteStore(inMemory: Epoch(7))
        let sandboxes = try await withThrowingTaskGroup(of: BusinessID.self) { group in
            for number in 0..<8 {
                group.addTask {
                    try await FirstStart(store: store, time: .system)
                        .requireBusinesses(named: "Shop \(number)").sandbox.id
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(sandboxes.count == 1)
        #expect(try await store.businesses().count == 2)
    }

    @Test
    func `the level of the running server's log is said and changed, and a wrong word is refused`()
        async throws
    {
        let sink = MemorySink()
        let log = Log(to: sink)
        let commands = AdminCommands(
            store: try SQLiteStore(inMemory: Epoch(7)), time: .system,
            publicURL: "http://chat.example", log: log)
        func ask(_ words: [String]) async -> AdminCommands.Result {
            await commands.run("log level", parsed([:], words))
        }
        #expect(await ask([]).text == "The server logs from info on.")
        for wrong in [["loud"], ["DEBUG"], ["debug", "info"], [""]] {
            let refused = await ask(wrong)
            #expect(refused.code == 1 && refused.text.contains("debug, info, warning, error"))
        }
        #expect(log.level == .info && sink.lines.isEmpty)
        #expect(await ask(["debug"]).code == 0)
        #expect(log.level == .debug)
        #expect(await ask(["error"]).text.contains("from error on, and did from debug on"))
        #expect(log.level == .error)
        // Also what leads away from a level that writes it.
        #expect(sink.lines.map { $0.contains("event=log_level_changed") } == [true, true])
        let without = try await makeCommands().run("log level", parsed())
        #expect(without.code == 1 && without.text.contains("no server runs"))
    }

    @Test func `a key is made, listed, revoked`() async throws {
        let commands = try await makeCommands()
        let made = await commands.run(
            "key create", parsed(["name": ["till"], "business": ["Shop"]]))
        #expect(made.code == 0)
        let text = try #require(made.text.split(separator: "\n").first)
        let secret = try #require(KeySecret(text))
        #expect(text.hasPrefix("fd_live_"))
        let kept = try #require(try await commands.store.findKey(secret.id))
        #expect(kept.limits.scopes == KeyScopes.usual.names)
        #expect(kept.secret == secret.digest(within: kept.limits))
        let listed = await commands.run("key list", parsed())
        #expect(listed.text.contains("till") && listed.text.contains("(Shop)"))
        #expect(!listed.text.contains(text))
        #expect(await commands.run("key revoke", parsed([:], [secret.id.text])).code == 0)
        #expect(await commands.run("key revoke", parsed([:], [secret.id.text])).code == 1)
        #expect(try await commands.store.findKey(secret.id)?.revokedAt != nil)
    }

    @Test func `a key is revoked for one of its businesses`() async throws {
        let commands = try await makeCommands()
        let businesses = try await commands.store.businesses()
        let shop = try #require(businesses.first { $0.name == "Shop" })
        let stall = Business(
            id: BusinessID(UniqueID(high: 1, low: 2)), name: "Stall", colour: "#000000",
            mode: .live, createdAt: shop.createdAt)
        try await commands.store.save(stall, author: .server)
        let made = await commands.run(
            "key create", parsed(["name": ["till"], "business": ["Shop", "Stall"]]))
        let text = try #require(made.text.split(separator: "\n").first)
        let id = try #require(KeySecret(text)).id
        func revoke(_ business: String) async -> AdminCommands.Result {
            await commands.run("key revoke", parsed(["business": [business]], [id.text]))
        }
        #expect(await revoke("Stall").code == 0)
        #expect(await revoke("Stall").code == 1)
        #expect(await revoke("Nope").code == 1)
        #expect(try await commands.store.findKey(id)?.businesses == [shop.id])
        #expect(await revoke("Shop").code == 0)
        let listed = await commands.run("key list", parsed())
        #expect(listed.text.contains("may act for no business"))
    }

    @Test(
        arguments: [
            [:], ["name": ["x"]], ["name": ["x"], "business": ["Nope"]],
            ["name": ["x"], "business": ["Shop", "Sandbox"]], ["business": ["Shop"]],
            ["name": [""], "business": ["Shop"]],
        ] as [[String: [String]]])
    func `a key for no business, or across the two modes, is refused`(
        values: [String: [String]]
    ) async throws {
        let commands = try await makeCommands()
        #expect(await commands.run("key create", parsed(values)).code == 1)
        #expect(try await commands.store.keys().isEmpty)
    }

    @Test func `only the newest link makes the owner`() async throws {
        let commands = try await makeCommands()
        func token() async throws -> Token {
            let link = await commands.run("owner link", parsed()).text
            let line = try #require(link.split(separator: "\n").first)
            #expect(line.hasPrefix("http://chat.example/console#setup="))
            return try #require(line.split(separator: "=").last.flatMap { Token(String($0)) })
        }
        let old = try await token()
        let new = try await token()
        #expect(try await commands.store.findSession(old.digest) == nil)
        #expect(try await commands.store.findSession(new.digest)?.subject == .setup)
    }

    @Test func `an owner who is there gets a link for a new password`() async throws {
        let commands = try await makeCommands()
        var random = SystemRandomNumberGenerator()
        let agent = Agent(
            id: AgentID(using: &random), name: "Ada", email: "ada@example.com", password: "x",
            createdAt: TimeSource.system.now())
        #expect(try await commands.store.addFirstOwner(agent))
        let link = await commands.run("owner link", parsed())
        #expect(link.code == 0 && link.text.contains("/console#invite="))
        let outsider = await commands.run("owner link", parsed(["email": ["b@example.com"]]))
        #expect(outsider.code == 1 && outsider.text.contains("ada@example.com"))
        // Another account of the address: only its id says which.
        let other = Agent(
            id: AgentID(using: &random), name: "Ada", email: "ada@example.com", password: "y",
            createdAt: TimeSource.system.now())
        try await commands.store.save(other, author: .server)
        let business = try #require(try await commands.store.businesses().first)
        try await commands.store.setRole(.owner, of: other.id, in: business.id, author: .server)
        let both = await commands.run("owner link", parsed(["email": ["ada@example.com"]]))
        #expect(both.code == 1 && both.text.contains(other.id.text))
        let one = await commands.run("owner link", parsed(["email": [other.id.text]]))
        #expect(one.code == 0)
    }

    @Test func `a command survives the wire`() throws {
        let given = parsed(["business": ["a b", "é"], "name": [""]], ["one", "-"])
        let read = try #require(AdminWire.decode(AdminWire.encode("key create", given)))
        #expect(read.command == "key create" && read.parsed == given)
        #expect(AdminWire.decode([]) == nil)
        #expect(AdminWire.decode(Array("a\0b".utf8)) == nil)
    }

    @Test func `a rule is stopped and started by its id, in the name of the command`() async throws
    {
        let commands = try await makeCommands()
        let shop = try #require(try await commands.store.businesses().first { $0.name == "Shop" })
        let rule = TeamRule(
            id: TeamRuleID(UniqueID(high: 1, low: 2)), business: shop.id, name: "Greet", isOn: true,
            order: 0, trigger: .closed, conditions: Array("[]".utf8),
            actions: Array(#"[{"priority":"low"}]"#.utf8))
        try await commands.broker.save(rule, isNew: true, by: .command)
        let listed = await commands.run("rule list", parsed(["business": ["Shop"]]))
        #expect(listed.text.contains("acts  closed  Greet  (Shop)"))
        let stopped = await commands.run("rule stop", parsed([:], [rule.id.text]))
        #expect(stopped.code == 0, "\(stopped.text)")
        #expect(try await commands.store.rules(of: shop.id).map(\.isOn) == [false])
        #expect(await commands.run("rule stop", parsed([:], [rule.id.text])).code == 0)
        #expect(await commands.run("rule start", parsed([:], [rule.id.text])).code == 0)
        #expect(try await commands.store.rules(of: shop.id).map(\.isOn) == [true])
        #expect(await commands.run("rule stop", parsed([:], [shop.id.text])).code == 1)
        #expect(await commands.run("rule stop", parsed()).code == 1)
    }

    @Test func `readers are listed, and only what counts is replayed`() async throws {
        let commands = try await makeCommands()
        let listed = await commands.run("reader list", parsed())
        #expect(listed.text.contains("reports  not begun  may be replayed  no failure"))
        #expect(listed.text.contains("rules  not begun  acts, so it is never replayed"))
        #expect(await commands.run("reader replay", parsed([:], ["reports"])).code == 0)
        for wrong in [["rules"], ["search"], []] {
            #expect(await commands.run("reader replay", parsed([:], wrong)).code == 1)
        }
    }

    @Test func `a report, a transcript and a block name the business and the conversation`()
        async throws
    {
        let commands = try await makeCommands()
        let shop = try #require(try await commands.store.businesses().first { $0.name == "Shop" })
        let opened = try await commands.broker.openConversation(
            of: Customer(id: try #require(CustomerID("urn:mbid:c"))), with: shop.id)
        let id = opened.id
        let report = await commands.run(
            "report",
            parsed(["from": ["2026-11-01"], "to": ["2026-11-02"], "csv": ["on"]], ["Shop"]))
        #expect(report.code == 0, "\(report.text)")
        #expect(report.text.hasPrefix("start,minutes,begun,"))
        #expect(report.text.contains("firstOverdue"))
        let wrong = await commands.run("report", parsed(["from": ["soon"]], ["Shop"]))
        #expect(wrong.code == 1)
        #expect(wrong.text.contains("a day such as"))
        #expect(await commands.run("report", parsed([:], ["Nobody"])).code == 1)
        let transcript = await commands.run("transcript", parsed(["format": ["json"]], [id.text]))
        #expect(transcript.text.contains(#""conversations":["#), "\(transcript.text)")
        #expect(
            await commands.run("transcript", parsed(["format": ["pdf"]], [id.text])).code == 1)
        #expect(await commands.run("transcript", parsed([:], ["gone"])).code == 1)
        let blocked = await commands.run("customer block", parsed([:], [id.text]))
        #expect(blocked.code == 0, "\(blocked.text)")
        let contact = try await commands.store.findContact(opened.contact)
        #expect(contact?.blockedAt != nil)
        #expect(await commands.run("customer unblock", parsed([:], [id.text])).code == 0)
        #expect(await commands.run("customer block", parsed([:], ["gone"])).code == 1)
        #expect(await commands.run("member list", parsed()).text == "There are no members.")
        let audit = await commands.run("audit", parsed(["limit": ["1"]]))
        #expect(audit.text.contains("  contact_unblocked  by command  "), "\(audit.text)")
        let next = audit.text.split(separator: " ").last.map { String($0) } ?? ""
        #expect(audit.text.contains("\nOlder ones: --before \(next)"), "\(audit.text)")
        let older = await commands.run("audit", parsed(["limit": ["1"], "before": [next]]))
        #expect(older.text.contains("  contact_blocked  by command  "), "\(older.text)")
        for wrong in [["limit": ["0"]], ["limit": ["many"]], ["before": ["x"]]] {
            #expect(await commands.run("audit", parsed(wrong)).code == 1, "\(wrong)")
        }
        #expect(
            await commands.run("audit", parsed(["kind": ["none"]])).text
                == #"There are no records of the kind "none"; docs/audit.md lists the kinds."#)
    }

    @Test func `the operator removes a person's second factor, once, and is its author`()
        async throws
    {
        let commands = try await makeCommands()
        let person = Agent(
            id: AgentID(UniqueID(high: 1, low: 1)), name: "Ada", email: "ada@example.com",
            password: "scrypt", createdAt: Timestamp(milliseconds: 0))
        try await commands.store.save(person, author: .server)
        #expect(
            try await commands.store.beginSecondFactor(
                [1], of: person.id, at: Timestamp(milliseconds: 0)))
        for (word, code) in [("gone", 1), (person.email, 0), (person.email, 1)] as [(String, UInt8)]
        {
            let removed = await commands.run("second-factor remove", parsed([:], [word]))
            #expect(removed.code == code, "\(removed.text)")
        }
        let removal = await commands.run("audit", parsed(["limit": ["1"]]))
        #expect(removal.text.contains("  second_factor_removed  by command  "), "\(removal.text)")
    }

    @Test func `the operator switches the approvals of a business off, once, and is its author`()
        async throws
    {
        let commands = try await makeCommands()
        let shop = try #require(try await commands.store.businesses().first)
        for number in 1...2 as ClosedRange<UInt64> {
            let owner = AgentID(UniqueID(high: 2, low: number))
            try await commands.store.save(
                Agent(
                    id: owner, name: "O", email: "o\(number)@example.com", password: "scrypt",
                    createdAt: Timestamp(milliseconds: 0)), author: .server)
            try await commands.store.setRole(.owner, of: owner, in: shop.id, author: .server)
        }
        let rules = ApprovalRules(
            of: shop.id, areas: [.keys], changedAt: Timestamp(milliseconds: 0))
        #expect(
            try await commands.store.saveApprovalRules(rules, over: nil, author: .server)
                == .saved)
        for (word, code) in [("gone", 1), (shop.name, 0), (shop.name, 1)] as [(String, UInt8)] {
            let result = await commands.run("approvals off", parsed([:], [word]))
            #expect(result.code == code, "\(result.text)")
        }
        #expect(try await commands.store.approvalRules(of: shop.id)?.areas == [])
        let record = await commands.run("audit", parsed(["limit": ["1"]]))
        #expect(record.text.contains("  approval_rules_saved  by command  "), "\(record.text)")
    }
}
