import DeskModel
import DeskSQL
import DeskStore
import StoreSupport
import Testing

/// What every engine promises of passkeys, and of passwords that are replaced beside them.
@Suite struct PasskeyContract {
    static func passkey(_ number: UInt64, of person: UInt64 = 1, counter: Int64 = 0) -> Passkey {
        Passkey(
            id: PasskeyID(uniqueID(number)), agent: agent(person), name: "N\(number)",
            host: "desk.example", credential: [UInt8](repeating: UInt8(number), count: 16),
            publicKey: [1, 2, UInt8(number)], algorithm: -7, counter: counter, createdAt: dawn)
    }

    private static func account(_ number: UInt64, in store: any SQLRegistries) async throws {
        try await store.save(
            Agent(
                id: agent(number), name: "N\(number)", email: "a\(number)@example.com",
                password: "former", createdAt: dawn), author: .server)
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a passkey is one account's, and an account has ten at most`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await store.begin()
            #expect(try await store.findPasskey(Self.passkey(1).credential) == nil)
            for number in 1...10 as ClosedRange<UInt64> {
                #expect(try await store.addInSession(Self.passkey(number)) == .added)
            }
            #expect(try await store.addInSession(Self.passkey(11)) == .tooMany)
            #expect(try await store.addInSession(Self.passkey(11, of: 2)) == .added)
            #expect(try await store.addInSession(Self.passkey(10, of: 3)) == .known)
            let all = (1...10 as ClosedRange<UInt64>).map { Self.passkey($0) }
            #expect(try await store.passkeys(of: agent(1)) == all)
            #expect(try await store.passkeys(of: agent(2)) == [Self.passkey(11, of: 2)])
            #expect(
                try await store.findPasskey(Self.passkey(11).credential)
                    == Self.passkey(11, of: 2))
            #expect(try await !store.removePasskey(PasskeyID(uniqueID(1)), of: agent(2)))
            #expect(try await store.removePasskey(PasskeyID(uniqueID(1)), of: agent(1)))
            #expect(try await !store.removePasskey(PasskeyID(uniqueID(1)), of: agent(1)))
            #expect(try await store.passkeys(of: agent(1)).count == 9)
            #expect(try await store.addInSession(Self.passkey(1)) == .added)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `an account's last free place is given once, and an authenticator's name too`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            for number in 1...9 as ClosedRange<UInt64> {
                _ = try await store.addInSession(Self.passkey(number))
            }
            async let first = store.addInSession(Self.passkey(10))
            async let second = store.addInSession(Self.passkey(11))
            let places = try await [first, second]
            #expect(places.count { $0 == .added } == 1 && places.contains(.tooMany))
            async let third = store.addInSession(Self.passkey(12, of: 2))
            async let fourth = store.addInSession(Self.passkey(12, of: 3))
            let names = try await [third, fourth]
            #expect(names.count { $0 == .added } == 1 && names.contains(.known))
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a passkey is added in a session that is there, which another may follow`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            func session(_ byte: UInt8, of person: UInt64) -> Session {
                Session(
                    token: .sha256([byte]), subject: .agent(agent(person)), createdAt: dawn,
                    expiresAt: dawn.advanced(by: .seconds(60)), isByPasskey: byte == 3)
            }
            func add(
                _ number: UInt64, _ byte: UInt8, after seconds: Int64 = 0, _ next: Session? = nil
            ) async throws -> AddedPasskey {
                try await store.add(
                    Self.passkey(number), in: .sha256([byte]),
                    at: dawn.advanced(by: .seconds(seconds)), beginning: next)
            }
            try await store.add(session(1, of: 1), author: .server)
            try await store.add(session(2, of: 2), author: .server)
            #expect(try await store.beginSecondFactor([1], of: agent(1), at: dawn))
            // None, another account's, and one that has expired.
            #expect(try await add(1, 9) == .ended)
            #expect(try await add(1, 2) == .ended)
            #expect(try await add(1, 1, after: 60) == .ended)
            #expect(try await store.passkeys(of: agent(1)).isEmpty)
            #expect(try await store.secondFactor(of: agent(1)) != nil)
            #expect(try await add(1, 1, session(3, of: 1)) == .added)
            // What the password alone had begun to set up is gone.
            #expect(try await store.secondFactor(of: agent(1)) == nil)
            #expect(try await store.findSession(.sha256([1])) == nil)
            #expect(try await store.findSession(.sha256([3]))?.isByPasskey == true)
            #expect(try await add(2, 1) == .ended)
            #expect(try await add(2, 3) == .added)
            #expect(try await store.removeSecondFactor(of: agent(1), author: .command))
            #expect(try await store.passkeys(of: agent(1)).isEmpty)
            #expect(try await !store.removeSecondFactor(of: agent(1), author: .command))
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a use is noted with its moment, and of one that counts only upwards`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            _ = try await store.addInSession(Self.passkey(1))
            _ = try await store.addInSession(Self.passkey(2, counter: 5))
            func use(_ number: UInt64, _ counter: Int64) async throws -> Bool {
                try await store.usePasskey(
                    PasskeyID(uniqueID(number)), counter: counter,
                    at: dawn.advanced(by: .seconds(1)))
            }
            #expect(try await use(1, 0))
            #expect(try await use(1, 0))
            for (counter, isInOrder) in [(5, false), (6, true), (6, false), (0, false), (9, true)] {
                #expect(try await use(2, Int64(counter)) == isInOrder, "\(counter)")
            }
            #expect(try await !use(3, 1))
            let used = try await store.passkeys(of: agent(1))
            #expect(used.map(\.counter) == [0, 9])
            #expect(used.allSatisfy { $0.usedAt == dawn.advanced(by: .seconds(1)) })
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `an owner with a passkey may require a second factor, and a session says what began it`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await store.begin()
            try await store.setRole(.owner, of: agent(1), in: business(1), author: .server)
            try await store.setRole(.agent, of: agent(2), in: business(1), author: .server)
            func require() async throws -> RequirementOutcome {
                try await store.requireSecondFactor(true, in: business(1), by: agent(1))
            }
            #expect(try await require() == .withoutFactor)
            _ = try await store.addInSession(Self.passkey(1))
            #expect(try await store.agentsWithSecondFactor(in: business(1)) == [agent(1)])
            #expect(try await require() == .changed)
            // Of the account the password alone is known, so a session decides.
            #expect(try await store.memberships(of: agent(1)).map(\.lacksSecondFactor) == [true])
            for isByPasskey in [true, false] {
                let token = Digest.sha256([isByPasskey ? 1 : 2])
                try await store.add(
                    Session(
                        token: token, subject: .agent(agent(1)), createdAt: dawn,
                        expiresAt: dawn.advanced(by: .seconds(60)), isByPasskey: isByPasskey),
                    author: .server)
                #expect(try await store.findStoredSession(token)?.isByPasskey == isByPasskey)
                #expect(try await store.findSession(token)?.isByPasskey == isByPasskey)
            }
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a link to a new password works once, and ends all that signed in before`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await Self.account(1, in: store)
            try await Self.begin(store)
            let (link, other) = (Digest.sha256([1]), Digest.sha256([9]))
            let replacement = PasswordReplacement("next", .link(link, name: "M"))
            // A link of another account, and none at all.
            for token in [other, .sha256([2])] {
                #expect(
                    try await !store.replacePassword(
                        of: agent(1), by: PasswordReplacement("next", .link(token, name: "M"))))
            }
            #expect(try await store.passkeys(of: agent(1)).count == 1)
            #expect(try await store.replacePassword(of: agent(1), by: replacement))
            #expect(try await !store.replacePassword(of: agent(1), by: replacement))
            let person = try #require(try await store.findAgent(agent(1)))
            #expect(person.password == "next" && person.name == "M")
            #expect(try await store.passkeys(of: agent(1)).isEmpty)
            #expect(try await store.identities(of: agent(1)).isEmpty)
            #expect(try await store.secondFactor(of: agent(1)) != nil)
            try await Self.expectEnd(store)
            #expect(try await store.findSession(other) != nil)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a password that is changed by its person leaves passkeys, and one for an identity none`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await Self.account(1, in: store)
            try await Self.begin(store)
            let own = PasswordReplacement("next", .known("former"))
            #expect(try await store.replacePassword(of: agent(1), by: own))
            #expect(try await !store.replacePassword(of: agent(1), by: own))
            #expect(try await store.passkeys(of: agent(1)).count == 1)
            #expect(try await store.identities(of: agent(1)).count == 1)
            #expect(try await store.secondFactor(of: agent(1)) != nil)
            try await Self.expectEnd(store)
            let linked = PasswordReplacement("last", .identity)
            #expect(try await store.replacePassword(of: agent(1), by: linked))
            #expect(try await store.passkeys(of: agent(1)).isEmpty)
            #expect(try await store.secondFactor(of: agent(1)) == nil)
            #expect(try await store.identities(of: agent(1)).count == 1)
            #expect(try await store.findAgent(agent(1))?.password == "last")
        }
    }

    /// All that signs an account in, and a link of another account.
    private static func begin(_ store: any SQLRegistries) async throws {
        _ = try await store.addInSession(passkey(1))
        _ = try await store.link(
            Identity(issuer: "https://id.example", subject: "1"), to: agent(1), at: dawn)
        _ = try await store.beginSecondFactor([1], of: agent(1), at: dawn)
        for (byte, subject) in [
            (1, SessionSubject.newPassword(agent(1))), (2, .agent(agent(1))),
            (9, .newPassword(agent(2))),
        ] as [(UInt8, SessionSubject)] {
            try await store.add(
                Session(
                    token: .sha256([byte]), subject: subject, createdAt: dawn,
                    expiresAt: dawn.advanced(by: .seconds(60))), author: .server)
        }
        try await store.rememberDevice(.sha256([3]), of: agent(1), at: dawn, atMost: 32)
    }

    private static func expectEnd(_ store: any SQLRegistries) async throws {
        for byte in [1, 2] as [UInt8] {
            #expect(try await store.findSession(.sha256([byte])) == nil)
        }
        #expect(try await store.agents(knownOn: .sha256([3]), since: dawn).isEmpty)
    }
}

extension SQLRegistries {
    /// Adds a passkey in a session of its account, which begins where there is none.
    fileprivate func addInSession(_ passkey: Passkey) async throws -> AddedPasskey {
        let token = Digest.sha256(Array(passkey.agent.text.utf8))
        if try await findStoredSession(token) == nil {
            try await add(
                Session(
                    token: token, subject: .agent(passkey.agent), createdAt: dawn,
                    expiresAt: dawn.advanced(by: .seconds(60))), author: .server)
        }
        return try await add(passkey, in: token, at: dawn, beginning: nil)
    }
}
