import DeskEventJSON
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds the audit of a business: who changed what.
    public mutating func addAudit() {
        add(
            .get, "/api/businesses/{business}/audit", operation: "listAuditRecords",
            permission: .readAudit, business: .path,
            query: .known(PageParameters.names + AuditRoutes.filters)
        ) { context async throws(Problem) in try await AuditRoutes(context).list() }
    }
}

/// Answers the route of `addAudit`.
struct AuditRoutes {
    /// The names of the filters.
    static let filters = [
        "filter[kind]", "filter[author]", "filter[subject]", "filter[since]", "filter[until]",
    ]
    /// Records of a page when the caller names no number, and at most.
    private static let (pageSize, pageSizeMost) = (50, 100)
    /// The longest text of a filter, in bytes: ids and words are shorter.
    private static let filterBytes = 256

    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func list() async throws(Problem) -> Response {
        let query = context.request.query
        let size = try query.pageSize(usual: Self.pageSize, most: Self.pageSizeMost)
        let edge = try query.pageEdge { DecimalText.number($0).map { Int64($0) } }
        var filter = AuditFilter(of: try context.requireBusinessID())
        filter.kind = try text("filter[kind]", "what a record's kind says, such as key_revoked")
        filter.author = try text("filter[author]", "the id of a record's author")
        filter.subject = try text("filter[subject]", "the id of a record's subject")
        filter.since = try query.moment("filter[since]")
        filter.until = try query.moment("filter[until]")
        if let since = filter.since, let until = filter.until, since >= until {
            throw Problem(
                parameter: "filter[until]", in: query, allowed: "a moment after filter[since]",
                fix: "Begin the span before it ends.")
        }
        let wanted = filter
        let names = services.authorNames
        let (page, subjects) = try await services.asking { store throws(StoreError) in
            let page = try await store.auditRecords(wanted, at: edge, limit: size)
            try await names.load(page.elements.map(\.author))
            let subjects = try await AuditSubjects(of: page.elements, in: store, names)
            return (page, subjects)
        }
        let found = page.elements
        return .json(
            JSONWriter.object(capacity: 4_096) { text in
                text.member("data") { text in
                    text.array { text in
                        for record in found { text.auditRecord(record, subjects, names) }
                    }
                }
                text.page(
                    edge, hasMore: page.hasMore, first: found.first.map { String($0.number) },
                    last: found.last.map { String($0.number) })
            })
    }

    private func text(_ name: String, _ allowed: String) throws(Problem) -> String? {
        let query = context.request.query
        guard let text = query[name] else { return nil }
        guard (1...Self.filterBytes).contains(text.utf8.count), !text.utf8.contains(0) else {
            throw Problem(parameter: name, in: query, allowed: allowed)
        }
        return text
    }
}

extension JSONWriter {
    fileprivate mutating func auditRecord(
        _ record: AuditRecord, _ subjects: AuditSubjects, _ names: AuthorNames
    ) {
        object { text in
            text.member("number", Int(record.number))
            text.member("time", record.time)
            text.member("kind", record.kind)
            text.member("author") { $0.author(record.author, names) }
            text.member("subject") { text in
                guard !record.subject.isEmpty else { return text.null() }
                text.object {
                    $0.member("id", record.subject)
                    $0.member("name", subjects.name(of: record))
                }
            }
            text.member("detail", record.detail.isEmpty ? nil : record.detail)
        }
    }
}
