import DeskCrypto
import DeskModel
import DeskSQL
import DeskStore
import TestSupport
import Testing

/// What every engine promises of second factors.
@Suite struct SecondFactorContract {
    static let secret = Array("12345678901234567890".utf8)
    static let recovery: [Digest] = [.sha256([1]), .sha256([2])]
    private static let session = Digest.sha256([7])

    /// The code of the step that is as many after that of `dawn`.
    static func code(_ steps: Int64 = 0, of secret: [UInt8] = secret) -> String {
        TOTP.code(of: secret, step: TOTP.step(atSecond: dawn.milliseconds / 1_000) + steps)
    }

    /// Two owners of a business; the first one has a second factor.
    private static func begin(_ store: any SQLRegistries) async throws {
        try await store.begin()
        for number in 1...2 as ClosedRange<UInt64> {
            try await store.save(
                Agent(
                    id: agent(number), name: "N\(number)", email: "a\(number)@example.com",
                    password: "scrypt", createdAt: dawn), author: .server)
            try await store.setRole(.owner, of: agent(number), in: business(1), author: .server)
        }
        #expect(try await store.beginSecondFactor(secret, of: agent(1), at: dawn))
        #expect(try await confirm(store) == .accepted)
    }

    private static func confirm(
        _ store: any SQLRegistries, _ code: String = code()
    ) async throws -> SecondFactorOutcome {
        if try await store.findStoredSession(session) == nil {
            try await store.add(
                Session(
                    token: session, subject: .agent(agent(1)), createdAt: dawn,
                    expiresAt: dawn.advanced(by: .seconds(3_600))), author: .server)
        }
        return try await store.confirmSecondFactor(
            of: agent(1), code, recovery: recovery, keeping: session, at: dawn)
    }

