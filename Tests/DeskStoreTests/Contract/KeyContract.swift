import DeskModel
import DeskStore
import StoreSupport
import Testing

/// What every store keeps of keys that end, follow each other, and note their requests.
struct KeyContract {
    private func key(_ id: Int, after predecessor: KeyID? = nil, _ limits: KeyLimits = KeyLimits())
        -> APIKey
    {
        APIKey(
            id: KeyID(uniqueID(UInt64(id))), name: "k\(id)", secret: .sha256([UInt8(id)]),
            mode: .live,
            businesses: [business(1)], limits: limits, predecessor: predecessor, createdAt: dawn)
    }

    private func request(_ number: Int) -> KeyRequest {
        KeyRequest(
            time: dawn.advanced(by: .seconds(number)), operation: "sendMessage", status: 422,
            code: "invalid", milliseconds: number, address: "::1", request: "r\(number)")
    }

    @Test(arguments: KeptRegistries.allCases)
    func
        `a successor ends a key at its time, or earlier where that was due, and of none in force there is none`(
            _ kept: KeptRegistries
        ) async throws
    {
        try await kept.with { store in
            try await InvitationContract.begin(store)
            let soon = dawn.advanced(by: .seconds(10))
            let later = dawn.advanced(by: .seconds(60))
            let first = key(21)
            let limited = key(22, KeyLimits(expiresAt: soon))
            try await store.add(first, author: .server)
            try await store.add(limited, author: .server)
            #expect(try await store.findKey(first.id)?.limits.expiresAt == nil)
            let next = key(23, after: first.id)
            #expect(
                try await store.replace(
                    first.id, by: next, end: later, author: .server, permitted: []))
            #expect(try await store.findKey(first.id)?.limits.expiresAt == later)
            #expect(try await store.findKey(next.id) == next)
            #expect(
                try await store.replace(
                    limited.id, by: key(24, after: limited.id), end: later, author: .server,
                    permitted: []))
            #expect(try await store.findKey(limited.id)?.limits.expiresAt == soon)
            #expect(try await store.revokeKey(first.id, at: dawn, author: .server))
            let none = key(25, after: first.id)
            #expect(
                try await !store.replace(
                    first.id, by: none, end: later, author: .server, permitted: []))
            #expect(try await store.findKey(none.id) == nil)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a business has 200 keys in force and not one more, and one that ended makes room`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await InvitationContract.begin(store)
            for key in try await store.keys() {
                _ = try await store.revokeKey(key.id, at: dawn, author: .server)
            }
            let ended = key(250, KeyLimits(expiresAt: dawn))
            #expect(try await store.add(ended, author: .server, permitted: []))
            var added: [Bool] = []
            for number in 1...APIKey.most + 1 {
                added.append(
                    try await store.add(key(number), author: .server, permitted: []))
            }
            #expect(added == Array(repeating: true, count: APIKey.most) + [false])
            let next = key(240, after: key(1).id)
            #expect(
                try await !store.replace(
                    key(1).id, by: next, end: dawn, author: .server, permitted: []))
            #expect(try await store.findKey(key(1).id)?.limits.expiresAt == nil)
            #expect(try await !store.hasRoom(for: next))
            #expect(try await store.revokeKey(key(2).id, at: dawn, author: .server))
            #expect(try await store.hasRoom(for: next))
            #expect(
                try await store.replace(
                    key(1).id, by: next, end: dawn, author: .server, permitted: []))
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `the newest requests of each key are kept, and those before a moment are forgotten`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let (first, second) = (key(31).id, key(32).id)
            try await store.note([first: (0..<60).map(request), second: [request(7)]])
            try await store.note([first: (60..<150).map(request)])
            let found = try await store.requests(of: first)
            #expect(found == (50..<150).reversed().map(request))
            #expect(try await store.requests(of: second) == [request(7)])
            try await store.pruneKeyRequests(before: dawn.advanced(by: .seconds(140)))
            #expect(try await store.requests(of: first).count == 10)
            #expect(try await store.requests(of: second).isEmpty)
        }
    }
}
