import DeskHTTP
import DeskJSON
import DeskMessages
import DeskModel
import DeskStore
public import DeskWeb

/// Files on their way in and out, and the pictures of businesses.
public struct AttachmentRoutes: Sendable {
    /// Largest picture of a business in bytes; one more is answered with 413.
    static let pictureBytes = 1_024 * 1_024
    /// Most bytes that a customer's conversation is given in a day; more are answered with 429.
    static let dailyBytes: Int64 = 1_024 * 1_024 * 1_024

    private let files: BlobFiles
    var blobs: any BlobStore { files.blobs }

    /// The routes over the store of the bytes.
    public init(_ files: BlobFiles) { self.files = files }

    /// Adds the routes.
    public func add(to table: inout RouteTable) {
        table.add(
            .post, "/api/attachments", operation: "uploadAttachment", permission: .useAttachments,
            business: .query,
            query: .known(["conversation", "business", "name"]),
            bodyLimit: UploadedFile.maximumBytes, rate: .write
        ) { context throws(Problem) in
            let holder = try await requireHolder(context)
            return try await UploadedFile.receive(
                context, into: blobs, for: holder,
                lasting: .seconds(context.services.limits.memberUploadHours * 3_600)
            ).response(context.services.publicURL)
        }
        table.add(
            .get, "/api/attachments/{attachment}", operation: "getAttachment",
            permission: .readAttachments, business: .query,
            query: .known(["conversation", "business", "message"])
        ) { context throws(Problem) in
            guard let use = try await findUse(context) else { throw .notFound }
            return try await SentFile.response(use, context.request, from: files)
        }
        addPhone(to: &table)
        addLibrary(to: &table)
        addPictures(to: &table)
    }

    private func addPhone(to table: inout RouteTable) {
        let path = "/api/phone/{business}/attachments"
        table.add(
            .post, path, operation: "uploadPhoneAttachment", permission: .useOwnConversation,
            business: .session,
            query: .known(["name"]),
            bodyLimit: UploadedFile.maximumBytes, rate: .write
        ) { context throws(Problem) in
            let phone = try context.requireCustomer()
            let uploads = context.services.uploads
            let coming = UploadedFile.declaredBytes(of: context)
            let together = uploads.reserve(coming, for: phone.conversation)
            defer { uploads.release(coming, for: phone.conversation) }
            try await requireRoom(for: together, in: phone.conversation, context)
            return try await UploadedFile.receive(
                context, into: blobs, for: .conversation(phone.conversation),
                lasting: .seconds(context.services.limits.uploadMinutes * 60)
            ).response(context.services.publicURL)
        }
        table.add(
            .get, path + "/{attachment}", operation: "getPhoneAttachment",
            permission: .useOwnConversation, business: .session,
            query: .known(["message"])
        ) { context throws(Problem) in
            let phone = try context.requireCustomer()
            let found = try await find(
                try Self.requireID(context), heldBy: .conversation(phone.conversation), context)
            guard let found else { throw .notFound }
            return try await SentFile.response(found, context.request, from: files)
        }
    }

    private func addPictures(to table: inout RouteTable) {
        let path = "/api/businesses/{business}/picture"
        table.add(
            .put, path, operation: "setPicture", permission: .manageBusiness, business: .path,
            bodyLimit: Self.pictureBytes, rate: .write
        ) { context throws(Problem) in try await setPicture(context) }
        table.add(
            .delete, path, operation: "removePicture", permission: .manageBusiness, business: .path,
            rate: .write
        ) { context throws(Problem) in
            let author = try context.requirePrincipal().author
            _ = try await context.services.changeBusiness(
                try context.requireBusinessID(), author: author
            ) { $0.picture = nil }
            return Response(status: .noContent)
        }
        // Customers see it before they have written a word.
        table.add(
            .get, "/b/{business}/picture", operation: "getPicture", permission: .open,
            query: .ignored
        ) { context throws(Problem) in
            let business = try await context.services.requireBusiness(
                try context.requireBusinessID())
            guard let picture = business.picture else { throw .notFound }
            let use = AttachmentUse(id: picture, name: "picture", mediaType: "", byteCount: 0)
            return try await SentFile.response(use, context.request, from: files)
        }
        // As open as the picture and the name: a browser asks for it without cookies.
        table.add(
            .get, "/b/{business}/manifest.webmanifest", operation: "getPhoneManifest",
            permission: .open, query: .ignored
        ) { context throws(Problem) in
            let business = try await context.services.requireBusiness(
                try context.requireBusinessID())
            var head: [UInt8]?
            if let picture = business.picture {
                // Safe: without its bytes the page's own icons stand in for a picture.
                head = try? await SentFile.open(picture, in: blobs).head
            }
            var response = Response(
                type: "application/manifest+json", PhoneManifest(of: business, head: head).json)
            response.headers.set("Cache-Control", "no-cache")
            return response
        }
    }