    private static func use(
        _ store: any SQLRegistries, _ proof: SecondFactorProof, of number: UInt64 = 1
    ) async throws -> SecondFactorOutcome {
        try await store.useSecondFactor(proof, of: agent(number), at: dawn)
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a second factor is asked for once a code confirmed it, and cannot be replaced then`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await store.begin()
            #expect(try await store.secondFactor(of: agent(1)) == nil)
            #expect(try await Self.confirm(store) == .missing)
            #expect(try await store.beginSecondFactor([9], of: agent(1), at: dawn))
            // Another one in place of one that was never confirmed.
            #expect(try await store.beginSecondFactor(Self.secret, of: agent(1), at: dawn))
            #expect(try await Self.use(store, .code(Self.code())) == .missing)
            #expect(try await store.secondFactor(of: agent(1))?.confirmedAt == nil)
            #expect(try await Self.confirm(store, "000000") == .wrong)
            #expect(try await Self.confirm(store, Self.code(of: [9])) == .wrong)
            #expect(try await Self.confirm(store) == .accepted)
            #expect(
                try await store.secondFactor(of: agent(1))
                    == SecondFactor(
                        agent: agent(1), createdAt: dawn, confirmedAt: dawn, recoveryLeft: 2,
                        isReadable: true))
            #expect(try await Self.confirm(store, Self.code(1)) == .missing)
            #expect(try await !store.beginSecondFactor([9], of: agent(1), at: dawn))
            #expect(try await Self.use(store, .code(Self.code(1))) == .accepted)
            #expect(try await Self.use(store, .code(Self.code(1)), of: 2) == .missing)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a code and a recovery code are accepted once, and no code of an earlier step is`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await Self.begin(store)
            // The one that confirmed it is used up.
            #expect(try await Self.use(store, .code(Self.code())) == .wrong)
            #expect(try await Self.use(store, .code(Self.code(-1))) == .wrong)
            #expect(try await Self.use(store, .code(Self.code(2))) == .wrong)
            #expect(try await Self.use(store, .code(Self.code(1))) == .accepted)
            #expect(try await Self.use(store, .code(Self.code(1))) == .wrong)
            #expect(try await Self.use(store, .recovery(.sha256([2]))) == .accepted)
            #expect(try await Self.use(store, .recovery(.sha256([2]))) == .wrong)
            #expect(try await Self.use(store, .recovery(.sha256([3]))) == .wrong)
            #expect(try await store.secondFactor(of: agent(1))?.recoveryLeft == 1)
            let new: [Digest] = [.sha256([4]), .sha256([5]), .sha256([6])]
            #expect(
                try await store.replaceRecoveryCodes(
                    of: agent(1), .code("000000"), by: new, at: dawn) == .wrong)
            #expect(
                try await store.replaceRecoveryCodes(
                    of: agent(1), .recovery(.sha256([1])), by: new, at: dawn) == .accepted)
            #expect(try await store.secondFactor(of: agent(1))?.recoveryLeft == 3)
            #expect(try await Self.use(store, .recovery(.sha256([1]))) == .wrong)
            #expect(try await Self.use(store, .recovery(.sha256([4]))) == .accepted)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `of many callers with one code exactly one is accepted`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await Self.begin(store)
            for proof: SecondFactorProof in [.code(Self.code(1)), .recovery(.sha256([1]))] {
                #expect(try await Self.accepted(proof, by: [store, store, store, store]) == 1)
            }
        }
    }

    @Test func `of two processes over one database one accepts a code`() async throws {
        try await KeptRegistries.withPostgres(2) { stores in
            try await Self.begin(stores[0])
            for proof: SecondFactorProof in [.code(Self.code(1)), .recovery(.sha256([1]))] {
                #expect(try await Self.accepted(proof, by: stores + stores) == 1)
            }
        }
    }

    private static func accepted(
        _ proof: SecondFactorProof, by stores: [any SQLRegistries]
    ) async throws -> Int {
        try await withThrowingTaskGroup(of: SecondFactorOutcome.self) { group in
            for store in stores { group.addTask { try await use(store, proof) } }
            return try await group.reduce(into: 0) { $0 += $1 == .accepted ? 1 : 0 }
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `confirming ends the account's other sessions and its devices, and none of another's`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            for (token, number) in [(7, 1), (8, 1), (9, 2)] as [(UInt8, UInt64)] {
                try await store.add(
                    Session(
                        token: .sha256([token]), subject: .agent(agent(number)), createdAt: dawn,
                        expiresAt: dawn.advanced(by: .seconds(60))), author: .server)
                #expect(try await store.findLiveSession(.sha256([token]), at: dawn) != nil)
            }
            for number in 1...2 as ClosedRange<UInt64> {
                try await store.rememberDevice(
                    .sha256([6]), of: agent(number), at: dawn, atMost: 2)
            }
            try await Self.begin(store)
            #expect(try await store.findLiveSession(.sha256([7]), at: dawn) != nil)
            #expect(try await store.findLiveSession(.sha256([8]), at: dawn) == nil)
            #expect(try await store.findLiveSession(.sha256([9]), at: dawn) != nil)
            #expect(try await store.agents(knownOn: .sha256([6]), since: dawn) == [agent(2)])
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `where a business requires one, each membership says who lacks it`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await Self.begin(store)
            func lacking() async throws -> [Bool] {
                var lacking: [Bool] = []
                for number in 1...2 as ClosedRange<UInt64> {
                    lacking += try await store.memberships(of: agent(number))
                        .map(\.lacksSecondFactor)
                }
                return lacking
            }
            func require(_ isRequired: Bool, by number: UInt64) async throws -> RequirementOutcome {
                try await store.requireSecondFactor(
                    isRequired, in: business(1), by: agent(number))
            }
            #expect(try await lacking() == [false, false])
            #expect(try await require(true, by: 2) == .withoutFactor)
            #expect(try await lacking() == [false, false])
            #expect(try await require(true, by: 1) == .changed)
            #expect(try await require(true, by: 1) == .unchanged)
            #expect(try await lacking() == [false, true])
            // Saving what else may change of it leaves it as it is.
            try await store.begin()
            #expect(try await store.findBusiness(business(1))?.requiresSecondFactor == true)
            #expect(try await store.agentsWithSecondFactor(in: business(1)) == [agent(1)])
            #expect(try await store.agentsWithSecondFactor(in: business(2)) == [])
            #expect(try await store.beginSecondFactor(Self.secret, of: agent(2), at: dawn))
            #expect(try await lacking() == [false, true])
            func confirm(in session: Digest) async throws -> SecondFactorOutcome {
                try await store.confirmSecondFactor(
                    of: agent(2), Self.code(), recovery: [], keeping: session, at: dawn)
            }
            // A session of another account, and one that has ended.
            #expect(try await confirm(in: Self.session) == .missing)
            #expect(try await confirm(in: .sha256([8])) == .missing)
            try await store.add(
                Session(
                    token: .sha256([8]), subject: .agent(agent(2)), createdAt: dawn,
                    expiresAt: dawn.advanced(by: .seconds(60))), author: .server)
            #expect(try await confirm(in: .sha256([8])) == .accepted)
            #expect(try await lacking() == [false, false])
            #expect(
                try await store.removeSecondFactor(of: agent(1), .code(Self.code(1)), at: dawn)
                    == .accepted)
            #expect(try await store.removeSecondFactor(of: agent(2), author: .command))
            #expect(try await !store.removeSecondFactor(of: agent(2), author: .command))
            #expect(try await lacking() == [true, true])
            #expect(try await require(false, by: 1) == .changed)
            #expect(try await lacking() == [false, false])
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a secret lies encrypted, follows a new key, and where it cannot be read no code is right`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await Self.begin(store)
            #expect(try await store.countSecrets() == [store.encryptionKeys.current: 1])
            let stored = try await store.readRegistry { sql throws(StoreError) in
                try sql.statement(literal: "SELECT secret, recovery FROM second_factors").all {
                    $0.bytes() + $0.bytes()
                }
            }
            #expect(stored.count == 1)
            #expect(!String(decoding: stored[0], as: UTF8.self).contains("1234567890"))
            let rotated = try #require(store.encryptionKeys.rotated())
            try await store.encryptAllSecrets(with: rotated)
            #expect(try await store.countSecrets() == [rotated.current: 1])
            // This one began before and lacks the new key.
            #expect(try await Self.use(store, .code(Self.code(1))) == .unreadable)
            #expect(try await Self.use(store, .recovery(.sha256([1]))) == .accepted)
            let own = store.encryptionKeys
            _ = try await store.write { sql throws(StoreError) in
                try Secrets.forgetAll(but: own, on: sql)
            }
            #expect(try await store.countSecrets() == [:])
            let factor = try await store.secondFactor(of: agent(1))
            #expect(factor?.confirmedAt == dawn && factor?.isReadable == false)
            #expect(try await Self.use(store, .code(Self.code(1))) == .unreadable)
            #expect(try await Self.use(store, .code("")) == .unreadable)
            #expect(try await Self.use(store, .recovery(.sha256([2]))) == .accepted)
            #expect(try await store.removeSecondFactor(of: agent(1), author: .command))
        }
    }
}
