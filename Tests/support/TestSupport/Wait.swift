/// Waits of tests: each has an end, and one that ends in vain fails its test and says what for.
public enum Wait {
    /// Longest time for one condition; what works needs milliseconds, on a busy machine a few
    /// seconds.
    public static let longest: Duration = .seconds(60)

    /// Lets other tasks run until a condition holds.
    ///
    /// Cancel: honoured between two looks at the condition.
    /// - Throws: `Unexpected` with what was waited for when `limit` has passed, or what `holds` throws.
    public static func until(
        _ what: String, within limit: Duration = longest, _ holds: () async throws -> Bool
    ) async throws {
        let end = ContinuousClock.now + limit
        while try await !holds() {
            try Task.checkCancellation()
            guard ContinuousClock.now < end else {
                throw Unexpected("waited \(limit) in vain until \(what)")
            }
            await Task.yield()  // Bounded: by `end`.
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
