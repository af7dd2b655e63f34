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
    private var blobs: any BlobStore { files.blobs }

    /// The routes over the store of the bytes.
    public init(_ files: BlobFiles) { self.files = files }

    /// Adds the routes.
    public func add(to table: inout RouteTable) {
        table.add(
            .post, "/api/attachments", operation: "uploadAttachment", permission: .useAttachments,
            business: .query,
            query: .known(["conversation", "business", "name"]),
            bodyLimit: UploadedFile.maximumBytes, rate: .write
        ) { call throws(Problem) in
            let holder = try await requireHolder(call)
            return try await UploadedFile.receive(
                call, into: blobs, for: holder,
                lasting: .seconds(call.services.limits.memberUploadHours * 3_600)
            ).response(call.services.publicURL)
        }
        table.add(
            .get, "/api/attachments/{attachment}", operation: "getAttachment",
            permission: .useAttachments, business: .query,
            query: .known(["conversation", "business", "message"])
        ) { call throws(Problem) in
            guard let use = try await findUse(call) else { throw .notFound }
            return try await SentFile.response(use, call.request, from: files)
        }
        addPhone(to: &table)
        addPictures(to: &table)
    }

    private func addPhone(to table: inout RouteTable) {
        let path = "/api/phone/{business}/attachments"
        table.add(
            .post, path, operation: "uploadPhoneAttachment", permission: .useOwnConversation,
            business: .session,
            query: .known(["name"]),
            bodyLimit: UploadedFile.maximumBytes, rate: .write
        ) { call throws(Problem) in
            let phone = try call.requireCustomer()
            let uploads = call.services.uploads
            let coming = UploadedFile.declaredBytes(of: call)
            let together = uploads.reserve(coming, for: phone.conversation)
            defer { uploads.release(coming, for: phone.conversation) }
            try await requireRoom(for: together, in: phone.conversation, call)
            return try await UploadedFile.receive(
                call, into: blobs, for: .conversation(phone.conversation),
                lasting: .seconds(call.services.limits.uploadMinutes * 60)
            ).response(call.services.publicURL)
        }
        table.add(
            .get, path + "/{attachment}", operation: "getPhoneAttachment",
            permission: .useOwnConversation, business: .session,
            query: .known(["message"])
        ) { call throws(Problem) in
            let phone = try call.requireCustomer()
            let found = try await find(
                try Self.requireID(call), heldBy: .conversation(phone.conversation), call)
            guard let found else { throw .notFound }
            return try await SentFile.response(found, call.request, from: files)
        }
    }

    private func addPictures(to table: inout RouteTable) {
        let path = "/api/businesses/{business}/picture"
        table.add(
            .put, path, operation: "setPicture", permission: .manageBusiness, business: .path,
            bodyLimit: Self.pictureBytes, rate: .write
        ) { call throws(Problem) in try await setPicture(call) }
        table.add(
            .delete, path, operation: "removePicture", permission: .manageBusiness, business: .path,
            rate: .write
        ) { call throws(Problem) in
            var business = try await call.services.requireBusiness(try call.requireBusinessID())
            business.picture = nil
            let author = try call.requirePrincipal().author
            let changed = business
            try await call.services.asking { store throws(StoreError) in
                try await store.save(changed, author: author)
            }
            return Response(status: .noContent)
        }
        // Customers see it before they have written a word.
        table.add(
            .get, "/b/{business}/picture", operation: "getPicture", permission: .open,
            query: .ignored
        ) { call throws(Problem) in
            let business = try await call.services.requireBusiness(try call.requireBusinessID())
            guard let picture = business.picture else { throw .notFound }
            let use = AttachmentUse(id: picture, name: "picture", mediaType: "", byteCount: 0)
            return try await SentFile.response(use, call.request, from: files)
        }
    }

    private func setPicture(_ call: RequestContext) async throws(Problem) -> Response {
        let agent = try call.requireAgent()
        var business = try await call.services.requireBusiness(try call.requireBusinessID())
        let bytes = try await call.bytes()
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
            throw call.services.problem(error)
        }
        business.picture = blob.id
        let changed = business
        let use = AttachmentUse(
            id: blob.id, name: "picture", mediaType: SniffedType(firstBytes: bytes)?.text ?? "",
            byteCount: blob.byteCount)
        let now = call.services.time.now()
        try await call.services.asking { store throws(StoreError) in
            try await store.hold(
                use, by: .business(changed.id), at: now, author: .agent(agent.agent.id))
            try await store.save(changed, author: .agent(agent.agent.id))
        }
        var text = JSONWriter()
        text.business(changed, agent.roles[changed.id], call.services.publicURL)
        return .json(text.bytes)
    }

    // MARK: Holders

    /// Who is to hold an upload: the conversation it is meant for, or the business (templates).
    private func requireHolder(_ call: RequestContext) async throws(Problem) -> AttachmentHolder {
        if let text = call.request.query["conversation"] {
            return .conversation(try await call.requireConversation(named: text).id)
        }
        guard let id = call.access.business else {
            throw Problem(
                parameter: "conversation", in: call.request.query,
                allowed: "the id of the conversation that the file will be sent in",
                fix: "Send it, or business for the files of templates.")
        }
        return .business(id)
    }

    /// The attachment as the named conversation holds it, or one of the request's businesses.
    private func findUse(_ call: RequestContext) async throws(Problem) -> AttachmentUse? {
        let id = try Self.requireID(call)
        if let text = call.request.query["conversation"] {
            let conversation = try await call.requireConversation(named: text)
            return try await find(id, heldBy: .conversation(conversation.id), call)
        }
        for business in call.businesses {
            if let use = try await find(id, heldBy: .business(business), call) { return use }
        }
        return nil
    }

    /// The attachment under the name that the message of the query gave it, or under its last one.
    private func find(
        _ id: AttachmentID, heldBy holder: AttachmentHolder, _ call: RequestContext
    ) async throws(Problem) -> AttachmentUse? {
        let message = call.request.query["message"].flatMap { MessageID($0) }
        return try await call.services.asking { store throws(StoreError) in
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
        for coming: Int64, in conversation: ConversationID, _ call: RequestContext
    ) async throws(Problem) {
        let since = call.services.time.now().advanced(by: .seconds(-86_400))
        let held = try await call.services.asking { store throws(StoreError) in
            try await store.heldBytes(by: .conversation(conversation), since: since)
        }
        guard coming <= Self.dailyBytes - held else {
            throw Problem(.rateLimited, "The files of one day are too large together.")
        }
    }

    private static func requireID(_ call: RequestContext) throws(Problem) -> AttachmentID {
        guard let id = call.request.parameters["attachment"].flatMap({ AttachmentID($0) }) else {
            throw .notFound
        }
        return id
    }
}
