import DeskCrypto
import DeskModel
import DeskSQL
import DeskStore

/// An attachment of an archive, whose bytes come in pieces and go into the transaction that imports.
final class IncomingBlob {
    private let blob: Blob
    private let sql: any SQLSession
    private var digest: SHA256? = SHA256()
    private var upload: Int64?
    private var pieces: Int64 = 0
    private var rest: [UInt8] = []
    private var done: Int64 = 0

    init(_ blob: Blob, on sql: any SQLSession) throws(StoreError) {
        guard try BlobRows.find(blob.id, on: sql) == nil else {
            throw StoreError(.refused, "the attachment is there twice")
        }
        self.blob = blob
        self.sql = sql
    }

    func take(_ bytes: [UInt8]) throws(StoreError) {
        done += Int64(bytes.count)
        guard done <= blob.byteCount else {
            throw StoreError(.refused, "the attachment has more than \(blob.byteCount) bytes")
        }
        digest?.update(bytes)
        rest += bytes
        while rest.count >= BlobRows.pieceBytes {
            let upload = try requireUpload()
            try BlobRows.add(
                Array(rest.prefix(BlobRows.pieceBytes)), at: pieces, to: upload, on: sql)
            rest.removeFirst(BlobRows.pieceBytes)
            pieces += 1
        }
    }

    func finish() throws(StoreError) {
        guard done == blob.byteCount else {
            throw StoreError(
                .refused, "the attachment before it has \(done) of \(blob.byteCount) bytes")
        }
        guard let made = digest.take(), Digest(bytes: made.finish()) == blob.id.digest else {
            throw StoreError(.refused, "the attachment before it is not what it was")
        }
        try BlobRows.finish(
            BlobRows.End(upload: upload, pieces: pieces, rest: rest, blob: blob), on: sql)
    }

    private func requireUpload() throws(StoreError) -> Int64 {
        if let upload { return upload }
        let made = try BlobRows.begin(on: sql)
        upload = made
        return made
    }
}
