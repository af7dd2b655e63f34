import DeskBroker
import DeskEventJSON
import DeskHTTP
import DeskJSON
import DeskLog
import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds the saved views.
    public mutating func addSavedViews(limits: APILimits) {
        let path = "/api/views/saved"
        add(
            .get, path, operation: "listSavedViews", permission: .readConversations,
            business: .query, query: .known(["business"] + PageParameters.names)
        ) { context async throws(Problem) in try await SavedViewRoutes(context).list() }
        add(
            .post, path, operation: "saveView", permission: .writeViews, business: .any,
            bodyLimit: limits.recordBytes, rate: .write, repeating: .remembered
        ) { context async throws(Problem) in try await SavedViewRoutes(context).make() }
        add(
            .put, path + "/{view}", operation: "changeView", permission: .writeViews,
            business: .any, bodyLimit: limits.recordBytes, rate: .write, repeating: .remembered
        ) { context async throws(Problem) in try await SavedViewRoutes(context).change() }
        add(
            .delete, path + "/{view}", operation: "removeView", permission: .writeViews,
            business: .any, rate: .write
        ) { context async throws(Problem) in try await SavedViewRoutes(context).remove() }
    }
}

/// Answers the routes of `addSavedViews`.
struct SavedViewRoutes {
    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func list() async throws(Problem) -> Response {
        // Before the counts: what happens meanwhile is counted, and asked for again.
        let head = services.broker.head
        let businesses = context.businesses
        let caller = context.signedIn
        let views = try await services.asking { store throws(StoreError) in
            try await store.savedViews(of: caller, in: businesses)
        }
        let known = views.compactMap { view in readable(view).map { (view, $0) } }
        let page = try context.page(of: known) { $0.0.id.text }
        var names = ViewNames(services)
        var shown: [ShownView] = []
        for (view, filter) in page.elements {
            let missing = try await names.missing(of: filter, in: view.business)
            shown.append(
                ShownView(
                    view: view, missing: missing,
                    count: try await count(filter, in: view.business.map { [$0] } ?? businesses)))
        }
        let all = shown
        return .json(
            JSONWriter.object(capacity: 4_096) { text in
                text.list(page, as: all) { $0.savedView($1) }
                text.member("head", head.text)
            })
    }

    /// The filter of a view; nil for one of a newer program, which the nodes of that program show.
    private func readable(_ view: SavedView) -> ViewFilter? {
        do {
            return try view.read()
        } catch {
            services.log.warning("saved_view_unreadable", ["view": .text(view.id.text)])
            return nil
        }
    }

    func make() async throws(Problem) -> Response {
        let body = try ViewBody(context, try await context.jsonBytes())
        let view = try await view(
            SavedViewID(services.broker.makeID()), body, owner: try context.requireAgent().agent.id)
        try await save(view, isNew: true)
        return try await answer(view, .created)
    }

    func change() async throws(Problem) -> Response {
        let body = try ViewBody(context, try await context.jsonBytes())
        let before = try await requireView()
        if before.owner == nil { try requireMayShare(in: before.business) }
        // What was shared becomes the caller's own where it is shared no longer.
        let caller = try context.requireAgent().agent.id
        let view = try await view(before.id, body, owner: before.owner ?? caller)
        try await save(view, isNew: false)
        return try await answer(view, .ok)
    }

    func remove() async throws(Problem) -> Response {
        let view = try await requireView()
        if view.owner == nil { try requireMayShare(in: view.business) }
        let author = try context.requirePrincipal().author
        try await services.brokering { broker throws(BrokerError) in
            try await broker.removeView(view.id, by: author)
        }
        announce(view, .removed, by: author)
        return Response(status: .noContent)
    }

    /// The view that a body describes, where everything that it names is there.
    private func view(
        _ id: SavedViewID, _ body: ViewBody, owner: AgentID
    ) async throws(Problem) -> SavedView {
        if body.isShared { try requireMayShare(in: body.business) }
        if let business = body.business {
            var names = ViewNames(services)
            try await names.check(body.filter, at: body.stated, in: business)
        }
        return SavedView(
            id: id, business: body.business, owner: body.isShared ? nil : owner, name: body.name,
            filter: body.filter.stored, order: body.order)
    }

    private func requireView() async throws(Problem) -> SavedView {
        guard let id = context.request.parameters["view"].flatMap({ SavedViewID($0) }),
            let found = try await services.findView(
                id, of: context.signedIn, in: context.businesses)
        else { throw .notFound }
        return found
    }

    private func requireMayShare(in business: BusinessID?) throws(Problem) {
        let principal = try context.requirePrincipal()
        guard let role = business.flatMap({ principal.role(in: $0) }),
            services.permissions.roles(with: .manageViews).contains(role)
        else {
            throw Problem(
                .forbidden,
                "Only owners and supervisors make, change and remove views that all members share: leave shared out for "
                    + "one of your own.")
        }
    }

