import DeskModel
import DeskSQL
import DeskStore
import Glibc

/// Keeps a backup on the store's own disk from using up the room that the store needs to go on.
///
/// Free space is looked at again while the copy grows: others use the disk too.
struct BackupRoom {
    private let target: String
    private let source: String
    /// What stays free; nil on another disk, where a backup harms no one by failing for want of room.
    private let kept: Int64?

    /// Looks at where a backup and its source lie; `partial` is the directory that is there already.
    init(
        for target: String, in partial: String, beside source: String, leaving freeBytes: Int64
    ) throws(StoreError) {
        self.target = target
        self.source = source
        let (own, other) = (
            try FileCalls.identity(of: source), try FileCalls.identity(of: partial)
        )
        kept = own?.device == other?.device && freeBytes > 0 ? freeBytes : nil
    }

    /// Goes on where the database and its attachments fit.
    func requireAll(of database: Connection) throws(StoreError) {
        guard kept != nil else { return }
        func number(_ sql: String) throws(StoreError) -> Int64 {
            try database.prepare(sql).first { $0.integer() } ?? 0
        }
        var needed = try number("PRAGMA page_count") * number("PRAGMA page_size")
        for case let name? in try database.prepare(ArchivedRows.attachments)
            .all({ $0.digestIfAny() })
        {
            let path = DirectoryBlobStore.path(of: AttachmentID(name), in: source + "/blobs")
            needed += FileCalls.byteCount(at: path) ?? 0
        }
        try require(needed)
    }

    /// Goes on where so many bytes more leave enough.
    ///
    /// - Throws: `refused`, with what is needed, what is there and what to do.
    func require(_ bytes: Int64) throws(StoreError) {
        guard let kept else { return }
        let free = try FileCalls.space(of: source).freeBytes
        guard free - bytes < kept else { return }
        throw StoreError(
            .refused,
            "the backup in \(target) would take the room of the data, which lie on the same disk: it needs "
                + "\(Self.text(bytes)) more, \(Self.text(free)) are free, and \(Self.text(kept)) of them stay free for "
                + "the server (disk-hard-bytes); name a directory on another disk, or make room")
    }

    private static func text(_ bytes: Int64) -> String {
        "\((bytes + 999_999) / 1_000_000) MB"
    }
}
