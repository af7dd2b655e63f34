import DeskLog
import DeskStore
import DeskStorePostgres
import Synchronization
import Testing

@testable import frontdesk

/// What a running server says of a database that it cannot use.
@Suite struct DatabaseFailureTests {
    private static func line(_ detail: String) throws -> String {
        let sink = MemorySink()
        let report = NoticesReport(log: Log(to: sink), metrics: Metrics())
        report.note(.disconnected(StoreError(.unavailable, detail)))
        let line = try #require(sink.lines.first)
        #expect(line.contains("database_notices_lost"), "\(line)")
        return line
    }

    @Test(arguments: [
        (
            "connection to server at 10.0.0.1, port 5432 failed: Connection refused",
            "listen_addresses"
        ),
        ("FATAL:  sorry, too many clients already", "max_connections"),
        ("FATAL:  password authentication failed for user desk", "PGPASSFILE"),
        ("FATAL:  role \"desk\" is not permitted to log in", "ALTER ROLE"),
        ("postgres 25006", "default_transaction_read_only"),
        ("postgres 42501", "GRANT ALL"),
        ("postgres 42P01", "search path"),
    ])
    func `a running server that loses its notices logs what to do`(
        detail: String, remedy: String
    ) throws {
        let line = try Self.line("postgres: \(detail)")
        #expect(line.contains(remedy), "\(line)")
    }

    @Test func `a loss that repeats itself each second is logged once a minute`() {
        let sink = MemorySink()
        let passed = Mutex(Duration.zero)
        let begin = ContinuousClock.now
        let report = NoticesReport(
            log: Log(to: sink), metrics: Metrics(),
            now: { begin.advanced(by: passed.withLock { $0 }) })
        func lose(_ detail: String) { report.note(.disconnected(StoreError(.unavailable, detail))) }
        for second in 0..<60 {
            passed.withLock { $0 = .seconds(second) }
            lose("postgres 42P01")
        }
        #expect(sink.lines.count == 1)
        passed.withLock { $0 = .seconds(60) }
        lose("postgres 42P01")
        #expect(sink.lines.count == 2)
        // Another reason, and a loss after the connection was there, are news.
        lose("postgres 25006")
        report.note(.connected)
        lose("postgres 25006")
        #expect(sink.lines.count == 5)
    }

    @Test func `a failure without a known remedy is logged with its reason alone`() throws {
        let line = try Self.line("postgres connection lost")
        #expect(line.contains("postgres connection lost"), "\(line)")
        #expect(!line.contains("hint"), "\(line)")
    }
}