    private func setPicture(_ context: RequestContext) async throws(Problem) -> Response {
        let agent = try context.requireAgent()
        let business = try await context.services.requireBusiness(try context.requireBusinessID())
        let bytes = try await context.bytes()
        switch SniffedType(firstBytes: bytes) {
        case .png, .jpeg, .gif, .webp: break
        case .heic, .avif, .mp4, .quickTime, .webm, .mpeg, .mp3, .m4a, .wav, .ogg, .flac, .aac,
            .caf, .pdf, .zip, nil:
            throw Problem(.unsupportedMediaType, "A picture is PNG, JPEG, GIF or WebP.")
        }
        var size = PictureSizeReader()
        size.take(bytes)
        try UploadedFile.check(size.size)
        let blob: Blob
        do throws(StoreError) {
            blob = try await blobs.store(bytes)
        } catch {
            throw context.services.problem(error)
        }
        let use = AttachmentUse(
            id: blob.id, name: "picture", mediaType: SniffedType(firstBytes: bytes)?.text ?? "",
            byteCount: blob.byteCount)
        let now = context.services.time.now()
        try await context.services.asking { store throws(StoreError) in
            try await store.hold(
                use, by: .business(business.id), at: now, author: .agent(agent.agent.id))
        }
        let picture = blob.id
        let changed = try await context.services.changeBusiness(
            business.id, author: .agent(agent.agent.id)
        ) { $0.picture = picture }
        var text = JSONWriter()
        text.business(changed, agent.roles[changed.id], context.services)
        return .json(text.bytes)
    }

    // MARK: Holders

    /// Who is to hold an upload: the conversation it is meant for, or the business (templates).
    private func requireHolder(_ context: RequestContext) async throws(Problem) -> AttachmentHolder
    {
        if let text = context.request.query["conversation"] {
            return .conversation(try await context.requireConversation(named: text).id)
        }
        guard let id = context.access.business else {
            throw Problem(
                parameter: "conversation", in: context.request.query,
                allowed: "the id of the conversation that the file will be sent in",
                fix: "Send it, or business for the files of templates.")
        }
        return .business(id)
    }

    /// The attachment as the named conversation holds it, or one of the request's businesses or
    /// libraries.
    private func findUse(_ context: RequestContext) async throws(Problem) -> AttachmentUse? {
        let id = try Self.requireID(context)
        if let text = context.request.query["conversation"] {
            let conversation = try await context.requireConversation(named: text)
            let own = try await find(id, heldBy: .conversation(conversation.id), context)
            if let own { return own }
            // A file of the library or of a template that is about to be sent.
            return try await findShared(id, by: [conversation.business], context)
        }
        return try await findShared(id, by: context.businesses, context)
    }

    private func findShared(
        _ id: AttachmentID, by businesses: Set<BusinessID>, _ context: RequestContext
    ) async throws(Problem) -> AttachmentUse? {
        for business in businesses {
            for holder in [AttachmentHolder.business(business), .library(business)] {
                if let use = try await find(id, heldBy: holder, context) { return use }
            }
        }
        return nil
    }

    /// The attachment under the name that the message of the query gave it, or under its last one.
    private func find(
        _ id: AttachmentID, heldBy holder: AttachmentHolder, _ context: RequestContext
    ) async throws(Problem) -> AttachmentUse? {
        let message = context.request.query["message"].flatMap { MessageID($0) }
        return try await context.services.asking { store throws(StoreError) in
            let found = try await store.findAttachment(id, heldBy: holder)
            guard found != nil, let message, case .conversation(let conversation) = holder,
                let naming = try await store.findMessage(message, in: conversation)
            else { return found }
            return naming.facts.attachments.first { $0.id == id } ?? found
        }
    }

    /// Reads what is stored after the upload was reserved, so that two uploads at once are both
    /// counted.
    private func requireRoom(
        for coming: Int64, in conversation: ConversationID, _ context: RequestContext
    ) async throws(Problem) {
        let since = context.services.time.now().advanced(by: .seconds(-86_400))
        let held = try await context.services.asking { store throws(StoreError) in
            try await store.heldBytes(by: .conversation(conversation), since: since)
        }
        guard coming <= Self.dailyBytes - held else {
            throw Problem(.rateLimited, "The files of one day are too large together.")
        }
    }

    private static func requireID(_ context: RequestContext) throws(Problem) -> AttachmentID {
        guard let id = context.request.parameters["attachment"].flatMap({ AttachmentID($0) }) else {
            throw .notFound
        }
        return id
    }
}
