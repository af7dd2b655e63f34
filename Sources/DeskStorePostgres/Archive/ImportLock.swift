import DeskSQL
import DeskStore

/// What says that an archive is imported into a schema: a lock of the transaction that does it.
///
/// It ends with that transaction, whatever ends it, and so does everything that was imported.
enum ImportLock {
    // Without a schema, which is found out later with a sentence of its own, there is no import either.
    private static let name =
        "(hashtext('frontdesk import'), hashtext(coalesce(current_schema(), '')))"

    /// Acquires it for the transaction that imports.
    ///
    /// - Throws: `refused` when another holds it.
    static func acquire(on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement("SELECT pg_try_advisory_xact_lock\(name)")
        guard try statement.first({ $0.bool() }) == true else { throw isHeld }
    }

    /// Refuses to use a database into which an archive is imported.
    static func requireFree(at address: String) async throws(StoreError) {
        let registries = PostgresRegistries(.init(address: address, keys: .random()))
        let answer: Result<Bool, StoreError>
        do throws(StoreError) {
            answer = .success(
                try await registries.prepare { connection throws(StoreError) in
                    let statement = try connection.statement(
                        "SELECT pg_try_advisory_xact_lock_shared\(name)")
                    return try statement.first { $0.bool() } ?? false
                })
        } catch {
            answer = .failure(error)
        }
        await registries.close()
        guard try answer.get() else { throw isHeld }
    }

    private static let isHeld = StoreError(
        .refused,
        "the database cannot be used: an import into it is under way; "
            + "wait until it has ended, or end it, which leaves nothing behind")
}
