import DeskModel
import DeskSQL
import DeskStore
import DeskStorePostgres
import TestSupport
import Testing

/// What every engine promises of the secrets that it keeps.
@Suite struct SecretContract {
    private static func link(_ number: UInt64, secret: String) -> GatewayLink {
        GatewayLink(
            id: GatewayLinkID(uniqueID(0x6000 + number)), business: business(number),
            side: .provider, mspID: "msp-\(number)", secret: Array(secret.utf8),
            url: "https://provider.example/bots", createdAt: dawn)
    }

    /// A column of bytes as it is stored.
    private static func stored(
        _ sql: String, in store: any SQLRegistries
    ) async throws -> [[UInt8]] {
        try await store.readRegistry { session throws(StoreError) in
            let statement = try session.statement(sql)
            var rows: [[UInt8]] = []
            while try statement.step() { rows.append(statement.bytesIfAny() ?? []) }
            return rows
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a secret is made once, stays the same, and lies encrypted`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            var made: [[UInt8]] = []
            for name in SecretName.allCases {
                let secret = try await store.requireSecret(name)
                #expect(secret.count == SharedSecrets.byteCount)
                #expect(try await store.requireSecret(name) == secret)
                made.append(secret)
            }
            #expect(Set(made).count == made.count)
            let values = try await Self.stored("SELECT value FROM secrets", in: store)
            #expect(values.count == made.count)
            #expect(Set(values).isDisjoint(with: made))
            #expect(
                try await store.countSecrets() == [store.encryptionKeys.current: made.count])
            let shared = try await SharedSecrets(of: store)
            #expect(shared.joinCodes == (try await store.requireSecret(.joinCodes)))
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a link's secret lies encrypted, and in another link's row keeps no other link back`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let links = [Self.link(1, secret: "hush-hush-1234567"), Self.link(2, secret: "other")]
            for link in links { #expect(try await store.save(link, author: .server)) }
            #expect(try await store.gatewayLinks() == links)
            let values = try await Self.stored("SELECT secret FROM gateway_links", in: store)
            #expect(values.count == 2)
            for value in values {
                #expect(!String(decoding: value, as: UTF8.self).contains("hush"))
            }
            _ = try await store.write { sql throws(StoreError) in
                try sql.statement(
                    """
                    UPDATE gateway_links SET secret = \
                    (SELECT secret FROM gateway_links WHERE msp_id = 'msp-2')
                    """
                ).runCounting()
            }
            let found = try await store.gatewayLinks()
            #expect(found.map(\.id) == links.map(\.id) && found[1] == links[1])
            let unreadable = try #require(found.first)
            #expect(unreadable.isSecretUnreadable)
            // A random one: nothing that is signed with a known key is accepted.
            #expect(unreadable.secret.count == GatewayLink.secretBytes)
            #expect(!links.map(\.secret).contains(unreadable.secret))
            // What cannot be read is kept, in case its key comes back, until another is entered.
            var moved = unreadable
            moved.url = "https://elsewhere.example/bots"
            let column = "SELECT secret FROM gateway_links WHERE msp_id = 'msp-1'"
            let before = try await Self.stored(column, in: store)
            #expect(try await store.save(moved, over: unreadable, author: .server))
            #expect(try await Self.stored(column, in: store) == before)
            var renewed = moved
            renewed.secret = Array("another-secret-1".utf8)
            #expect(!renewed.isSecretUnreadable)
            #expect(try await store.save(renewed, over: moved, author: .server))
            #expect(try await store.gatewayLinks().first == renewed)
            #expect(try await store.removeGatewayLink(links[0].id, author: .server))
            #expect(try await store.gatewayLinks() == [links[1]])
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a rotation encrypts everything with the new key and loses nothing`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let link = Self.link(1, secret: "hush-hush-1234567")
            #expect(try await store.save(link, author: .server))
            _ = try await store.requireSecret(.joinCodes)
            let rotated = try #require(store.encryptionKeys.rotated())
            try await store.encryptAllSecrets(with: rotated)
            #expect(try await store.countSecrets() == [rotated.current: 2])
            let record = try #require(
                await store.auditRecords(AuditFilter(), at: .start, limit: 1).elements.first)
            #expect(record.kind == "secrets_encrypted" && record.author == .command)
            #expect(record.subject == rotated.current.text)
            // This one began before and lacks the new key; nothing is lost for who has it.
            #expect(try await store.gatewayLinks().map(\.isSecretUnreadable) == [true])
            await #expect(throws: StoreError(.keyMissing, "no key \(rotated.current)")) {
                try await store.encryptAllSecrets(with: store.encryptionKeys)
            }
            #expect(try await store.countSecrets() == [rotated.current: 2])
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a code is used once until it is forgotten`(_ kept: KeptRegistries) async throws {
        try await kept.with { store in
            let code = Digest.sha256([1])
            let end = dawn.advanced(by: .seconds(120))
            #expect(try await store.useCode(code, until: end))
            #expect(try await !store.useCode(code, until: end))
            #expect(try await store.useCode(.sha256([2]), until: end))
            try await store.pruneUsedCodes(before: end)
            #expect(try await !store.useCode(code, until: end))
            try await store.pruneUsedCodes(before: end.advanced(by: .milliseconds(1)))
            #expect(try await store.useCode(code, until: end))
        }
    }

    @Test func `two processes over one database know the same secrets and use a code once`()
        async throws
    {
        try await KeptRegistries.withPostgres(2) { stores in
            for name in SecretName.allCases {
                let both = try await withThrowingTaskGroup(of: [UInt8].self) { group in
                    for store in stores { group.addTask { try await store.requireSecret(name) } }
                    return try await group.reduce(into: Set()) { $0.insert($1) }
                }
                #expect(both.count == 1, "\(name)")
            }
            #expect(
                try await stores[0].save(Self.link(1, secret: "hush-hush-1234567"), author: .server)
            )
            #expect(
                try await stores[1].gatewayLinks().map(\.secret)
                    == [Array("hush-hush-1234567".utf8)])
            for number in UInt8(0)..<10 {
                let used = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for store in stores {
                        group.addTask { try await store.useCode(.sha256([number]), until: dawn) }
                    }
                    return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
                }
                #expect(used == 1)
            }
        }
    }
}
