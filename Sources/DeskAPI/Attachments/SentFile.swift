import DeskHTTP
import DeskModel
import DeskStore
import DeskWeb

/// Sends a stored file to an authorized reader.
enum SentFile {
    /// The answer to a request for a file, ranges and conditions included.
    ///
    /// Pictures, sound and film are shown in place, if their bytes say that they are; everything
    /// else is a download that does nothing when opened.
    static func response(
        _ use: AttachmentUse, _ request: Request, from files: BlobFiles
    ) async throws(Problem) -> Response {
        let (file, head) = try await open(use.id, in: files.blobs)
        let sniffed = SniffedType(firstBytes: head)
        let isInline = sniffed?.isShownInPlace == true
        let headers: HeaderFields = [
            "Content-Type": sniffed?.text ?? MediaType.unknown,
            "Content-Disposition": FileName.disposition(use.name, isInline: isInline),
            "Content-Security-Policy": PageHeaders.untrustedFilePolicy,
            "Cross-Origin-Resource-Policy": "same-origin",
            "Cache-Control": "private, no-cache",
        ]
        return .part(
            ofSize: Int(file.byteCount), headers: headers,
            validators: Validators(contentMark: use.id.text), request: request
        ) { range in
            if let local = file.file {
                .openFile(local, range: range)
            } else {
                stream(range, of: file)
            }
        }
    }

    /// Bytes of a stored file on their way through this process.
    private static func stream(_ range: Range<Int>, of file: BlobFile) -> Response.Body {
        .counted(range.count) { stream in
            do {
                var next = range.lowerBound
                while next < range.upperBound {
                    let piece = try await file.read(
                        at: Int64(next), atMost: min(pieceBytes, range.upperBound - next))
                    guard !piece.isEmpty else { return await stream.cut() }
                    try await stream.write(piece)
                    next += piece.count
                }
            } catch {
                await stream.cut()
            }
        }
    }

    /// Bytes that are read at a time.
    private static let pieceBytes = 65_536

    /// A stored file, open, and its first bytes.
    static func open(
        _ id: AttachmentID, in blobs: any BlobStore
    ) async throws(Problem) -> (file: BlobFile, head: [UInt8]) {
        let found: (BlobFile)?
        do throws(StoreError) { found = try await blobs.openBlob(id) } catch {
            throw Problem(error)
        }
        guard let file = found else { throw .notFound }
        do throws(StoreError) {
            return (file, try await file.read(at: 0, atMost: SniffedType.neededBytes))
        } catch {
            throw Problem(error)
        }
    }
}
