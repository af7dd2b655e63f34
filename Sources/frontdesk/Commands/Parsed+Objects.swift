import DeskCommandLine
import DeskNet
import DeskS3
import DeskStorePostgres

extension Parsed {
    /// The attachments of a database that lie in a bucket, as a command reads or writes them; nil where none is named.
    ///
    /// `database` is its address where that is not the flag's value.
    /// - Throws: what is wrong with the flags, the key or the bucket.
    func objects(
        spool: String, database: String? = nil
    ) async throws -> PostgresBlobs.Objects? {
        guard let location = try blobsLocation(of: database ?? self["database"]) else { return nil }
        // The operator names it.
        let bucket = try await location.open(client: CurlClient(reach: .anywhere))
        return PostgresBlobs.Objects(in: bucket, spool: spool)
    }
}
