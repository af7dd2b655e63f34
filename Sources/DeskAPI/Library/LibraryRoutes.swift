import DeskBroker
import DeskEventJSON
import DeskHTTP
import DeskJSON
import DeskMessages
import DeskModel
import DeskStore
import DeskWeb

extension AttachmentRoutes {
    /// Adds the libraries of businesses: files that are kept to be sent again.
    func addLibrary(to table: inout RouteTable) {
        let path = "/api/businesses/{business}/library"
        // The bytes of files are uploaded before.
        let bodyBytes = APILimits().recordBytes
        table.add(
            .get, path, operation: "listLibrary", permission: .readAttachments, business: .path,
            query: .known(
                ["q", "filter[kind]"] + PageParameters.names, older: ["kind": "filter[kind]"])
        ) { context async throws(Problem) in try await LibraryRoutes(context, blobs).list() }
        table.add(
            .post, path, operation: "addLibraryFile", permission: .addToLibrary, business: .path,
            bodyLimit: bodyBytes, rate: .write, repeating: .remembered
        ) { context async throws(Problem) in try await LibraryRoutes(context, blobs).add() }
        table.add(
            .patch, path + "/{file}", operation: "renameLibraryFile", permission: .addToLibrary,
            business: .path, bodyLimit: bodyBytes, rate: .write, repeating: .remembered
        ) { context async throws(Problem) in try await LibraryRoutes(context, blobs).rename() }
        table.add(
            .delete, path + "/{file}", operation: "removeLibraryFile", permission: .addToLibrary,
            business: .path, rate: .write
        ) { context async throws(Problem) in try await LibraryRoutes(context, blobs).remove() }
    }
}

/// Answers the routes of `addLibrary`.
struct LibraryRoutes {
    /// What a page of a library shows.
    private enum Kind: String, CaseIterable {
        case picture, file
    }

    private let context: RequestContext
    private let blobs: any BlobStore
    private var services: Services { context.services }

    init(_ context: RequestContext, _ blobs: any BlobStore) {
        self.context = context
        self.blobs = blobs
    }

