import DeskModel
import DeskSQL
import DeskStore
import StoreSupport
import TestSupport
import Testing

/// What every engine promises of the registries that no other suite is about.
@Suite struct RegistryContract {
    @Test(arguments: KeptRegistries.allCases)
    func `a business and its entry links are read as they were saved last`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            var shop = Business(
                id: business(1), name: "Caf\u{e9} \u{1F375}", colour: "#336699", mode: .test,
                isSandbox: true, createdAt: dawn)
            try await store.save(shop, author: .server)
            try await store.begin(business(2))
            #expect(try await store.findBusiness(business(1)) == shop)
            shop.name = "'; DROP TABLE businesses; --"
            shop.picture = AttachmentID(.sha256([1]))
            try await store.save(shop, author: .server)
            #expect(try await store.findBusiness(business(1)) == shop)
            #expect(try await store.findBusiness(business(3)) == nil)
            #expect(try await store.businesses().map(\.id) == [business(1), business(2)])
            func link(_ id: String, _ label: String, intent: String? = nil) -> EntryLink {
                EntryLink(
                    id: id, business: business(1), label: label, intent: intent, group: nil,
                    body: "hello")
            }
            for one in [link("b", "Shop"), link("a", "Window", intent: "x"), link("b", "Yard")] {
                try await store.save(one, author: .server)
            }
            #expect(
                try await store.entryLinks(of: business(1)) == [
                    link("b", "Yard"), link("a", "Window", intent: "x"),
                ])
            #expect(try await store.removeEntryLink("b", of: business(1), author: .server))
            #expect(try await !store.removeEntryLink("b", of: business(1), author: .server))
            #expect(try await store.entryLinks(of: business(2)).isEmpty)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `the first owner owns every business, and there is one`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await store.begin(business(1))
            try await store.begin(business(2))
            func person(_ number: UInt64) -> Agent {
                Agent(
                    id: agent(number), name: "N", email: "n@example.com", password: nil,
                    createdAt: dawn)
            }
            #expect(try await store.addFirstOwner(person(1)))
            #expect(try await !store.addFirstOwner(person(2)))
            #expect(try await store.agents(of: nil) == [person(1)])
            #expect(try await store.agents(of: business(2)) == [person(1)])
            #expect(try await store.memberships(of: agent(1)).map(\.role) == [.owner, .owner])
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a name is changed beside all else, and a password by who has the one of before`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let before = Agent(
                id: agent(1), name: "N", email: "n@example.com", password: "former",
                createdAt: dawn)
            try await store.save(before, author: .server)
            #expect(try await store.rename(agent(1), to: "M"))
            #expect(try await !store.rename(agent(2), to: "M"))
            let (next, other) = ("next", "other")
            #expect(
                try await store.replacePassword(
                    of: agent(1), by: PasswordReplacement(next, .known("former"))))
            #expect(
                try await !store.replacePassword(
                    of: agent(1), by: PasswordReplacement(other, .known("former"))))
            for cause in [PasswordReplacement.Cause.known(""), .identity] {
                #expect(
                    try await !store.replacePassword(
                        of: agent(2), by: PasswordReplacement(other, cause)))
            }
            var after = before
            (after.name, after.password) = ("M", "next")
            #expect(try await store.agents(of: nil) == [after])
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a key is made, confirmed and narrowed by owners alone, and ends once`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await InvitationContract.begin(store)
            try await store.setRole(.owner, of: agent(1), in: business(2), author: .server)
            func key(maker: AgentID) -> APIKey {
                APIKey(
                    id: KeyID(uniqueID(7)), name: "k", secret: .sha256([1]), mode: .live,
                    businesses: [business(1), business(2)], maker: maker,
                    limits: KeyLimits(
                        scopes: ["read", "write"], addresses: ["192.0.2.0/24", "::1"],
                        expiresAt: dawn.advanced(by: .seconds(60))), createdAt: dawn)
            }
            await #expect(throws: StoreError.self) {
                try await store.add(key(maker: agent(3)), author: .server)
            }
            await #expect(throws: StoreError.self) {
                try await store.add(key(maker: agent(2)), author: .server)
            }
            #expect(try await store.keys().isEmpty)
            let foreign = try #require(Role("lead"))
            await #expect(throws: StoreError.self) {
                try await store.add(
                    key(maker: agent(1)), author: .server, permitted: [.agent, foreign])
            }
            #expect(try await store.keys().isEmpty)
            let made = key(maker: agent(1))
            try await store.add(made, author: .server)
            #expect(try await store.findKey(made.id) == made)
            func confirm(_ id: AgentID, _ place: BusinessID) async throws -> Bool {
                try await store.confirmGrant(of: made.id, for: place, by: id, at: dawn)
            }
            #expect(try await !confirm(agent(3), business(1)))
            #expect(try await !confirm(agent(2), business(2)))
            #expect(try await confirm(agent(2), business(1)))
            #expect(try await store.removeGrant(of: made.id, for: business(2), author: .server))
            #expect(try await !store.removeGrant(of: made.id, for: business(2), author: .server))
            #expect(
                try await store.keys().first?.grants == [
                    KeyGrant(business: business(1), maker: agent(2), grantedAt: dawn)
                ])
            #expect(try await store.revokeKey(made.id, at: dawn, author: .server))
            #expect(try await !store.revokeKey(made.id, at: dawn, author: .server))
            #expect(try await !store.revokeKey(KeyID(uniqueID(9)), at: dawn, author: .server))
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a wrong second half costs a typed code a try, and the last one costs the code`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let end = dawn.advanced(by: .seconds(60))
            let code = JoinCode(
                id: "c1", business: business(1), link: .sha256([1]), locator: "ABCDE",
                typed: .sha256([2]), createdAt: dawn, expiresAt: end, uses: 2)
            try await store.add(code, author: .server)
            func type(_ half: UInt8, at time: Timestamp = dawn) async throws -> JoinCode? {
                try await store.typeJoinCode(locator: "ABCDE", typed: .sha256([half]), at: time)
            }
            #expect(try await type(2) == code)
            #expect(try await type(3) == nil)
            #expect(try await store.findJoinCode("c1")?.triesLeft == code.triesLeft - 1)
            #expect(try await type(2, at: end) == nil)
            for _ in 1..<code.triesLeft { #expect(try await type(3) == nil) }
            #expect(try await type(2) == nil)
            #expect(try await store.findJoinCode(link: .sha256([1]), at: dawn)?.id == "c1")
            func rest() async throws -> KnownJoinCode? {
                try await store.readRegistry { sql throws(StoreError) in
                    try JoinCodes.rest(of: .sha256([1]), on: sql)
                }
            }
            #expect(try await rest()?.usesLeft == 2)
            for number in [1, 2] as [UInt64] {
                try await store.write { sql throws(StoreError) in
                    try JoinCodes.use(.sha256([1]), for: conversation(number), on: sql)
                }
            }
            #expect(try await rest()?.usesLeft == 0)
            #expect(try await store.findJoinCode(link: .sha256([1]), at: dawn) == nil)
            #expect(try await store.findJoinCode("c1")?.conversation == conversation(2))
            try await store.pruneJoinCodes(before: end)
            #expect(try await store.findJoinCode("c1") != nil)
            try await store.pruneJoinCodes(before: end.advanced(by: .milliseconds(1)))
            #expect(try await store.findJoinCode("c1") == nil)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `the first answer of a scope stays, and settings are the last ones`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            func answer(_ scope: String, _ content: RememberedAnswer.Content) -> RememberedAnswer {
                RememberedAnswer(scope: scope, body: .sha256([1]), content: content, time: dawn)
            }
            let first = answer("k\u{1}e", .answer(status: 201, body: [0, 255, 10]))
            let message = answer("m", .message(conversation(1), try messageID("a")))
            for one in [first, answer(first.scope, .answer(status: 400, body: [])), message] {
                try await store.remember(one)
            }
            #expect(try await store.findAnswer(first.scope) == first)
            #expect(try await store.findAnswer("m") == message)
            #expect(try await store.findAnswer("x") == nil)
            try await store.pruneAnswers(before: dawn)
            #expect(try await store.findAnswer("m") == message)
            try await store.pruneAnswers(before: dawn.advanced(by: .milliseconds(1)))
            #expect(try await store.findAnswer("m") == nil)
            try await store.setSetting("a", to: [1], author: .server)
            try await store.setSetting("a", to: [], author: .server)
            #expect(try await store.findSetting("a") == [])
            try await store.setSetting("a", to: nil, author: .server)
            #expect(try await store.findSetting("a") == nil)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `templates count their versions, and a page has the newest of each by name`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            func publish(_ name: String, bytes: Int) async throws -> Int {
                let template = Template(
                    business: business(1), name: try #require(TemplateName(name)), title: name,
                    detail: "", payload: Array(repeating: 0x20, count: bytes), parameters: [],
                    author: .agent(agent(1)), publishedAt: dawn)
                return try await store.write { sql throws(StoreError) in
                    let newest = try Templates.newest(
                        template.name, of: template.business, on: sql)
                    try Templates.add(template.numbered(newest + 1), on: sql)
                    return newest + 1
                }
            }
            for name in ["b", "a_", "a-", "c"] { #expect(try await publish(name, bytes: 1) == 1) }
            for name in ["b", "c"] { #expect(try await publish(name, bytes: 5 << 20) == 2) }
            let page = try await store.templates(of: business(1), at: .start, limit: 300)
            #expect(page.elements.map { "\($0.name)\($0.version)" } == ["a-1", "a_1", "b2"])
            #expect(page.hasMore)
            let rest = try await store.templates(
                of: business(1), at: PageEdge(after: TemplateName("b")), limit: 1)
            #expect(rest.elements.map(\.version) == [2] && !rest.hasMore)
            for (edge, names, hasMore) in [
                (PageEdge.before(TemplateName.beyondAll), ["c"], true),
                (.before(try #require(TemplateName("c"))), ["b"], true),
                (.before(try #require(TemplateName("b"))), ["a-", "a_"], false),
            ] {
                let page = try await store.templates(of: business(1), at: edge, limit: 2)
                #expect(page.elements.map(\.name.text).suffix(names.count) == names[...])
                #expect(page.hasMore == hasMore)
            }
            let name = try #require(TemplateName("b"))
            func version(_ number: Int?) async throws -> Int? {
                try await store.findTemplate(name, of: business(1), version: number)?.version
            }
            #expect(try await version(nil) == 2)
            #expect(try await version(1) == 1)
            #expect(try await version(3) == nil)
            let last = try #require(
                try await store.findTemplate(name, of: business(1), version: nil))
            let removal = last.removal(by: .agent(agent(1)), at: dawn).numbered(3)
            try await store.write { sql throws(StoreError) in try Templates.add(removal, on: sql) }
            for number in [nil, 1, 2, 3] { #expect(try await version(number) == nil) }
            let left = try await store.templates(of: business(1), at: .start, limit: 300)
            #expect(left.elements.map(\.name.text) == ["a-", "a_", "c"] && !left.hasMore)
            try await store.write { sql throws(StoreError) in
                try Templates.add(last.numbered(4), on: sql)
            }
            #expect(try await version(nil) == 4)
            #expect(try await version(1) == 1)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a customer is reached over the upstream that was noted last`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            #expect(try await store.findUpstream(of: conversation(1)) == nil)
            for number in [1, 2] as [UInt64] {
                try await store.write { sql throws(StoreError) in
                    try GatewayRows.bind(
                        conversation(1), to: GatewayLinkID(uniqueID(number)), freeFormUntil: nil,
                        on: sql)
                }
            }
            #expect(try await store.findUpstream(of: conversation(1)) == GatewayLinkID(uniqueID(2)))
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `changes of one business at the same time are all kept`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await store.begin(business(1))
            let changes: [@Sendable (inout Business) -> Void] = [
                { $0.name = "Tea" }, { $0.colour = "#112233" }, { $0.assignsOnReply = false },
                { $0.picture = AttachmentID(.sha256([1])) },
            ]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for change in changes {
                    group.addTask {
                        let changed = try await store.changeBusiness(
                            business(1), author: .server, change)
                        #expect(changed != nil)
                    }
                }
                try await group.waitForAll()
            }
            let found = try #require(try await store.findBusiness(business(1)))
            #expect(found.name == "Tea" && found.colour == "#112233" && !found.assignsOnReply)
            #expect(found.picture == AttachmentID(.sha256([1])))
            #expect(
                try await store.changeBusiness(business(2), author: .server) { $0.name = "" }
                    == nil)
        }
    }
}
