import DeskLog
import DeskModel
import DeskSQL
import DeskStore
import PostgresSupport
import Synchronization
import TestSupport
import Testing

@testable import DeskStorePostgres

/// What an operator learns of a database that others use as well.
@Suite struct PostgresWatchTests {
    /// A watched database on a server of its own: others would hold snapshots there, too.
    private struct Watched {
        let options: PostgresRegistries.Options
        let store: PostgresStore
        let lines = MemorySink()
        let metrics = Metrics()

        /// Another client of the server.
        func client() throws -> PostgresConnection {
            try PostgresConnection(address: options.address, library: options.library)
        }

        /// Waits for a line of the log.
        func waitForLine(_ event: String) async throws -> String {
            try await Wait.value("the log has \(event)") {
                lines.lines.first { $0.contains("event=\(event)") }
            }
        }

        /// Waits until an alarm has ended.
        func waitForEnd(of alarm: String) async throws {
            try await Wait.until("\(alarm) has ended") {
                lines.lines.contains { $0.contains("database_alarm_ended alarm=\(alarm)") }
            }
        }

        func value(_ name: String) -> Int? {
            metrics.text().split(separator: "\n").first { $0.hasPrefix("\(name) ") }
                .flatMap { Int($0.dropFirst(name.count + 1)) }
        }
    }

    private static func watching(
        role: String? = nil, _ body: (Watched) async throws -> Void
    ) async throws {
        let address = try await PostgresServer.startAnother()
        var options = PostgresRegistries.Options(address: address, keys: .random())
        if let role {
            let owner = try PostgresConnection(address: address, library: options.library)
            try owner.execute(
                "CREATE ROLE \(role) LOGIN; CREATE SCHEMA \(role) AUTHORIZATION \(role)")
            options.address = address.replacing("user=frontdesk", with: "user=\(role)")
        }
        let store = try await PostgresStore(options, newEpoch: Epoch(1))
        let watched = Watched(options: options, store: store)
        var bounds = DatabaseAlarms.Bounds()
        bounds.snapshot = .milliseconds(300)
        bounds.idle = .milliseconds(300)
        let watch = DatabaseWatch(
            of: store, log: Log(to: watched.lines), metrics: watched.metrics, bounds: bounds,
            interval: .milliseconds(50))
        let running = Task { await watch.run() }
        let result: Result<Void, any Error>
        do { result = .success(try await body(watched)) } catch { result = .failure(error) }
        running.cancel()
        await running.value
        await store.close()
        try result.get()
    }

    @Test func `a snapshot that is held open is an alarm, and its end ends it`() async throws {
        try await Self.watching { watched in
            let other = try watched.client()
            try other.execute("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1 FROM pg_class")
            let number = try other.statement(literal: "SELECT pg_backend_pid()")
                .first { $0.integer() }
            let process = try #require(number)
            let snapshot = try await watched.waitForLine("database_snapshot_old")
            #expect(snapshot.contains("level=warning"))
            #expect(snapshot.contains("kind=connection name=\(process) "))
            let idle = try await watched.waitForLine("database_transaction_idle")
            #expect(idle.contains("process=\(process) "))
            try await Wait.until("the metrics have its age") {
                (watched.value("frontdesk_database_oldest_snapshot_seconds") ?? 0) >= 1
                    && (watched.value("frontdesk_database_idle_transaction_seconds") ?? 0) >= 1
            }
            try other.execute("COMMIT")
            try await watched.waitForEnd(of: "database_snapshot_old")
            try await watched.waitForEnd(of: "database_transaction_idle")
            try await Wait.until("the metrics have none") {
                watched.value("frontdesk_database_oldest_snapshot_seconds") == 0
                    && watched.value("frontdesk_database_idle_transaction_seconds") == 0
            }
        }
    }

    @Test func `a standby that commits wait for and that is not there is an alarm`() async throws {
        try await Self.watching { watched in
            let other = try watched.client()
            try other.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
            try other.execute("SELECT pg_reload_conf()")
            // No commit returns meanwhile: what sees it must not need one.
            #expect(
                try await watched.waitForLine("database_standby_missing").contains("level=error"))
            #expect(watched.value("frontdesk_database_synchronous_standbys") == 0)
            try await Wait.until("the metrics have it") {
                watched.value("frontdesk_database_standby_missing") == 1
            }
            try other.execute("ALTER SYSTEM RESET synchronous_standby_names")
            try other.execute("SELECT pg_reload_conf()")
            try await watched.waitForEnd(of: "database_standby_missing")
        }
    }

    @Test func `a server that came to lose what it has in a power cut is an alarm`() async throws {
        // The tests' server runs with both settings off, which a start of the program refuses.
        try await Self.watching { watched in
            let line = try await watched.waitForLine("database_settings_unsafe")
            #expect(line.contains("level=error") && line.contains("fsync,full_page_writes"))
            try await Wait.until("the metrics have it") {
                watched.value("frontdesk_database_settings_unsafe") == 1
            }
        }
    }

    @Test func `a role that does not see the others says so, and misses no standby`() async throws {
        try await Self.watching(role: "guest") { watched in
            _ = try await watched.waitForLine("database_statistics_hidden")
            let owner = try PostgresConnection(
                address: watched.options.address.replacing("user=guest", with: "user=frontdesk"),
                library: watched.options.library)
            try owner.execute("GRANT pg_monitor TO guest")
            try await watched.waitForEnd(of: "database_statistics_hidden")
            #expect(!watched.lines.lines.contains { $0.contains("standby_missing") })
        }
    }

    @Test func `a lease that was not released is counted when another holder gets it`()
        async throws
    {
        try await PostgresSchema.with { address in
            let takeovers = Takeovers()
            var options = PostgresRegistries.Options(address: address, keys: .random())
            options.leases = { takeovers.note($0) }
            let store = try await PostgresStore(options, newEpoch: Epoch(1))
            let first = try await store.acquireLease("a", life: .seconds(60))
            try await store.releaseLease(try #require(first))
            let second = try await store.acquireLease("a", life: .zero)
            #expect(second != nil && takeovers.count == 0)
            #expect(try await store.acquireLease("a", life: .zero) != nil)
            #expect(takeovers.count == 1)
            await store.close()
        }
    }
}

/// Counts the takeovers among what happens.
private final class Takeovers: Sendable {
    private let seen = Mutex(0)
    var count: Int { seen.withLock(\.self) }

    func note(_ occurrence: LeaseOccurrence) {
        if case .takenOver = occurrence { seen.withLock { $0 += 1 } }
    }
}
