import DeskStore
import Testing

@testable import DeskStoreSQLite

/// What the care of the write-ahead log promises.
@Suite struct LogCareTests {
    @Test func `the log begins anew while writing goes on`() async throws {
        try await withScratch { directory in
            let path = directory + "/a.sqlite"
            let connection = try Connection(path: path, mayWrite: true)
            try connection.execute(
                "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; CREATE TABLE t (x)")
            let pool = try ConnectionPool(path: path, for: .checkpoints, threads: 1, limit: 1)
            var log = LogCare(of: connection, on: pool)
            var before = 0
            var beginnings = 0
            var largest = 0
            // Past the bound the writer does it alone, so this ends however slow the thread is.
            while beginnings < 3 {
                try connection.execute("INSERT INTO t VALUES (zeroblob(65536))")
                let pages = connection.logPages
                if pages < before { beginnings += 1 }
                before = pages
                largest = max(largest, pages)
                try #require(pages < LogCare.maximumPages + LogCare.beginPages)
                try log.look()
            }
            #expect(largest >= LogCare.beginPages)
            await pool.close()
        }
    }

    @Test func `a reader that stays does not lose what it reads`() async throws {
        try await withScratch { directory in
            let path = directory + "/a.sqlite"
            let connection = try Connection(path: path, mayWrite: true)
            try connection.execute(
                "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; CREATE TABLE t (x)")
            let pool = try ConnectionPool(path: path, for: .checkpoints, threads: 1, limit: 1)
            var log = LogCare(of: connection, on: pool)
            let reader = try Connection(path: path, mayWrite: false)
            let count = try reader.prepare("SELECT count(*) FROM t")
            try reader.execute("BEGIN")
            #expect(try count.first { $0.integer() } == 0)
            for _ in 0..<100 {
                try connection.execute("INSERT INTO t VALUES (zeroblob(65536))")
                try log.look()
            }
            #expect(connection.logPages > LogCare.beginPages)
            #expect(try count.first { $0.integer() } == 0)
            try reader.execute("COMMIT")
            #expect(try count.first { $0.integer() } == 100)
            await pool.close()
        }
    }
}
