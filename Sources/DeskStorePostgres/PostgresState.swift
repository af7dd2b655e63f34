import DeskStore

/// Turns PostgreSQL's codes (SQLSTATE, appendix A of its manual) into the store's.
enum PostgresState {
    /// Whether a transaction failed for another one's sake: run again it may succeed.
    static func isConflict(_ state: String?) -> Bool { state == "40001" || state == "40P01" }

    /// Whether a row was not added because another has its unique key.
    static func isDuplicate(_ state: String?) -> Bool { state == "23505" }

    /// What is said of a text that the server cannot hold (22021).
    static let noText = "postgres 22021"

    /// The code for what a role may not do.
    static let noRights = "42501"

    /// The code of a standby, and of a session that only reads, for a write.
    static let onlyReads = "25006"

    /// What a server answers to a role without rights on a table, and where tables or their schema are not there.
    private static let notNow = [noRights, "42P01", "3F000"]

    /// Whether the server has refused a statement for now: nothing of its transaction is stored.
    static func hasRefused(_ error: StoreError) -> Bool {
        error.code == .unavailable
            && (notNow + [onlyReads]).contains { error.detail == "postgres \($0)" }
    }

    /// Whether it has refused it for what the statement is about, and not every write.
    static func hasRefusedOne(_ error: StoreError) -> Bool {
        hasRefused(error) && error.detail != "postgres \(onlyReads)"
    }

    /// The failure that a code means; nil is what libpq has when the connection is gone.
    static func error(_ state: String?, isConnected: Bool) -> StoreError {
        guard let state, isConnected else {
            return StoreError(.unavailable, "postgres \(state ?? "connection lost")")
        }
        let detail = "postgres \(state)"
        // A server that ends or starts, and one that only reads because it is a standby.
        if ["57P01", "57P02", "57P03", "53300", onlyReads].contains(state) {
            return StoreError(.unavailable, detail)
        }
        // No fault of who asks: an operator has revoked rights, or moved the tables. They may come back.
        if notNow.contains(state) { return StoreError(.unavailable, detail) }
        if state == "53100" { return StoreError(.full, detail) }
        return switch state.prefix(2) {
        case "08": StoreError(.unavailable, detail)
        case "22", "23", "42", "54": StoreError(.refused, detail)
        case "40", "53", "55", "57": StoreError(.busy, detail)
        case "XX": StoreError(state == "XX000" ? .failed : .damaged, detail)
        default: StoreError(.failed, detail)
        }
    }
}
