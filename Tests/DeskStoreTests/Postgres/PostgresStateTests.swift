import DeskStore
import Testing

@testable import DeskStorePostgres

/// What the server's codes mean to those who ask.
@Suite struct PostgresStateTests {
    // 400 would have a sender give its message up.
    @Test(arguments: ["42501", "42P01", "3F000", "25006", "57P03", "53300"])
    func `what an operator may undo is waited for, and no fault of who asks`(state: String) {
        #expect(
            PostgresState.error(state, isConnected: true)
                == StoreError(.unavailable, "postgres \(state)"))
    }

    @Test(arguments: ["22021", "23514", "42601", "54000"])
    func `what the server cannot store is refused`(state: String) {
        #expect(PostgresState.error(state, isConnected: true).code == .refused)
    }

    @Test func `a server that only reads is not reachable until it is written again`() {
        let health = PostgresHealth()
        #expect(health.isReachable)
        health.noteReadOnly(true)
        #expect(!health.isReachable)
        health.noteAnswer()
        health.noteReadOnly(false)
        #expect(health.isReachable)
    }
}
