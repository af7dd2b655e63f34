import CPostgres
import DeskStore

extension PostgresConnection {
    /// Loads libpq when nothing has yet, and refuses an address that it does not read; nothing is connected to.
    static func require(address: String, library: String) throws(StoreError) {
        try load(library)
        guard unsafe frontdesk_pq_can_read(address) != 0 else {
            throw StoreError(
                .failed,
                "the database's address is no connection string or URI of PostgreSQL's; "
                    + "in a URI, write @ : / ? # of a password as %40 %3A %2F %3F %23")
        }
    }

    private static func load(_ library: String) throws(StoreError) {
        var fault = [CChar](repeating: 0, count: 512)
        guard unsafe frontdesk_pq_load(library, &fault, fault.count) != 0 else { return }
        let bytes = fault.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        throw StoreError(
            .failed,
            "no database: \(String(decoding: bytes, as: UTF8.self)); apt-get install libpq5")
    }
}
