import DeskCommandLine
import DeskStore

extension Parsed {
    /// The flags that say where a store is and what opens it; a running server has its own.
    static let storeFlags = Catalogue.anyStore.map(\.name)

    /// Where the keys come from that encrypt secrets; nil means the file in the data directory.
    func encryptionKeys() throws(UsageError) -> EncryptionKeySource? {
        let given = values["encryption-key"] ?? []
        let path = self["encryption-key-file"]
        guard given.isEmpty || path == nil else {
            throw UsageError(
                "--encryption-key and --encryption-key-file both name keys; give one of them")
        }
        if let path { return .file(EncryptionKeyFile(path: path)) }
        guard !given.isEmpty else { return nil }
        do throws(StoreError) {
            return try EncryptionKeySource(given: given)
        } catch {
            throw UsageError(error.detail, hint: "openssl rand -base64 32 makes one")
        }
    }

    /// The database that has the data, or is to have it; nil means the data directory alone.
    func databaseAddress() throws(UsageError) -> DatabaseAddress? {
        let target = self["to"].flatMap { DatabaseAddress.isDatabase($0) ? $0 : nil }
        guard let given = self["database"] ?? target else {
            guard self["database-password-file"] == nil else {
                throw UsageError("--database-password-file is given without --database")
            }
            return nil
        }
        let address = DatabaseAddress(given)
        guard address.password == nil || self["database-password-file"] == nil else {
            throw UsageError(
                "the database's address has a password, and --database-password-file names another one"
            )
        }
        return address
    }

    /// Gives libpq the password that the command line names, and warns of one in the address itself.
    ///
    /// Thread: before any other begins.
    func useDatabasePassword() throws(UsageError) {
        let database = try databaseAddress()
        try database?.usePassword(orOf: self["database-password-file"])
        guard database?.written != nil else { return }
        Output.note(
            "warning: the database's address has a password, which others may have seen; put it into a file "
                + "and name that with --database-password-file or PGPASSFILE")
    }
}
