import DeskLog
import DeskModel
import DeskStore
import DeskStorePostgres
import DeskStoreSQLite
import PostgresSupport
import TestSupport
import Testing

/// What the store on PostgreSQL counts: the same as the one on SQLite.
@Suite struct PostgresMetricsTests {
    private static func value(_ name: String, in metrics: Metrics) -> Double? {
        metrics.text().split(separator: "\n").first { $0.hasPrefix("\(name) ") }
            .flatMap { Double($0.dropFirst(name.count + 1)) }
    }

    /// Names, help and kinds, and the series of each without their values.
    private static func shape(of metrics: Metrics) -> [Substring] {
        metrics.text().split(separator: "\n").map { line in
            line.hasPrefix("#") ? line : line.prefix { $0 != " " }
        }
    }

    @Test func `commits are counted before they are answered, with what arrived together as one`()
        async throws
    {
        try await PostgresSchema.with { address in
            let metrics = Metrics()
            let store = try await PostgresStore(
                PostgresRegistries.Options(address: address, keys: .random()),
                newEpoch: Epoch(0xE), metrics: metrics)
            try await store.begin(conversation(1))
            let before = Self.value("frontdesk_commit_jobs_count", in: metrics) ?? 0
            #expect(before > 0)
            _ = try await store.accept(submission("alone", to: conversation(1)))
            #expect(Self.value("frontdesk_commit_jobs_count", in: metrics) == before + 1)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<400 {
                    group.addTask {
                        _ = try await store.accept(submission("m\(number)", to: conversation(1)))
                    }
                }
                try await group.waitForAll()
            }
            let commits = Self.value("frontdesk_commit_jobs_count", in: metrics) ?? 0
            // One each would be 400.
            #expect(commits - before - 1 < 200)
            #expect(Self.value("frontdesk_commit_jobs_sum", in: metrics) ?? 0 >= 402)
            #expect(Self.value("frontdesk_commit_seconds_count", in: metrics) == commits)
            #expect(Self.value("frontdesk_commit_seconds_sum", in: metrics) ?? 0 > 0)
            #expect(
                Self.value("frontdesk_log_position", in: metrics) == Double(store.newest.value))
            await store.close()
        }
    }

    @Test func `both stores show the same metrics`() async throws {
        var options = SQLiteStore.Options()
        options.metrics = Metrics()
        let file = try SQLiteStore(inMemory: Epoch(0xE), options: options)
        await file.close()
        let metrics = Metrics()
        try await PostgresSchema.with { address in
            let store = try await PostgresStore(
                PostgresRegistries.Options(address: address, keys: .random()),
                newEpoch: Epoch(0xE), metrics: metrics)
            await store.close()
        }
        #expect(Self.shape(of: metrics) == Self.shape(of: options.metrics))
        #expect(Self.shape(of: metrics).contains(#"frontdesk_queue_jobs{queue="writer"}"#))
    }
}
