import DeskModel
import DeskSQL
import DeskStore
import TestSupport
import Testing

/// What every store promises of business hours.
@Suite struct HoursContract {
    private static let shop = business(1)

    private static func save(
        _ text: String?, of owner: BusinessID = shop, for team: TeamID? = nil, in store: any Store
    ) async throws {
        try await store.one(
            SaveHours(
                of: owner, for: team, text.map { Array($0.utf8) },
                event: Array(#"{"hours":"\#(text ?? "")"}"#.utf8), by: .agent(agent(1)), at: dawn))
    }

    private static func makeTeam(
        _ number: UInt64, of owner: BusinessID = shop, isRetired: Bool? = nil, in store: any Store
    ) async throws {
        var values = SaveTeam.Values()
        values.name = "Team \(number)"
        values.colour = "#336699"
        values.isRetired = isRetired
        _ = try await store.one(
            SaveTeam(
                team(number), of: owner, isNew: true, values, permitted: .handling,
                by: .agent(agent(1)), at: dawn))
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a business and each of its teams have hours of their own`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            func put(_ text: String?, _ owner: BusinessID, _ team: TeamID?) async throws {
                try await store.change(
                    .contents(.saveHours(of: owner, for: team)), author: .server
                ) { sql throws(StoreError) in
                    try Hours.put(text.map { Array($0.utf8) }, of: owner, for: team, on: sql)
                }
            }
            func found(_ owner: BusinessID) async throws -> [String] {
                try await store.hours(of: owner).map {
                    "\($0.team?.text ?? "-") \(String(decoding: $0.data, as: UTF8.self))"
                }
            }
            try await put("{}", Self.shop, team(1))
            try await put(#"{"a":1}"#, Self.shop, nil)
            try await put(#"{"b":2}"#, business(2), nil)
            #expect(try await found(Self.shop) == [#"- {"a":1}"#, "\(team(1).text) {}"])
            try await put("[]", Self.shop, nil)
            try await put(nil, Self.shop, team(1))
            #expect(try await found(Self.shop) == ["- []"])
            #expect(try await found(business(2)) == [#"- {"b":2}"#])
            try await put(nil, Self.shop, nil)
            #expect(try await found(Self.shop) == [])
        }
    }

    @Test(arguments: Kept.allCases)
    func `hours are set with an event, and only for a team of the business`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            try await store.begin(conversation(2), in: business(2), customer: 2)
            try await Self.makeTeam(1, in: store)
            try await Self.makeTeam(2, of: business(2), in: store)
            try await Self.makeTeam(3, isRetired: true, in: store)
            try await Self.save("{}", in: store)
            try await Self.save("{}", for: team(1), in: store)
            #expect(try await store.types().suffix(2) == [.hoursSaved, .hoursSaved])
            #expect(try await store.hours(of: Self.shop).map(\.team) == [nil, team(1)])
            for number: UInt64 in [2, 3, 4] {
                await #expect(throws: Refusal.notFound) {
                    try await Self.save("{}", for: team(number), in: store)
                }
            }
            await #expect(throws: Refusal.notFound) {
                try await Self.save("{}", of: business(9), in: store)
            }
            try await Self.save(nil, in: store)
            #expect(try await store.hours(of: Self.shop).map(\.team) == [team(1)])
            let last = try await store.events(after: .start, in: .everything, limit: 99).events.last
            #expect(last?.body == .json(Array(#"{"hours":""}"#.utf8)))
        }
    }
}
