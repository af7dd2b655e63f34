import CPostgres
import DeskCrypto
package import DeskModel
import DeskSQL
public import DeskStore

/// Makes the store of a database of what an archive has, in one transaction, where there are no tables yet.
///
/// Things come in the order of `ArchiveItem`. Nothing is in place before `finish`, and after `abandon`, or when
/// the process ends, nothing is left. Thread: blocks the caller's, one at a time.
public final class PostgresImport: ArchiveTarget {
    private let connection: PostgresConnection
    private let rows: ImportedRows
    private var file: IncomingBlob?

    /// Checks the database and begins a store with a life of its own; `keys` encrypt its secrets.
    ///
    /// Servers of tests need not be durable.
    /// - Throws: `refused` when the database has data or cannot keep what is promised, `unavailable`.
    package init(
        _ head: ArchiveHead, into address: String, keys: EncryptionKeys, newEpoch: Epoch,
        mustBeDurable: Bool = true
    ) throws(StoreError) {
        connection = try PostgresConnection(address: address, library: FRONTDESK_PQ_LIBRARY)
        try connection.execute(PostgresSettings.ofArchive)
        try connection.begin("BEGIN")
        try ImportLock.acquire(on: connection)
        try DatabaseCheck(connection: connection, mustBeDurable: mustBeDurable).run()
        try Self.requireEmpty(connection)
        try PostgresTables.make(on: connection)
        let session = PostgresLogSession(
            on: connection, in: newEpoch, recorder: RegistryRecorder(memory: nil, time: .system))
        rows = try ImportedRows(head, newEpoch: newEpoch, by: session) { secret, label in
            keys.encrypt(secret, as: label)
        }
    }

    /// Whether a database has tables of ours.
    ///
    /// - Throws: `unavailable` when it cannot be reached, `failed`.
    public static func hasStore(at address: String) throws(StoreError) -> Bool {
        let connection = try PostgresConnection(address: address, library: FRONTDESK_PQ_LIBRARY)
        let table = try connection.statement(
            literal: "SELECT to_regclass('schema_version') IS NOT NULL")
        return try table.first { $0.bool() } ?? false
    }

    private static func requireEmpty(_ sql: any SQLSession) throws(StoreError) {
        let table = try sql.statement(
            literal: "SELECT to_regclass('schema_version') IS NOT NULL, current_schema()")
        let found = try table.first { ($0.bool(), $0.text()) }
        guard let (isThere, schema) = found, isThere else { return }
        throw StoreError(
            .refused, "the database is not empty: the schema \(schema) has data of Frontdesk's")
    }

    /// Imports the next item.
    ///
    /// - Throws: `refused` with a sentence when it cannot follow what came before.
    public func take(_ item: ArchiveItem) throws(StoreError) {
        if case .piece(let bytes) = item {
            guard let file else {
                throw StoreError(.refused, "bytes come without their attachment")
            }
            return try file.take(bytes)
        }
        try sayingWhy { () throws(StoreError) in
            try endFile()
            if case .attachment(let blob) = item {
                file = try IncomingBlob(blob, on: connection)
            } else {
                try rows.take(item)
            }
        }
    }

    /// Reads the store through and commits it.
    ///
    /// Durable: on return.
    /// - Throws: `damaged` when what came does not belong together, `unknown` when the connection broke while
    ///   it was committed.
    public func finish() throws(StoreError) -> StoreVerification {
        try sayingWhy { () throws(StoreError) in
            try endFile()
            _ = try rows.finish()
            try connection.readAhead()
        }
        try connection.execute(Self.numbers + Self.statistics)
        let found = try verify()
        guard found.isClean else {
            let first = found.damage.first.map(\.description) ?? ""
            throw StoreError(.damaged, "\(found.counts.damaged) findings, first: \(first)")
        }
        do throws(StoreError) {
            // A standby that confirms commits has all of it to write, and who imports waits for it.
            try connection.commit(isPatient: true)
        } catch {
            guard error.code == .unavailable else { throw error }
            throw StoreError(
                .unknown,
                "the connection broke while all of it was committed; frontdesk verify says whether it is there"
            )
        }
        return found
    }

    /// Undoes everything.
    public func abandon() {
        // Safe: without the connection the server undoes it by itself.
        try? connection.rollBack()
    }

    // MARK: The end

    /// Notes came with their numbers; the next ones go on behind them.
    private static let numbers = """
        SELECT setval(pg_get_serial_sequence('notes', 'number'), max(number)) FROM notes \
        HAVING max(number) IS NOT NULL;
        """

    /// What the server has to know of the rows, so that it reads them by their keys.
    private static let statistics = "ANALYZE \(LogSchema.tables.joined(separator: ", "))"

    private func verify() throws(StoreError) -> StoreVerification {
        try connection.execute(PostgresSettings.ofInspection)
        var inspection = Inspection(of: .postgreSQL, isStill: true)
        var damage: [Damage] = []
        while !inspection.isDone {
            try inspection.step(on: connection)
            while let file = inspection.nextFile() {
                inspection.add(try BlobRows.check(file.id, on: connection), of: file)
            }
            let room = StoreVerification.maximumFindings - damage.count
            damage += inspection.found.prefix(max(0, room))
        }
        var found = StoreVerification(
            counts: inspection.counts, damage: damage, isStill: inspection.isStill)
        found.secrets = try Secrets.count(on: connection)
        return found
    }

    private func endFile() throws(StoreError) {
        guard let ended = file else { return }
        file = nil
        try ended.finish()
    }

    /// Rows are sent ahead, so what the server refuses is found some lines later.
    private func sayingWhy(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        do throws(StoreError) {
            try body()
        } catch {
            let fault: String
            if connection.hasDuplicate {
                fault = "contradicts an earlier line, or is there twice"
            } else if error.code == .refused, error.detail == PostgresState.noText {
                fault = "has a text with the character U+0000, which PostgreSQL does not store"
            } else {
                throw error
            }
            throw StoreError(
                .refused,
                "it, or one of the \(PostgresConnection.mostSent) lines before it, \(fault)")
        }
    }
}
