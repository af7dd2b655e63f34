package import DeskModel
import DeskNet
package import DeskS3
import Foundation
import TestSupport

/// An S3 server that checks signatures; the shared one is started by the first test that needs it.
///
/// It ends with the process, whatever ends that. Each test has a prefix of its own in its bucket.
package actor S3Server {
    package static let shared = S3Server()
    /// The key that may do everything.
    package static let keyID = "frontdesk"
    /// Its secret.
    package static let secret = "the/secret+of-the.tests"

    /// The time limit of a start; a quiet machine needs 1 s.
    private static let longest: Duration = .seconds(60)

    private var starting: Task<Running, any Error>?

    /// A server that runs.
    package struct Running: Sendable {
        /// Where its files are.
        package let folder: String
        /// Its address.
        package let endpoint: String

        /// Has it fail in a way that it knows by a word; an empty one ends that.
        package func fail(_ word: String) throws {
            try word.write(toFile: folder + "/fault", atomically: true, encoding: .utf8)
        }

        /// The names of the objects below a prefix, without it.
        package func objects(below prefix: String) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder + "/objects")
                .compactMap { $0.removingPercentEncoding }
                .filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
        }

        /// Removes an object behind its owner's back.
        package func lose(_ name: String, below prefix: String) throws {
            let file = "\(prefix)\(name)".replacingOccurrences(of: "/", with: "%2F")
            try FileManager.default.removeItem(atPath: "\(folder)/objects/\(file)")
        }

        /// The requests so far, a line each: method, path, status.
        package func requests() -> [String] {
            let bytes = TestFiles.bytes(at: folder + "/requests") ?? []
            return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        }

        /// A prefix of the bucket, as a store.
        package func store(
            _ prefix: String, keyID: String = S3Server.keyID, secret: String = S3Server.secret,
            bucket: String = "attachments", region: String? = nil, time: TimeSource = .system,
            report: @escaping @Sendable (S3Fault?) -> Void = { _ in }
        ) throws -> S3ObjectStore {
            guard let credentials = S3Credentials(keyID: keyID, secret: secret) else {
                throw Unexpected("no key")
            }
            return S3ObjectStore(
                try S3Location("s3://\(bucket)/\(prefix)", endpoint: endpoint, region: region),
                credentials, client: CurlClient(reach: .anywhere), time: time, report: report)
        }
    }

    /// The shared server.
    package func running() async throws -> Running {
        let task = starting ?? Task { try await Self.start() }
        starting = task
        return try await task.value
    }

    /// A server for a test that has it fail.
    package static func startAnother() async throws -> Running { try await start() }

    private static func start() async throws -> Running {
        let folder = NSTemporaryDirectory() + "/s3-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let root = TestFiles.root
        // Safe: never closed, so that the server's standard input ends with this process.
        let command =
            "exec setsid \(root)/.venv/bin/python \(root)/Tests/support/s3-server \(folder) 2>\(folder)/log"
        guard unsafe popen(command, "we") != nil else {
            throw Unexpected("a shell cannot be started: \(errno)")
        }
        let end = ContinuousClock.now + longest
        while true {
            if let port = TestFiles.bytes(at: folder + "/port") {
                let text = String(decoding: port, as: UTF8.self)
                return Running(folder: folder, endpoint: "http://127.0.0.1:\(text)")
            }
            guard ContinuousClock.now < end else {
                let log = TestFiles.bytes(at: folder + "/log") ?? []
                throw Unexpected(
                    "no S3 server after \(longest): \(String(decoding: log, as: UTF8.self))")
            }
            try await Task.sleep(for: .milliseconds(20))  // Bounded: by `end`.
        }
    }
}