    func list() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        let query = context.request.query
        let size = try query.pageSize(services.limits.web)
        let words = try words()
        let kind = try kind()
        let edge = try query.pageEdge { DecimalText.number($0).map(Int64.init) }
        let library = try await services.asking { store throws(StoreError) in
            try await store.library(of: business)
        }
        let found = library.filter { one in
            let name = one.file.use.name.lowercased()
            return words.allSatisfy { name.contains($0) }
                && (kind == nil || (kind == .picture) == (one.file.width != nil))
        }
        // The newest first.
        let beside = found.filter { one in
            edge.place.map { edge.isBackward ? one.place > $0 : one.place < $0 } ?? true
        }
        let read = edge.isBackward ? beside.reversed() : beside
        let (page, hasMore) = {
            let page = edge.page(read, limit: size)
            return (page.elements, page.hasMore)
        }()
        let authorNames = services.authorNames
        try await services.asking { store throws(StoreError) in
            try await authorNames.load(page.map(\.file.author))
        }
        return .json(
            JSONWriter.object(capacity: 8_192) { text in
                text.member("data") { text in
                    text.array { text in
                        for one in page { text.libraryFile(one.file, services) }
                    }
                }
                text.page(
                    edge, hasMore: hasMore, first: page.first.map { String($0.place) },
                    last: page.last.map { String($0.place) })
                text.member("found", found.count)
                text.member("files", library.count)
                text.member("bytes", Int(library.reduce(0) { $0 + $1.file.use.byteCount }))
            })
    }

    func add() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        var fields = try Fields(try await context.jsonBytes())
        let text = fields.requireText("attachment", bytes: 1...64)
        let place = fields.text("conversation", bytes: 1...64)
        let name = fields.text("name", bytes: 1...LibraryFile.maximumNameBytes)
        fields.noteBlank(name, of: "file")
        var use: AttachmentUse?
        if let text { use = try await find(text, in: place, of: business) }
        if text != nil, use == nil {
            fields.note(
                "attachment", "the id of a file of the business, or of the stated conversation",
                "Upload it with POST /api/attachments and send the id that it answers.")
        }
        let library = try await library(of: business)
        let known = library.first { $0.use.id == use?.id }
        if let use, known == nil { noteBounds(use, library, &fields) }
        try fields.finish()
        guard let use else { throw .notFound }
        if let known { return try await answer(known, .ok) }
        let size = try await pictureSize(of: use.id)
        let file = LibraryFile(
            id: LibraryFileID(services.broker.makeID()), business: business,
            use: use.named(FileName.cleaned(name ?? use.name)),
            width: size.map { Int($0.width) }, height: size.map { Int($0.height) },
            author: try context.requirePrincipal().author, addedAt: services.time.now())
        let added = try await services.brokering { broker throws(BrokerError) in
            try await broker.add(file)
        }
        return try await answer(added, added.id == file.id ? .created : .ok)
    }

    func rename() async throws(Problem) -> Response {
        var fields = try Fields(try await context.jsonBytes())
        let name = fields.requireText("name", bytes: 1...LibraryFile.maximumNameBytes)
        fields.noteBlank(name, of: "file")
        try fields.finish()
        let file = try await requireOwnFile()
        guard let name else { throw .notFound }
        let author = try context.requirePrincipal().author
        let renamed = try await services.brokering { broker throws(BrokerError) in
            try await broker.rename(file, to: FileName.cleaned(name), by: author)
        }
        return try await answer(renamed, .ok)
    }

    func remove() async throws(Problem) -> Response {
        let file = try await requireOwnFile()
        let author = try context.requirePrincipal().author
        _ = try await services.brokering { broker throws(BrokerError) in
            try await broker.remove(file, by: author)
        }
        return Response(status: .noContent)
    }

    // MARK: The query

    private func words() throws(Problem) -> [String] {
        let query = context.request.query
        guard let text = query["q"] else { return [] }
        guard text.utf8.count <= SearchQuery.maximumBytes else {
            throw Problem(
                parameter: "q", in: query,
                allowed: "at most \(SearchQuery.maximumBytes) bytes of UTF-8")
        }
        return text.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
    }

    private func kind() throws(Problem) -> Kind? {
        guard let text = context.request.query["filter[kind]"] else { return nil }
        guard let kind = Kind(rawValue: text) else {
            throw Problem(
                parameter: "filter[kind]", in: context.request.query, allowed: "picture or file")
        }
        return kind
    }

    // MARK: Files

    private func library(of business: BusinessID) async throws(Problem) -> [LibraryFile] {
        try await services.asking { store throws(StoreError) in
            try await store.library(of: business).map(\.file)
        }
    }

    /// A stored file as a conversation of the business has it, or the business.
    private func find(
        _ text: String, in place: String?, of business: BusinessID
    ) async throws(Problem) -> AttachmentUse? {
        guard let id = AttachmentID(text) else { return nil }
        var holders: [AttachmentHolder] = [.business(business), .library(business)]
        if let place {
            let conversation = try await context.requireConversation(named: place)
            guard conversation.business == business else { throw .notFound }
            holders.insert(.conversation(conversation.id), at: 0)
        }
        for holder in holders {
            let found = try await services.asking { store throws(StoreError) in
                try await store.findAttachment(id, heldBy: holder)
            }
            if let found { return found }
        }
        return nil
    }

    private func noteBounds(
        _ use: AttachmentUse, _ library: [LibraryFile], _ fields: inout Fields
    ) {
        if library.count >= LibraryFile.most {
            fields.note(
                "attachment", "at most \(LibraryFile.most) files in a library",
                "Remove one first.")
        }
        let bytes = library.reduce(0) { $0 + $1.use.byteCount }
        if use.byteCount > LibraryFile.mostBytes - bytes {
            fields.note(
                "attachment", "at most \(LibraryFile.mostBytes) bytes in a library together",
                "Remove something first.")
        }
    }

    /// What a stored picture measures; nil for what is none.
    private func pictureSize(of id: AttachmentID) async throws(Problem) -> PictureSize? {
        let (file, _) = try await SentFile.open(id, in: blobs)
        var reader = PictureSizeReader()
        var place: Int64 = 0
        while !reader.isOver, place < file.byteCount {
            let skipped = Int64(min(reader.skips, UInt64(file.byteCount - place)))
            reader.skip(Int(skipped))
            place += skipped
            do throws(StoreError) {
                let piece = try await file.read(at: place, atMost: Self.pieceBytes)
                guard !piece.isEmpty else { break }
                reader.take(piece)
                place += Int64(piece.count)
            } catch {
                throw Problem(error)
            }
        }
        return reader.size
    }

    /// Bytes of a file that are read at a time.
    private static let pieceBytes = 65_536

    /// The file of the path, if the caller added it or may manage the library.
    private func requireOwnFile() async throws(Problem) -> LibraryFile {
        let business = try context.requireBusinessID()
        let id = context.request.parameters["file"].flatMap { LibraryFileID($0) }
        guard let file = try await library(of: business).first(where: { $0.id == id }) else {
            throw .notFound
        }
        let principal = try context.requirePrincipal()
        guard file.author != principal.author else { return file }
        guard services.permits(.manageLibrary, principal, in: business) else {
            throw Problem(
                .forbidden,
                "Owners, supervisors, and who added a file, rename and remove it: ask one of them.")
        }
        return file
    }

    private func answer(_ file: LibraryFile, _ status: Status) async throws(Problem) -> Response {
        let authorNames = services.authorNames
        try await services.asking { store throws(StoreError) in
            try await authorNames.load([file.author])
        }
        var text = JSONWriter()
        text.libraryFile(file, services)
        return .json(text.bytes, status: status)
    }
}

extension AttachmentUse {
    /// The same file under another name.
    fileprivate func named(_ name: String) -> AttachmentUse {
        AttachmentUse(id: id, name: name, mediaType: mediaType, byteCount: byteCount)
    }
}

extension JSONWriter {
    /// Writes a file of a library.
    fileprivate mutating func libraryFile(_ file: LibraryFile, _ services: Services) {
        object { text in
            text.member("id", file.id.text)
            text.member("business", file.business.text)
            text.member("name", file.use.name)
            for (name, pixels) in [("width", file.width), ("height", file.height)] {
                text.key(text: name)
                if let pixels { text.integer(pixels) } else { text.null() }
            }
            text.member("by") { $0.author(file.author, services.authorNames) }
            text.member("addedAt", file.addedAt)
            text.member("file") {
                $0.object { UploadedFile(use: file.use).write(to: &$0, services.publicURL) }
            }
        }
    }
}
