import Foundation
import TestSupport

/// The one PostgreSQL of this test process; the first test that needs it starts it.
///
/// A test that cannot have it fails with the reason. It ends with the process, whatever ends that.
package actor PostgresServer {
    package static let shared = PostgresServer()

    /// The time limit of a start; a quiet machine needs 3 s.
    private static let longest: Duration = .seconds(150)

    private var starting: Task<String, any Error>?

    /// The connection string of a database in which every test makes a schema of its own.
    package func address() async throws -> String {
        let task = starting ?? Task { try await Self.start() }
        starting = task
        return try await task.value
    }

    /// Starts a server beside it, for a test that changes how a server works; it ends with the process, too.
    package static func startAnother() async throws -> String { try await start() }

    private static func start() async throws -> String {
        // Short: the path of a Unix socket has 107 bytes at most.
        let folder = NSTemporaryDirectory() + "/pg-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // Safe: never closed, so that the script's standard input ends with this process.
        let command = "exec setsid \(TestFiles.root)/Tests/support/postgres-server \(folder)"
        guard unsafe popen(command, "we") != nil else {
            throw Unexpected("a shell cannot be started: \(errno)")
        }
        let end = ContinuousClock.now + longest
        while !FileManager.default.fileExists(atPath: folder + "/ready") {
            if let why = TestFiles.bytes(at: folder + "/failed") {
                throw Unexpected("no PostgreSQL: \(String(decoding: why, as: UTF8.self))")
            }
            guard ContinuousClock.now < end else {
                let log = TestFiles.bytes(at: folder + "/log") ?? []
                throw Unexpected(
                    "no PostgreSQL after \(longest): \(String(decoding: log, as: UTF8.self))")
            }
            try await Task.sleep(for: .milliseconds(20))  // Bounded: by `end`.
        }
        return "host=\(folder) user=frontdesk dbname=postgres"
    }
}
