import DeskBroker
import DeskEventJSON
import DeskHTTP
import DeskJSON
import DeskLog
import DeskMessages
import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds what needs a second person's approval, and the requests for one.
    public mutating func addApprovals(limits: APILimits) {
        let path = "/api/businesses/{business}/approvals"
        add(
            .get, path, operation: "listApprovals", permission: .readApprovals, business: .path,
            query: .known(PageParameters.names + [ApprovalRoutes.state])
        ) { context async throws(Problem) in try await ApprovalRoutes(context).list() }
        let rules = "/api/businesses/{business}/approval-rules"
        add(
            .get, rules, operation: "getApprovalRules", permission: .readApprovals,
            business: .path
        ) { context async throws(Problem) in try await ApprovalRoutes(context).rules() }
        add(
            .put, rules, operation: "setApprovalRules", permission: .manageApprovals,
            business: .path, bodyLimit: limits.recordBytes, rate: .write
        ) { context async throws(Problem) in try await ApprovalRoutes(context).setRules() }
        let one = path + "/{approval}"
        add(
            .get, one, operation: "getApproval", permission: .readApprovals, business: .path
        ) { context async throws(Problem) in try await ApprovalRoutes(context).get() }
        add(
            .patch, one, operation: "explainApproval", permission: .manageApprovals,
            business: .path, bodyLimit: limits.recordBytes, rate: .write
        ) { context async throws(Problem) in try await ApprovalRoutes(context).explain() }
        add(
            .post, one + "/decision", operation: "decideApproval", permission: .manageApprovals,
            business: .path, bodyLimit: limits.recordBytes, rate: .write
        ) { context async throws(Problem) in try await ApprovalRoutes(context).decide() }
    }
}

/// Answers the routes of `addApprovals`.
struct ApprovalRoutes {
    /// The parameter that says in which state requests are listed.
    static let state = "filter[state]"
    private static let (pageSize, pageSizeMost) = (50, 100)
    /// How often a choice is made anew that another one came before.
    private static let mostSaves = 5

    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    // MARK: Reading

    func list() async throws(Problem) -> Response {
        let query = context.request.query
        let business = try context.requireBusinessID()
        let size = try query.pageSize(usual: Self.pageSize, most: Self.pageSizeMost)
        let edge = try query.pageEdge { DecimalText.number($0).map { Int64($0) } }
        let state = try query.word(Self.state, ApprovalState.self)
        let names = services.authorNames
        let showsAddresses = showsAddresses
        let page = try await services.asking { store throws(StoreError) in
            let page = try await store.approvals(
                of: business, in: state.map { [$0] } ?? [], at: edge, limit: size)
            try await names.load(page.elements.flatMap(\.people))
            return page
        }
        let found = page.elements
        return .json(
            JSONWriter.object(capacity: 4_096) { text in
                text.member("data") { text in
                    text.array { text in
                        for one in found {
                            text.approval(one, names, showsAddresses: showsAddresses)
                        }
                    }
                }
                text.page(
                    edge, hasMore: page.hasMore, first: found.first.map { String($0.number) },
                    last: found.last.map { String($0.number) })
            })
    }

    func get() async throws(Problem) -> Response {
        let id = try requireID()
        let business = try context.requireBusinessID()
        let found = try await services.asking { store throws(StoreError) in
            try await store.approval(id, of: business)
        }
        guard let found else { throw .notFound }
        return try await answer(found)
    }

