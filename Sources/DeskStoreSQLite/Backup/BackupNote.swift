import DeskBytes
import DeskModel
import DeskStore

/// The note beside a backup's files: what they were when the backup was made.
///
/// Lines of `name value`, the last one the check sum of those before it.
struct BackupNote: Hashable, Sendable {
    /// The file's name in the backup.
    static let fileName = "backup"
    private static let title = "frontdesk-backup 1"
    /// Most bytes of a note.
    private static let maximumBytes = 4_096

    /// The life of the store that it was made of.
    let epoch: Epoch
    /// The newest event in it.
    let position: Position
    /// When it was begun.
    let time: Timestamp
    /// How many bytes the database has.
    let databaseBytes: Int64
    /// SHA-256 of the database.
    let database: Digest
    /// How many attachments there are.
    let attachments: Int
    /// How many bytes they have.
    let attachmentBytes: Int64

    /// Whether a directory is a backup.
    static func exists(in directory: String) -> Bool {
        guard let opened = try? FileCalls.open(directory + "/" + fileName) else {
            return false  // Safe: what is no backup is read as a data directory.
        }
        FileCalls.close(opened)
        return true
    }

    /// The note's bytes.
    var bytes: [UInt8] {
        let lines = [
            Self.title, "epoch \(epoch.text)", "position \(position.value)",
            "time \(time.milliseconds)", "database-bytes \(databaseBytes)",
            "database-sha256 \(database.text)", "attachments \(attachments)",
            "attachment-bytes \(attachmentBytes)",
        ]
        let text = lines.joined(separator: "\n") + "\n"
        return Array((text + "sum \(CRC32C.checksum(Array(text.utf8)))\n").utf8)
    }

    /// Reads the note of a backup.
    ///
    /// - Throws: `refused` when there is none, `damaged` when it is not what was written.
    init(in directory: String) throws(StoreError) {
        let file = directory + "/" + Self.fileName
        let found: Int32?
        do throws(StoreError) {
            found = try FileCalls.open(file)
        } catch {
            throw StoreError(error.code, "\(file) cannot be read: \(error.detail)")
        }
        guard let opened = found else {
            throw StoreError(.refused, "\(directory) is no backup: it has no file \(Self.fileName)")
        }
        defer { FileCalls.close(opened) }
        let bytes = try FileCalls.read(opened, at: 0, atMost: Self.maximumBytes)
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
            .map { String(decoding: $0, as: UTF8.self) }
        var values: [String: String] = [:]
        for line in lines.dropFirst() {
            let words = line.split(separator: " ", maxSplits: 1)
            if words.count == 2 { values[String(words[0])] = String(words[1]) }
        }
        guard lines.first == Self.title, let epoch = values["epoch"].flatMap({ Epoch($0) }),
            let position = values["position"].flatMap({ Int64($0) }), position >= 0,
            let time = values["time"].flatMap({ Int64($0) }),
            let databaseBytes = values["database-bytes"].flatMap({ Int64($0) }),
            let database = values["database-sha256"].flatMap({ Digest($0) }),
            let attachments = values["attachments"].flatMap({ Int($0) }),
            let attachmentBytes = values["attachment-bytes"].flatMap({ Int64($0) })
        else { throw Self.changed(in: directory) }
        self.init(
            epoch: epoch, position: Position(position), time: Timestamp(milliseconds: time),
            databaseBytes: databaseBytes, database: database, attachments: attachments,
            attachmentBytes: attachmentBytes)
        guard bytes == self.bytes else { throw Self.changed(in: directory) }
    }

    /// Compares the database of a backup with the note.
    ///
    /// - Throws: `damaged` when it is not what was written, `failed` when it cannot be read.
    func requireDatabase(in directory: String) throws(StoreError) {
        let found = try FileCopy.digest(SQLiteStore.file(in: directory))
        guard found.digest == database, found.byteCount == databaseBytes else {
            throw StoreError(
                .damaged, "the database in \(directory) is not what the backup wrote there")
        }
    }

    private static func changed(in directory: String) -> StoreError {
        StoreError(
            .damaged,
            "\(directory)/\(fileName) is not what the backup wrote there; it was changed or cut off, so "
                + "it is not known whether the rest is whole")
    }

    init(
        epoch: Epoch, position: Position, time: Timestamp, databaseBytes: Int64,
        database: Digest, attachments: Int, attachmentBytes: Int64
    ) {
        self.epoch = epoch
        self.position = position
        self.time = time
        self.databaseBytes = databaseBytes
        self.database = database
        self.attachments = attachments
        self.attachmentBytes = attachmentBytes
    }
}
