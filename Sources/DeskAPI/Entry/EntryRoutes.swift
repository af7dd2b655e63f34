import DeskBroker
import DeskHTTP
import DeskJSON
import DeskLog
import DeskModel
import DeskStore
public import DeskWeb

/// A business's printable ways in: links, QR codes, button snippets.
public struct EntryRoutes: Sendable {
    /// Most links of a business beside the permanent one; one more is answered with 422.
    static let maximumLinks = 200
    /// Longest intent and group in bytes of UTF-8; one more is answered with 422.
    static let wordBytes = 64
    /// Longest prefilled text in bytes of UTF-8, so that its QR code stays readable.
    static let bodyBytes = 500

    /// The routes keep nothing.
    public init() {}

    /// Adds the routes.
    public func add(to table: inout RouteTable) {
        let path = "/api/businesses/{business}/links"
        table.add(
            .get, path, operation: "listEntryLinks", permission: .readEntryLinks, business: .path,
            query: .known(PageParameters.names)
        ) {
            context throws(Problem) in try await Self.list(context)
        }
        table.add(
            .post, path, operation: "createEntryLink", permission: .manageEntryLinks,
            business: .path, bodyLimit: 4_096,
            rate: .write, repeating: .remembered
        ) { context throws(Problem) in try await Self.make(context) }
        table.add(
            .delete, path + "/{link}", operation: "deleteEntryLink", permission: .manageEntryLinks,
            business: .path,
            rate: .write
        ) { context throws(Problem) in try await Self.remove(context) }
        table.add(
            .get, path + "/{link}/qr.svg", operation: "getEntryLinkSVG",
            permission: .readEntryLinks, business: .path
        ) { context throws(Problem) in QRPicture.svg(try await Self.code(context)) }
        table.add(
            .get, path + "/{link}/qr.png", operation: "getEntryLinkPNG",
            permission: .readEntryLinks, business: .path
        ) { context throws(Problem) in try QRPicture.png(try await Self.code(context)) }
    }

    private static func list(_ context: RequestContext) async throws(Problem) -> Response {
        let (business, links) = try await read(context)
        let page = try context.page(of: links) { $0.id }
        let origin = context.services.publicURL.origin
        let body = JSONWriter.object { text in
            text.list(page) { $0.entryLink($1, origin: origin, businessName: business.name) }
        }
        return Response(type: "application/json", body)
    }

    private static func make(_ context: RequestContext) async throws(Problem) -> Response {
        let (business, links) = try await read(context)
        var fields = try Fields(try await context.jsonBytes())
        let label = fields.requireText("label", bytes: 1...200)
        let intent = fields.text("intent", bytes: 1...wordBytes)
        let group = fields.text("group", bytes: 1...wordBytes)
        let body = fields.text("body", bytes: 1...bodyBytes)
        if links.count > maximumLinks {
            fields.note("label", "at most \(maximumLinks) links", "Delete a link first.")
        }
        try fields.finish()
        let author = try context.requirePrincipal().author
        let link = EntryLink(
            id: context.services.broker.makeID().text, business: business.id, label: label ?? "",
            intent: intent, group: group, body: body)
        try await context.services.asking { store throws(StoreError) in
            try await store.save(link, author: author)
        }
        context.log.info(
            "entry_link_made", ["link": .text(link.id), "business": .text(business.id.text)])
        var text = JSONWriter()
        text.entryLink(
            link, origin: context.services.publicURL.origin, businessName: business.name)
        return Response(status: .created, type: "application/json", text.bytes)
    }

    private static func remove(_ context: RequestContext) async throws(Problem) -> Response {
        let id = try context.requireBusinessID()
        guard let name = context.request.parameters["link"] else { throw .notFound }
        guard !name.utf8.elementsEqual(EntryLink.permanentID.utf8) else {
            throw Problem(.forbidden, "The permanent link cannot be deleted.")
        }
        let author = try context.requirePrincipal().author
        let wasThere = try await context.services.asking { store throws(StoreError) in
            try await store.removeEntryLink(name, of: id, author: author)
        }
        guard wasThere else { throw .notFound }
        context.log.info(
            "entry_link_deleted", ["link": .text(name), "business": .text(id.text)])
        return Response(status: .noContent)
    }

    private static func code(_ context: RequestContext) async throws(Problem) -> QRCode {
        let (_, links) = try await read(context)
        guard let name = context.request.parameters["link"],
            let link = links.first(where: { $0.id.utf8.elementsEqual(name.utf8) }),
            let code = QRCode(link.address(origin: context.services.publicURL.origin))
        else { throw .notFound }
        return code
    }

    private static func read(
        _ context: RequestContext
    ) async throws(Problem) -> (business: Business, links: [EntryLink]) {
        let id = try context.requireBusinessID()
        let business = try await context.services.asking { store throws(StoreError) in
            try await store.findBusiness(id)
        }
        guard let business else { throw .notFound }
        let links = try await context.services.asking { store throws(StoreError) in
            try await store.entryLinks(of: id)
        }
        return (business, [.permanent(of: business)] + links)
    }
}
