import DeskModel
import DeskSQL
import DeskStore

/// Opens what is encrypted in a database.
enum EncryptedStore {
    /// Finds the keys for a database, and encrypts with the current one what is plain or older.
    ///
    /// - Throws: `keyMissing`, `refused`; nothing is changed then.
    static func open(
        _ connection: Connection, with source: EncryptionKeySource
    ) throws(StoreError) -> EncryptionKeys {
        let keys = try source.keys(needed: Secrets.count(on: connection.sql).keys)
        guard try Secrets.isWorkDue(keys, on: connection.sql) else { return keys }
        // The bytes of what is replaced are overwritten in their pages; Debian's SQLite does it unasked.
        try connection.execute("PRAGMA secure_delete = ON; BEGIN IMMEDIATE")
        do throws(StoreError) {
            try Secrets.encryptAll(keys, on: connection.sql)
            try connection.execute("COMMIT")
        } catch {
            if connection.isInTransaction { try connection.execute("ROLLBACK") }
            throw error
        }
        // What was plain is in no page of the write-ahead log either.
        _ = try connection.checkpoint(.empty)
        return keys
    }

    /// Gives up what other keys than these encrypt; returned are the links that need a new secret.
    static func forgetSecrets(
        on connection: Connection, but keys: EncryptionKeys
    ) throws(StoreError) -> [GatewayLinkID] {
        try connection.execute("BEGIN IMMEDIATE")
        do throws(StoreError) {
            let links = try Secrets.forgetAll(but: keys, on: connection.sql)
            try connection.execute("COMMIT")
            return links
        } catch {
            if connection.isInTransaction { try connection.execute("ROLLBACK") }
            throw error
        }
    }
}
