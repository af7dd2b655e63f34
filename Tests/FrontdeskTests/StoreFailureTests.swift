import DeskStore
import Testing

@testable import frontdesk

/// What a command says of a store that it cannot use.
struct StoreFailureTests {
    private static let rows: [(error: StoreError, words: String, hint: String)] = [
        (
            StoreError(.damaged, "sqlite 26"), "is no database (SQLite's code 26)",
            "restore a backup"
        ),
        (StoreError(.damaged, "sqlite 11"), "is damaged (SQLite's code 11)", "frontdesk verify"),
        (StoreError(.damaged, "sqlite 779"), "is damaged (SQLite's code 779)", "frontdesk verify"),
        (StoreError(.failed, "sqlite 266"), "failed to read or write", "look at the disk"),
        (StoreError(.failed, "sqlite 14"), "cannot be opened", "the user whose server it is"),
        (StoreError(.refused, "sqlite 1"), "has not the tables of a store", "another directory"),
        (
            StoreError(.failed, "lock: Permission denied"), "lock: Permission denied",
            "the user whose server it is"
        ),
        (StoreError(.tooNew, "schema 9999, known 38"), "newer version", "run that version"),
    ]

    @Test(arguments: rows)
    func `a store that cannot be opened is said in words, with what to do`(
        error: StoreError, words: String, hint: String
    ) throws {
        let failure = StoreFailure.opening(error, "/data")
        #expect(failure.message.contains("the data in /data"))
        #expect(failure.message.contains(words), "\(failure.message)")
        #expect(!failure.message.contains("StoreError"), "\(failure.message)")
        #expect(try #require(failure.hint).contains(hint))
    }

    @Test(arguments: [
        (StoreError(.refused, "postgres 42P07"), "SQLSTATE 42P07"),
        (StoreError(.unavailable, "postgres connection lost"), "connection lost to the database"),
        (StoreError(.unavailable, "postgres: Connection refused"), "Connection refused"),
        (StoreError(.closed), "it was closed"), (StoreError(.failed, "other"), "other"),
    ])
    func `a failure of any kind has words`(error: StoreError, words: String) {
        #expect(StoreFailure.words(error).contains(words))
    }

    @Test func `a server's answer has what to do on a line of its own`() {
        let error = StoreError(.unavailable, "postgres: connection failed: Connection refused")
        let lines = StoreFailure.sentence(error).split(separator: "\n")
        #expect(lines.first == "connection failed: Connection refused" && lines.count == 2)
        #expect(StoreFailure.sentence(StoreError(.failed, "other")) == "other")
    }

    @Test func `a failure in a line of the log has its code and no name of a type`() {
        #expect("\(StoreError(.unavailable, "postgres 42P01"))" == "unavailable: postgres 42P01")
        #expect("\(StoreError(.closed))" == "closed")
    }
}