    private func save(_ view: SavedView, isNew: Bool) async throws(Problem) {
        let author = try context.requirePrincipal().author
        do throws(Problem) {
            try await services.brokering { broker throws(BrokerError) in
                try await broker.save(view, isNew: isNew, by: author)
            }
        } catch {
            guard error.code == .invalid else { throw error }
            throw Problem(
                .invalid,
                "There are \(SavedView.most) such views already: remove one of those first.")
        }
        announce(view, .saved, by: author)
    }

    /// Lets the agent's other pages know of a view of the own; a shared one is an event.
    private func announce(_ view: SavedView, _ state: Signal.State, by author: Author) {
        guard view.owner != nil,
            let business = view.business ?? context.businesses.min(by: { $0.text < $1.text })
        else { return }
        services.broker.signal(.saved(.view, state, in: business, by: author))
    }

    private func count(
        _ view: ViewFilter, in businesses: Set<BusinessID>
    ) async throws(Problem) -> BoundedCount {
        guard
            let (filter, isMore) = try await context.filter(view, in: businesses)
        else { return BoundedCount(0, atMost: SavedView.mostCounted) }
        var ends: [BusinessID: Timestamp]?
        if let minutes = view.dueWithin {
            ends = try await services.dueEnds(minutes, in: businesses)
        }
        let due = ends
        let count = try await services.asking { store throws(StoreError) in
            if let due { return try await store.countDue(filter, until: due) }
            return try await store.countListed(filter, isWaiting: view.isWaiting)
        }
        return isMore ? count.andMore : count
    }

    private func answer(_ view: SavedView, _ status: Status) async throws(Problem) -> Response {
        let filter = try view.read()
        let count = try await count(filter, in: view.business.map { [$0] } ?? context.businesses)
        var text = JSONWriter()
        text.savedView(ShownView(view: view, missing: [], count: count))
        return .json(text.bytes, status: status)
    }
}

/// What a request says of a view.
private struct ViewBody {
    /// The highest place in lists that can be given to a view.
    private static let maximumOrder = 1_000_000

    let name: String
    let isShared: Bool
    let order: Int
    let business: BusinessID?
    let filter: ViewFilter
    /// The filter as it was stated, for the places of faults.
    let stated: JSONValue

    /// Reads a body; a filter that names what is of a business needs one.
    init(_ context: RequestContext, _ bytes: [UInt8]) throws(Problem) {
        var fields = try Fields(bytes)
        let name = fields.requireText("name", bytes: 1...SavedView.maximumNameBytes)
        fields.noteBlank(name, of: "view")
        isShared = fields.claim("shared") ?? false
        order = fields.number("order", 0...Self.maximumOrder) ?? 0
        business = Self.business(&fields, context)
        let stated = fields.requireValue("filter")
        var filter = ViewFilter()
        if let stated { filter = try ViewFilter(stated) }
        if business == nil, isShared {
            fields.note(
                "shared", "a business together with shared", "Name the business that shares it.")
        } else if business == nil, filter.namesOfBusiness {
            fields.note(
                "filter", "a business together with labels, teams, members and attributes",
                "Name the business that they are of.")
        }
        try fields.finish()
        guard let name, let stated else { throw .notFound }
        self.name = name
        self.filter = filter
        self.stated = stated
    }

    private static func business(
        _ fields: inout Fields, _ context: RequestContext
    ) -> BusinessID? {
        guard let text = fields.text("business", bytes: 1...64) else { return nil }
        guard let id = BusinessID(text), context.isPermitted(in: id) else {
            fields.note(
                "business", "the id of a business of yours, or null",
                "Take the id from GET /api/businesses.")
            return nil
        }
        return id
    }
}

/// A view as the API answers it.
private struct ShownView {
    let view: SavedView
    /// The places in the filter of what is there no longer.
    let missing: [String]
    let count: BoundedCount
}

extension SavedView {
    /// The filter as it was stored.
    func read() throws(Problem) -> ViewFilter {
        guard let value = JSONValue.parsed(filter) else { throw .notFound }
        return try ViewFilter(value)
    }
}

extension Services {
    /// Finds an agent's own view, or one that a business shares.
    func findView(
        _ id: SavedViewID, of agent: AgentID?, in businesses: Set<BusinessID>
    ) async throws(Problem) -> SavedView? {
        try await asking { store throws(StoreError) in
            try await store.savedViews(of: agent, in: businesses)
        }.first { $0.id == id }
    }
}

extension JSONWriter {
    fileprivate mutating func savedView(_ shown: ShownView) {
        let view = shown.view
        object { text in
            text.member("id", view.id.text)
            text.member("business", view.business?.text)
            text.member("name", view.name)
            text.member("shared", view.owner == nil)
            text.member("order", view.order)
            text.member("filter", raw: view.filter)
            text.member("count", shown.count.count)
            text.member("isMore", shown.count.isMore)
            text.member("missing") { text in
                text.array { for place in shown.missing { $0.string(place) } }
            }
        }
    }
}