    func rules() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        let agent = try context.requireAgent().agent.id
        let now = services.time.now()
        let (rules, waiting) = try await services.asking { store throws(StoreError) in
            (
                try await store.approvalRules(of: business),
                try await store.approvalsWaiting(for: agent, of: business, at: now)
            )
        }
        return answer(rules, waiting)
    }

    // MARK: Choosing

    func setRules() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        let bytes = try await context.jsonBytes()
        var fields = try Fields(bytes)
        let wanted = fields.areas()
        try fields.finish()
        for _ in 0..<Self.mostSaves {
            if try await save(wanted, of: business, bytes) { return try await self.rules() }
        }
        throw Problem(.unavailable, "The choice is being changed by others. Try again.")
    }

    /// Keeps a choice; false where another one came before.
    private func save(
        _ wanted: Set<ApprovalArea>, of business: BusinessID, _ body: [UInt8]
    ) async throws(Problem) -> Bool {
        let before = try await services.asking { store throws(StoreError) in
            try await store.approvalRules(of: business)
        }
        let known = before?.areas ?? []
        guard wanted != known else { return true }
        // More that needs a second person needs none; less does.
        if !known.isSubset(of: wanted) {
            try await context.requireApproval(of: .setApprovalRules, in: [business], body: body)
        }
        let rules = ApprovalRules(of: business, areas: wanted, changedAt: services.time.now())
        let author = try context.requirePrincipal().author
        let outcome = try await services.asking { store throws(StoreError) in
            try await store.saveApprovalRules(rules, over: before, author: author)
        }
        switch outcome {
        case .saved:
            context.log.info("approval_rules_saved", ["business": .text(business.text)])
            return true
        case .changed: return false
        case .tooFewOwners:
            throw Problem(
                .invalid,
                "A business with one owner has no second person who could approve. Make another member an owner first."
            )
        }
    }

    // MARK: Deciding

    func explain() async throws(Problem) -> Response {
        let id = try requireID()
        let business = try context.requireBusinessID()
        var fields = try Fields(try await context.jsonBytes())
        let reason = fields.text("reason", bytes: 0...Approval.textBytes)
        if reason == nil { _ = fields.requireValue("reason") }
        try fields.finish()
        let author = try context.requirePrincipal().author
        let (isExplained, found) = try await services.asking { store throws(StoreError) in
            let done = try await store.explainApproval(
                id, of: business, reason: reason ?? "", author: author)
            return (done, try await store.approval(id, of: business))
        }
        guard let found else { throw .notFound }
        guard isExplained else {
            guard found.author == author else {
                throw Problem(.forbidden, "Only the person who asked says why.")
            }
            throw await ended(found)
        }
        services.broker.signal(.saved(.approval, in: business, by: author))
        return try await answer(found)
    }

    func decide() async throws(Problem) -> Response {
        let id = try requireID()
        let business = try context.requireBusinessID()
        let person = try context.requireAgent().agent.id
        var fields = try Fields(try await context.jsonBytes())
        let decision = fields.word("decision", ApprovalDecision.self)
        if decision == nil { _ = fields.requireValue("decision") }
        let comment = fields.text("comment", bytes: 0...Approval.textBytes) ?? ""
        try fields.finish()
        guard let decision else { throw .notFound }
        let permitted = context.permittedRoles
        let now = services.time.now()
        let outcome = try await services.asPermitted { store throws(StoreError) in
            try await store.decide(
                decision, on: id, of: business, by: person, comment: comment,
                permitted: permitted, at: now)
        }
        switch outcome {
        case .decided(let found):
            services.broker.signal(.saved(.approval, in: business, by: .agent(person)))
            context.log.info(
                "approval_decided",
                ["approval": .text(id.text), "decision": .text(decision.rawValue)])
            return try await answer(found)
        case .notFound: throw .notFound
        case .ended(let found): throw await ended(found)
        case .ownRequest:
            throw Problem(
                .forbidden,
                "Another owner has to decide: you asked for it yourself, or answer for the key that did."
            )
        case .othersRequest:
            throw Problem(
                .forbidden, "Only the person who asked takes a request back; refuse it instead.")
        }
    }

    private func ended(_ found: Approval) async -> Problem {
        var problem = Problem(
            .approvalEnded,
            "The request for approval has ended: it is \(found.state.rawValue), or its time is up.")
        let names = services.authorNames
        // Without the names it is as good.
        try? await names.load(found.people)
        var text = JSONWriter()
        text.approval(found, names)
        problem.current = text.bytes
        return problem
    }

    private func requireID() throws(Problem) -> ApprovalID {
        guard let id = context.request.parameters["approval"].flatMap({ ApprovalID($0) }) else {
            throw .notFound
        }
        return id
    }

    private func answer(_ one: Approval) async throws(Problem) -> Response {
        let names = services.authorNames
        try await services.asking { _ throws(StoreError) in try await names.load(one.people) }
        var text = JSONWriter()
        text.approval(one, names, showsAddresses: showsAddresses)
        return .json(text.bytes)
    }

    /// Whether the caller decides, and so sees addresses whole: their paths may hold a secret.
    private var showsAddresses: Bool {
        guard let business = context.access.business,
            let role = context.principal?.membership(in: business)
        else { return false }
        return services.permissions.permissions(of: role).contains(.manageApprovals)
    }

    private func answer(_ rules: ApprovalRules?, _ waiting: Int) -> Response {
        var text = JSONWriter()
        text.approvalRules(rules, waiting: waiting)
        return .json(text.bytes)
    }
}

extension Approval {
    /// Who is named with it.
    fileprivate var people: [Author] { [author] + (decider.map { [.agent($0)] } ?? []) }
}

extension Fields {
    /// The areas that a body chooses.
    fileprivate mutating func areas() -> Set<ApprovalArea> {
        let elements =
            requireElements("areas", count: 0...ApprovalArea.choices.count) ?? []
        var areas: Set<ApprovalArea> = []
        for element in elements {
            if let found = ApprovalArea.choices.first(where: { element.equals($0.rawValue) }) {
                areas.insert(found)
            } else {
                let list = ApprovalArea.choices.map(\.rawValue).joined(separator: ", ")
                note(.value, element, "one of \(list)", "Send one of these words.")
            }
        }
        return areas
    }
}

extension Services {
    /// Sends the other owners of a business an e-mail that something waits for them, where the server sends any.
    func announce(_ approval: Approval) async {
        guard let mailer else { return }
        let names = authorNames
        let link = "\(publicURL.origin)/console/settings/approvals"
        do {
            try await names.load([approval.author])
            let name = names.name(of: approval.author) ?? approval.author.kind
            let business = try await requireBusiness(approval.business).name
            let owners = try await members(of: approval.business).filter { agent, role in
                role == .owner && agent.password != nil && agent.id != approval.person
            }
            for (agent, _) in owners {
                // It is written in both languages.
                mailer.sendLater("approval_asked", to: agent.email, in: .english) {
                    .approvalAsked(by: name, in: business, link: link)
                }
            }
        } catch {
            log.warning("mail_failed", ["kind": "approval_asked", "detail": .text("\(error)")])
        }
    }
}
