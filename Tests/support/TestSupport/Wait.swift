/// Waits of tests: each has an end, and one that ends in vain fails its test and says what for.
public enum Wait {
    /// Longest time for one condition; what works needs milliseconds, on a busy machine a few
    /// seconds.
    public static let longest: Duration = .seconds(60)
    /// Looks at a condition one after the other, before there are pauses between them.
    private static let immediateLooks = 32
    /// Longest pause between two looks: hundreds of tests wait at once on a few threads, and what
    /// they wait for must have a turn.
    private static let longestPause: Duration = .milliseconds(8)

    /// Lets other tasks run until a condition holds.
    ///
    /// Cancel: honoured between two looks at the condition.
    /// - Throws: `Unexpected` with what was waited for when `limit` has passed, or what `holds` throws.
    public static func until(
        _ what: String, within limit: Duration = longest, _ holds: () async throws -> Bool
    ) async throws {
        let end = ContinuousClock.now + limit
        var looks = 0
        var pause: Duration = .microseconds(250)
        while try await !holds() {
            try Task.checkCancellation()
            guard ContinuousClock.now < end else {
                throw Unexpected("waited \(limit) in vain until \(what)")
            }
            looks += 1
            if looks <= immediateLooks {
                await Task.yield()  // Bounded: by `immediateLooks`.
            } else {
                try await Task.sleep(for: pause)
                pause = min(pause * 2, longestPause)
            }
        }
    }

    /// Lets other tasks run until there is a value.
    ///
    /// Cancel: honoured between two looks.
    /// - Throws: as `until` does.
    public static func value<Value>(
        _ what: String, within limit: Duration = longest, _ find: () async throws -> Value?
    ) async throws -> Value {
        var found: Value?
        try await until("there is \(what)", within: limit) {
            found = try await find()
            return found != nil
        }
        guard let found else { throw Unexpected("there is no \(what)") }
        return found
    }
}
