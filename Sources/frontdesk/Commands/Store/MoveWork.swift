import DeskCommandLine
import DeskModel
import DeskSQL
import DeskStore

/// What a move does whichever way it goes: rows, attachments, the end; and what it says of it.
final class MoveWork {
    /// The longest time without a line of progress.
    private static let interval = Duration.seconds(5)
    /// Bytes of an attachment that are in memory at once.
    private static let piece = 256 * 1_024

    private let source: any MoveSource
    private let target: any MoveTarget
    private let begin = ContinuousClock.now
    private var said = ContinuousClock.now
    private var rows: [String: Int64] = [:]
    private var attachments: Int64 = 0
    private var missing: [AttachmentID] = []

    init(from source: any MoveSource, to target: any MoveTarget) {
        self.source = source
        self.target = target
    }

    /// How long it has run.
    var time: Duration { begin.duration(to: .now) }

    /// Copies the rows, then the attachments, and lets servers in.
    func run(
        attachments from: any BlobStore, _ to: any BlobStore
    ) async throws(StoreError) {
        var move = try StoreMove(from: source, to: target) { progress in
            self.say("\(progress.work) \(progress.table): \(progress.rows) of \(progress.all)")
        }
        try move.copy()
        rows = move.rows
        try await copyAttachments(from, to)
        try move.finish(newEpoch: .random())
    }

    private func copyAttachments(
        _ from: any BlobStore, _ to: any BlobStore
    ) async throws(StoreError) {
        var last: AttachmentID?
        while true {
            let named = try MovedAttachments.next(after: last, on: source.sql)
            for one in named {
                if try await copy(one.id, from, to) {
                    attachments += 1
                    say("copying attachments: \(attachments)")
                } else if one.isKept {
                    missing.append(one.id)
                }
            }
            guard let next = named.last else { return }
            last = next.id
        }
    }

    /// Copies an attachment unless it is there; false when the source has none of that name.
    private func copy(
        _ id: AttachmentID, _ from: any BlobStore, _ to: any BlobStore
    ) async throws(StoreError) -> Bool {
        guard let file = try await from.openBlob(id) else { return false }
        if let there = try await to.openBlob(id), there.byteCount == file.byteCount { return true }
        let upload = try await to.makeUpload(limit: file.byteCount)
        do throws(StoreError) {
            var offset: Int64 = 0
            while offset < file.byteCount {
                let piece = try await file.read(at: offset, atMost: Self.piece)
                guard !piece.isEmpty else { break }
                try await upload.write(piece)
                offset += Int64(piece.count)
            }
            let stored = try await upload.finish()
            guard stored.id == id else {
                throw StoreError(
                    .damaged,
                    "the bytes of attachment \(id.text) are not what they were: frontdesk verify "
                        + "names everything that is damaged")
            }
            return true
        } catch {
            await upload.cancel()
            throw error
        }
    }

    // MARK: Saying

    private func say(_ line: String) {
        guard said.duration(to: .now) >= Self.interval else { return }
        said = .now
        Output.note(line)
    }

    /// Says what was moved, what begins anew, and how it is served from now on.
    func report(serve: String, more: String) {
        let seconds = Int(time / .seconds(1))
        func count(_ table: String) -> String { "\(rows[table] ?? 0) \(table)" }
        Output.print(
            "moved \(count("messages")), \(count("events")), \(count("conversations")), "
                + "\(rows.values.reduce(0, +)) rows in all and \(attachments) attachments in \(seconds) s; "
                + "every row was compared")
        for id in missing.prefix(20) {
            Output.print("attachment \(id.text) was missing before, and is missing still")
        }
        if missing.count > 20 { Output.print("and \(missing.count - 20) more") }
        Output.print(
            """
            passwords, keys, sessions and links stay valid. What begins anew: the epoch, so that programs \
            that follow streams get a reset; the search index, which the server builds again
            serve it: \(serve)
            \(more)
            """)
    }
}
