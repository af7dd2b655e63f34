public import DeskModel
public import DeskStore
import Glibc

extension SQLiteStore {
    /// Makes a backup beside the writing, reads it through and gives it its name.
    ///
    /// First the database as one moment has it, then the attachments that it names: those are only
    /// ever added. A copy that is not whole is kept under the name with `.damaged` behind it.
    /// Durable: on return.
    /// - Throws: `refused` when there is something of that name, too little room beside the store, or the
    ///   store is in memory, `full`, `failed`.
    public func backUp(
        to directory: String, at time: Timestamp, leaving freeBytes: Int64
    ) async throws(StoreError) -> StoreBackup {
        try await backUp(to: directory, at: time, leaving: freeBytes) {}
    }

    /// Makes a backup; `between` runs between two batches of pages, on the copying thread.
    func backUp(
        to directory: String, at time: Timestamp, leaving freeBytes: Int64 = 0,
        between: @escaping @Sendable () -> Void
    ) async throws(StoreError) -> StoreBackup {
        let place = try requireDirectory()
        let hold = logHold
        let epoch = epoch
        // Unflushed rows are written first, so that the copy needs no recovery.
        try await flushRows()
        let result: Result<StoreBackup, StoreError> = await withCheckedContinuation { waiter in
            WorkerThread.start {
                let copier = Copier(
                    source: place, target: directory, epoch: epoch, time: time,
                    freeBytes: freeBytes, between: between)
                do throws(StoreError) {
                    waiter.resume(returning: .success(try copier.run(holding: hold)))
                } catch {
                    waiter.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }

    /// Puts a backup into an empty directory as a store with a life of its own.
    ///
    /// The backup is read through before, and the store after. Thread: blocks the caller's.
    /// - Throws: `refused` when the directory is not empty, `damaged` when the backup is,
    ///   `full`, `failed`.
    public static func restore(
        _ backup: String, to directory: String, newEpoch: Epoch
    ) throws(StoreError) -> StoreVerification {
        try BackupNote(in: backup).requireDatabase(in: backup)
        let fresh = try FreshStore(in: directory)
        do throws(StoreError) {
            let partial = fresh.partial
            _ = try FileCopy.copy(SQLiteStore.file(in: backup), to: SQLiteStore.file(in: partial))
            // First the tables, which an older program may have made: those of this one say what they name.
            try beginEpoch(newEpoch, inDirectory: partial)
            _ = try FileCopy.copyAttachments(of: partial, from: backup)
            return try fresh.place()
        } catch {
            fresh.discard()
            throw error
        }
    }
}

/// Makes one backup, on a thread of its own.
private struct Copier {
    /// Pages in one step: 4 MiB.
    private static let pages: Int32 = 1_024
    /// What the name of a copy ends with that is not whole.
    private static let damagedSuffix = ".damaged"

    let source: String
    let target: String
    let epoch: Epoch
    let time: Timestamp
    let freeBytes: Int64
    let between: @Sendable () -> Void

    func run(holding hold: LogHold) throws(StoreError) -> StoreBackup {
        for name in [target, target + Self.damagedSuffix] where unsafe access(name, F_OK) == 0 {
            throw StoreError(.refused, "\(name) is there already")
        }
        let partial = target + ".partial"
        let lock = try lockUnfinished(partial)
        defer { lock.release() }
        do throws(StoreError) {
            // What an attempt that was killed left.
            try FileCopy.removeContents(of: partial)
            let room = try BackupRoom(for: target, in: partial, beside: source, leaving: freeBytes)
            let database = SQLiteStore.file(in: partial)
            let position = try hold.during { () throws(StoreError) in
                try copyPages(to: database, room)
            }
            try FileCopy.flush(database)
            let files = try FileCopy.copyAttachments(of: partial, from: source) {
                bytes throws(StoreError) in try room.require(bytes)
            }
            let file = try FileCopy.digest(database)
            let note = BackupNote(
                epoch: epoch, position: position, time: time, databaseBytes: file.byteCount,
                database: file.digest, attachments: files.count, attachmentBytes: files.bytes)
            try FileCopy.write(note.bytes, to: partial + "/" + BackupNote.fileName)
            try FileCopy.flushDirectory(partial)
            // Its digest was made of the same bytes just now.
            let verification = try StoreVerification(
                reading: partial, comparesNote: false, isAlone: true)
            let name = verification.isClean ? target : target + Self.damagedSuffix
            try FileCalls.move(partial, to: name)
            try FileCopy.flushDirectory(FileCopy.folder(of: name))
            return StoreBackup(
                directory: name, position: note.position, attachments: note.attachments,
                verification: verification)
        } catch {
            try? FileCopy.removeTree(partial)  // Safe: the next attempt removes it too.
            throw error
        }
    }

    /// Two backups of one name would remove each other's files, and one get the name with half of them.
    private func lockUnfinished(_ partial: String) throws(StoreError) -> DataLock {
        do throws(StoreError) {
            return try DataLock(ofUnfinished: partial)
        } catch {
            guard error.code == .busy else { throw error }
            throw StoreError(.refused, "another backup is being made in \(target)")
        }
    }

    private func copyPages(
        to path: String, _ room: BackupRoom
    ) throws(StoreError) -> Position {
        let from = try Connection(path: SQLiteStore.file(in: source), for: .reading)
        let target = try Connection(path: path, for: .writing)
        // Flushed as a whole when all is there.
        try target.execute("PRAGMA synchronous = OFF")
        do {
            let copy = try PageCopy(from: from, to: target)
            try room.requireAll(of: from)
            while try copy.step(pages: Self.pages) {
                try room.require(0)
                between()
            }
        }
        let newest = try target.prepare("SELECT coalesce(max(position), 0) FROM events")
            .first { $0.integer() }
        return Position(max(0, newest ?? 0))
    }
}
