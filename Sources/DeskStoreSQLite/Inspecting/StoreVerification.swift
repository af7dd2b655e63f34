import DeskModel
import DeskSQL
public import DeskStore
import Glibc

extension StoreVerification {
    /// Reads everything; a server may run on the directory meanwhile.
    ///
    /// Thread: blocks the caller's. Nothing of the data is changed.
    /// - Throws: `failed` when files cannot be read at all, `tooNew` for another schema.
    public init(reading directory: String) throws(StoreError) {
        try self.init(reading: directory, comparesNote: true, isAlone: false)
    }

    /// - Parameters:
    ///   - comparesNote: whether the database of a backup is compared with what its note says.
    ///   - isAlone: whether the caller keeps servers from the directory, as this does by itself otherwise.
    init(
        reading directory: String, comparesNote: Bool = true, isAlone: Bool
    ) throws(StoreError) {
        let path = SQLiteStore.file(in: directory)
        guard unsafe access(path, R_OK) == 0 else {
            throw StoreError(.failed, "\(path): \(SystemWords.text(errno))")
        }
        let isBackup = BackupNote.exists(in: directory)
        let lock = try isBackup || isAlone ? nil : Self.lock(directory)
        defer { lock?.release() }
        let isStill = isBackup || isAlone || lock != nil
        var counts = InspectionCounts()
        var damage: [Damage] = []
        var secrets: [EncryptionKeyID: Int] = [:]
        if isBackup, comparesNote, let found = try Self.difference(ofBackup: directory) {
            counts.damaged += 1
            damage.append(found)
        }
        do throws(StoreError) {
            let connection = try Connection(path: path, for: isBackup ? .copy : .reading)
            let version = try Migrations.version(of: connection)
            guard version == Migrations.newest else {
                throw StoreError(.tooNew, Self.otherVersion(version, isBackup))
            }
            var inspection = Inspection(of: .sqlite, isStill: isStill)
            while !inspection.isDone {
                try inspection.step(onFile: connection)
                while let file = inspection.nextFile() {
                    inspection.add(try BlobCheck(file.id, in: directory + "/blobs"), of: file)
                }
                let room = Self.maximumFindings - damage.count
                damage += inspection.found.prefix(max(0, room))
            }
            let before = counts.damaged
            counts = inspection.counts
            counts.damaged += before
            secrets = try Secrets.count(on: connection.sql)
        } catch {
            // Statements of ours are refused when what the file says of its tables is damaged.
            guard error.code == .damaged || error.code == .refused else { throw error }
            counts.damaged += 1
            damage.append(
                Damage(
                    "file", name: SQLiteStore.fileName, reason: "cannot be read: \(error.detail)"))
        }
        self.init(counts: counts, damage: damage, isStill: isStill)
        self.secrets = secrets
    }

    /// How a backup differs from what was made: a change where no row lies is found by its digest alone.
    private static func difference(ofBackup directory: String) throws(StoreError) -> Damage? {
        do throws(StoreError) {
            try BackupNote(in: directory).requireDatabase(in: directory)
            return nil
        } catch {
            guard error.code == .damaged else { throw error }
            return Damage("file", name: SQLiteStore.fileName, reason: error.detail)
        }
    }

    /// What is reported about the data of another version of the program.
    private static func otherVersion(_ version: Int64, _ isBackup: Bool) -> String {
        let schemas = "its schema is \(version), this program reads \(Migrations.newest)"
        guard version < Migrations.newest else {
            return "a newer version of Frontdesk made it (\(schemas)); verify it with that version"
        }
        return "an older version of Frontdesk made it (\(schemas)); "
            + (isBackup
                ? "restore it into an empty directory, which brings the copy up to date and verifies it"
                : "start the server once, which brings it up to date")
    }

    /// Keeps a server from starting meanwhile; nil when one runs.
    private static func lock(_ directory: String) throws(StoreError) -> DataLock? {
        do throws(StoreError) {
            return try DataLock(directory: directory)
        } catch {
            guard error.code == .busy else { throw error }
            return nil
        }
    }
}
