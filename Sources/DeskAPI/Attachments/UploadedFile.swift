import DeskHTTP
import DeskJSON
import DeskMessages
import DeskModel
import DeskStore
import DeskWeb

/// Writes a request's body into the blob store, piece by piece.
struct UploadedFile: Sendable {
    /// Largest file in bytes; one more is answered with 413.
    static let maximumBytes = 100_000_000

    let use: AttachmentUse

    /// Reads the whole body; on return the file survives a power cut and `holder` holds it for this
    /// long, or for good when something names it before.
    ///
    /// Limit: 100 MB, never more than a piece of it in memory; pictures of 40,000,000 pixels; the
    /// bytes of an hour.
    static func receive(
        _ context: RequestContext, into blobs: any BlobStore, for holder: AttachmentHolder,
        lasting life: Duration
    ) async throws(Problem) -> UploadedFile {
        let principal = try context.requirePrincipal()
        let (budgets, peer) = (context.services.uploadBudgets, context.request.peer)
        let coming = declaredBytes(of: context)
        try budgets.take(coming, by: principal, from: peer)
        do throws(Problem) {
            let file = try await take(context, into: blobs, for: holder, lasting: life)
            budgets.settle(file.use.byteCount, of: coming, by: principal, from: peer)
            return file
        } catch {
            budgets.settle(0, of: coming, by: principal, from: peer)
            throw error
        }
    }

    /// The bytes of a body; one that does not say its length may be as long as any.
    static func declaredBytes(of context: RequestContext) -> Int64 {
        Int64(min(context.request.body.declaredLength ?? maximumBytes, maximumBytes))
    }

    private static func take(
        _ context: RequestContext, into blobs: any BlobStore, for holder: AttachmentHolder,
        lasting life: Duration
    ) async throws(Problem) -> UploadedFile {
        try context.refusePacked()
        let name = FileName.cleaned(context.request.query["name"] ?? "")
        let (blob, head) = try await store(context, in: blobs)
        guard blob.byteCount > 0 else {
            throw Problem(.badRequest, "The file has no bytes.")
        }
        let named = MediaType.named(name).prefix { $0 != ";" }
        let use = AttachmentUse(
            id: blob.id, name: name,
            mediaType: SniffedType(firstBytes: head)?.text ?? String(named),
            byteCount: blob.byteCount)
        let now = context.services.time.now()
        let author = try context.requirePrincipal().author
        try await context.services.asking { store throws(StoreError) in
            try await store.hold(
                use, by: holder, at: now, until: now.advanced(by: life), author: author)
        }
        return UploadedFile(use: use)
    }

    /// The answer, with the dictionary that goes into a payload.
    func response(_ publicURL: PublicURL) -> Response {
        .json(
            JSONWriter.object { write(to: &$0, publicURL) }, status: .created)
    }

    /// Writes the members of the answer's object.
    func write(to text: inout JSONWriter, _ publicURL: PublicURL) {
        text.member("id", use.id.text)
        text.member("name", use.name)
        text.member("mimeType", use.mediaType)
        text.member("size", Int(use.byteCount))
        text.member("attachment", raw: AttachmentText.dictionary(use, .outbound, publicURL))
    }

    private static func store(
        _ context: RequestContext, in blobs: any BlobStore
    ) async throws(Problem) -> (Blob, head: [UInt8]) {
        let upload: BlobUpload
        do throws(StoreError) {
            upload = try await blobs.makeUpload(limit: Int64(maximumBytes))
        } catch {
            throw context.services.problem(error)
        }
        do throws(Problem) {
            return try await fill(upload, from: context)
        } catch {
            await upload.cancel()
            var problem = error
            // The rest of the file is still on its way, and is not read.
            problem.closesConnection = true
            throw problem
        }
    }

    private static func fill(
        _ upload: BlobUpload, from context: RequestContext
    ) async throws(Problem) -> (Blob, head: [UInt8]) {
        let body = context.request.body
        var head: [UInt8] = []
        var size = PictureSizeReader()
        var count = 0
        while let piece = try await next(of: body) {
            count += piece.count
            guard count <= min(maximumBytes, body.limit) else {
                throw Problem(.tooLarge, "A file has at most \(maximumBytes) bytes.")
            }
            if head.count < SniffedType.neededBytes {
                head += piece.prefix(SniffedType.neededBytes - head.count)
            }
            size.take(piece)
            try check(size.size)
            // A file that was begun while there was room must not fill the rest of it.
            guard !context.services.disk.isFull else { throw .storageFull }
            do throws(StoreError) {
                try await upload.write(piece)
            } catch {
                throw context.services.problem(error)
            }
        }
        do throws(StoreError) {
            return (try await upload.finish(), head)
        } catch {
            throw context.services.problem(error)
        }
    }

    /// Refuses a picture whose header states more pixels than a client should unpack.
    static func check(_ size: PictureSize?) throws(Problem) {
        guard let size, size.isTooLarge else { return }
        throw Problem(
            .pictureTooLarge,
            "The picture states \(size.width) x \(size.height) pixels; "
                + "\(PictureSize.maximumPixels) are the most.")
    }

    private static func next(of body: RequestBody) async throws(Problem) -> [UInt8]? {
        do throws(BodyError) { return try await body.next() } catch { throw Problem(error) }
    }
}
