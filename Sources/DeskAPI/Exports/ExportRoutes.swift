import DeskEventJSON
import DeskHTTP
import DeskLog
import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds the export of a business's tables.
    public mutating func addExports() {
        add(
            .get, "/api/businesses/{business}/exports/{table}", operation: "exportTable",
            permission: .exportHistory, business: .path,
            query: .known(["format", "since", "until", "filter[contact]"]), rate: .search
        ) { context async throws(Problem) in try await ExportRoutes(context).write() }
    }
}

/// Answers the route of `addExports`.
struct ExportRoutes {
    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func write() async throws(Problem) -> Response {
        let query = context.request.query
        guard let table = context.request.parameters["table"].flatMap({ ExportTable(rawValue: $0) })
        else { throw .notFound }
        let format = try query.word("format", ExportFormat.self) ?? .jsonl
        let since = try query.moment("since")
        let until = try query.moment("until")
        if let since, let until, since >= until {
            throw Problem(
                parameter: "until", in: query, allowed: "a moment after since",
                fix: "Begin the span before it ends.")
        }
        let business = try context.requireBusinessID()
        let contact = try await contact(of: business)
        let tree = try await services.asking { store throws(StoreError) -> [ContactID] in
            guard let contact else { return [] }
            return try await store.contactTree(of: contact.id)
        }
        try await context.requireApproval(
            of: .exportTable, in: [business], about: tree.map(\.text))
        let author = try context.requirePrincipal().author
        let (agents, labels) = try await services.asking { store throws(StoreError) in
            do throws(StoreError) {
                try await store.noteExport(of: table.rawValue, in: business, author: author)
            } catch {
                // Reading goes on while the disk is full; the log's line is what is left of it.
                guard error.code == .full else { throw error }
            }
            return (try await store.agents(of: business), try await store.labels(of: business))
        }
        let run = ExportRun(
            table: table, format: format, business: business, contact: contact, since: since,
            until: until,
            store: services.store, names: services.authorNames,
            emails: Dictionary(agents.map { ($0.id, $0.email) }) { first, _ in first },
            labels: Dictionary(labels.map { ($0.id, $0.name) }) { first, _ in first })
        context.log.info(
            "exported",
            [
                "business": .text(business.text), "table": .text(table.rawValue),
                "format": .text(format.rawValue),
            ])
        let services = services
        var response = Response(
            status: .ok,
            body: .stream { stream in
                do {
                    try await run.write { try await stream.write($0) }
                } catch {
                    // What failed is in the log; that the reader went away is no failure.
                    if let failure = error as? StoreError { _ = services.problem(failure) }
                    await stream.cut()
                }
            })
        response.headers.append("Content-Type", format.mediaType)
        response.headers.append(
            "Content-Disposition",
            FileName.disposition("\(table.rawValue).\(format.rawValue)", isInline: false))
        response.headers.append("Cache-Control", "private, no-store")
        return response
    }

    /// The contact that the request names; nil for none.
    private func contact(of business: BusinessID) async throws(Problem) -> Contact? {
        let query = context.request.query
        guard let text = query["filter[contact]"] else { return nil }
        let found = try await services.asking { store throws(StoreError) -> Contact? in
            guard let id = ContactID(text) else { return nil }
            return try await store.findContact(id)
        }
        guard let found, found.business == business, found.merge == nil else {
            throw Problem(
                parameter: "filter[contact]", in: query,
                allowed: "the id of a contact of the business that was not merged into another",
                fix: "Take it from the list of contacts.")
        }
        return found
    }
}
