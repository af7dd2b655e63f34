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
            #expect(try await !store.hasRoom(for: key(230)))
            #expect(try await store.revokeKey(key(2).id, at: dawn, author: .server))
            #expect(try await store.hasRoom(for: key(230)))
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a business with more keys than it may have replaces each of them, once, with an overlap`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await InvitationContract.begin(store)
            for key in try await store.keys() {
                _ = try await store.revokeKey(key.id, at: dawn, author: .server)
            }
            for number in 1...APIKey.most {
                try await store.add(key(number), author: .server, permitted: [])
            }
            let later = dawn.advanced(by: .seconds(60))
            func replace(_ one: Int, by next: Int) async throws -> Bool {
                let successor = key(next, after: key(one).id)
                let hasRoom = try await store.hasRoom(for: successor)
                let isReplaced = try await store.replace(
                    key(one).id, by: successor, end: later, author: .server, permitted: [])
                #expect(hasRoom == isReplaced, "\(one) by \(next)")
                return isReplaced
            }
            #expect(try await replace(1, by: 201))
            #expect(try await store.findKey(key(1).id)?.limits.expiresAt == later)
            // With the overlap there are 201, and another one still finds its successor.
            #expect(try await replace(2, by: 202))
            // A second successor would stay when the first key ends.
            #expect(try await !replace(1, by: 203))
            #expect(try await store.findKey(key(203).id) == nil)
            // The first of these has one key in force before it, the last as many as may be.
            for number in 0..<APIKey.mostPredecessors - 1 {
                #expect(try await replace(number == 0 ? 201 : 209 + number, by: 210 + number))
            }
            let last = 209 + APIKey.mostPredecessors - 1
            #expect(try await !replace(last, by: 240))
            #expect(try await store.revokeKey(key(1).id, at: dawn, author: .server))
            #expect(try await replace(last, by: 240))
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a list has each key once with all its grants, without what was revoked before a moment`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await InvitationContract.begin(store)
            let both = APIKey(
                id: key(61).id, name: "both", secret: .sha256([61]), mode: .live,
                businesses: [business(1), business(2)], createdAt: dawn)
            let none = APIKey(
                id: key(62).id, name: "none", secret: .sha256([62]), mode: .live, grants: [],
                createdAt: dawn)
            let (early, late) = (key(63), key(64))
            for one in [both, none, early, late] {
                try await store.add(one, author: .server, permitted: [])
            }
            let noon = dawn.advanced(by: .seconds(60))
            #expect(try await store.revokeKey(early.id, at: dawn, author: .server))
            #expect(try await store.revokeKey(late.id, at: noon, author: .server))
            let added: Set = [both.id, none.id, early.id, late.id]
            func listed(_ business: BusinessID?, _ time: Timestamp) async throws -> [APIKey] {
                try await store.keys(of: business, revokedSince: time)
                    .filter { added.contains($0.id) }
            }
            let all = try await store.keys().filter { added.contains($0.id) }
            #expect(all.map(\.id) == [both.id, none.id, early.id, late.id])
            #expect(Set(all[0].grants) == Set(both.grants))
            #expect(all[1] == none)
            #expect(try await listed(nil, noon).map(\.id) == [both.id, none.id, late.id])
            let ofSecond = try await listed(business(2), noon)
            #expect(ofSecond.map(\.id) == [both.id])
            #expect(Set(ofSecond[0].grants) == Set(both.grants))
            #expect(
                try await listed(business(1), dawn).map(\.id) == [both.id, early.id, late.id])
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

    @Test(arguments: KeptRegistries.allCases)
    func `requests that another node stores later are listed and forgotten by when they were made`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let (first, second) = (key(33).id, key(34).id)
            let (even, odd) = (stride(from: 0, to: 20, by: 2), stride(from: 1, to: 20, by: 2))
            try await store.note([first: even.map(request)])
            try await store.note([first: odd.map(request)])
            #expect(try await store.requests(of: first) == (0..<20).reversed().map(request))
            try await store.note([second: (100..<150).map(request)])
            try await store.note([second: (0..<100).map(request)])
            #expect(try await store.requests(of: second) == (50..<150).reversed().map(request))
        }
    }
}
