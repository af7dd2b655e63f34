import DeskModel
public import DeskStore
import Glibc

/// A whole reading of a data directory or a backup, as `frontdesk verify` makes it.
public struct StoreVerification: Sendable {
    /// Most findings that are kept; all are counted.
    public static let maximumFindings = 1_000

    /// What was read.
    public private(set) var counts = InspectionCounts()
    /// What is damaged, in the order of reading.
    public private(set) var damage: [Damage] = []
    /// Whether nobody wrote meanwhile, so that the sums over all rows were compared too.
    public let isStill: Bool

    /// Whether nothing is damaged.
    public var isClean: Bool { counts.damaged == 0 }

    /// Reads everything; a server may run on the directory meanwhile.
    ///
    /// Thread: blocks the caller's. Nothing of the data is changed.
    /// - Throws: `failed` when files cannot be read at all, `tooNew` for another schema.
    public init(reading directory: String) throws(StoreError) {
        let path = directory + "/frontdesk.sqlite"
        guard unsafe access(path, R_OK) == 0 else {
            throw StoreError(.failed, "\(path): errno \(errno)")
        }
        let isBackup = BackupNote.exists(in: directory)
        let lock = try isBackup ? nil : Self.lock(directory)
        defer { lock?.release() }
        isStill = isBackup || lock != nil
        do throws(StoreError) {
            let connection = try Connection(path: path, for: isBackup ? .copy : .reading)
            let version = try Migrations.version(of: connection)
            guard version == Migrations.newest else {
                throw StoreError(.tooNew, Self.otherVersion(version))
            }
            var inspection = Inspection(blobs: directory + "/blobs", isStill: isStill)
            while !inspection.isDone {
                try inspection.step(on: connection)
                let room = Self.maximumFindings - damage.count
                damage += inspection.found.prefix(max(0, room))
            }
            counts = inspection.counts
        } catch {
            // Statements of ours are refused when what the file says of its tables is damaged.
            guard error.code == .damaged || error.code == .refused else { throw error }
            counts.damaged += 1
            damage.append(
                Damage(
                    "file", name: "frontdesk.sqlite", reason: "cannot be read: \(error.detail)"))
        }
    }

    /// What data of another version of the program is told about it.
    private static func otherVersion(_ version: Int64) -> String {
        let schemas = "its schema is \(version), this program reads \(Migrations.newest)"
        return version > Migrations.newest
            ? "a newer version of Frontdesk made it (\(schemas)); verify it with that version"
            : "an older version of Frontdesk made it (\(schemas)); start the server once, which "
                + "brings it up to date"
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
