import DeskBroker
import DeskEventJSON
import DeskHTTP
import DeskJSON
import DeskMessages
import DeskModel
import DeskStore
import DeskTeam
public import DeskWeb

extension RouteTable {
    /// Adds the macros of a business.
    public mutating func addMacros(limits: APILimits) {
        let path = "/api/businesses/{business}/macros"
        add(
            .get, path, operation: "listMacros", permission: .readConversations, business: .path,
            query: .known(PageParameters.names)
        ) { context async throws(Problem) in try await MacroRoutes(context).list() }
        add(
            .post, path, operation: "makeMacro", permission: .writeMacros, business: .path,
            bodyLimit: limits.recordBytes, rate: .write, repeating: .remembered
        ) { context async throws(Problem) in try await MacroRoutes(context).make() }
        add(
            .patch, path + "/{macro}", operation: "changeMacro", permission: .writeMacros,
            business: .path, bodyLimit: limits.recordBytes, rate: .write, repeating: .remembered
        ) { context async throws(Problem) in try await MacroRoutes(context).change() }
        add(
            .post, "/api/conversations/{conversation}/macros/{macro}", operation: "runMacro",
            permission: .handleConversations, business: .conversation,
            bodyLimit: limits.recordBytes, rate: .write, repeating: .remembered
        ) { context async throws(Problem) in try await MacroRoutes(context).run() }
    }
}

/// Answers the routes of `addMacros`.
struct MacroRoutes {
    /// How often a change is made anew that another one came before.
    private static let mostSaves = 8

    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func list() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        let caller = try caller()
        let macros = try await services.asking { store throws(StoreError) in
            try await store.macros(of: business, seenBy: caller)
        }
        let page = try context.page(of: macros) { $0.id.text }
        return .json(JSONWriter.object { $0.list(page) { $0.macro($1) } })
    }

    func make() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        let agent = try context.requireAgent().agent.id
        var fields = try Fields(try await context.jsonBytes())
        let name = fields.requireText("name", bytes: 1...Macro.maximumNameBytes)
        let isShared = fields.claim("shared") ?? false
        let parameters = fields.value("parameters").flatMap { $0.isNull ? nil : $0 }
        let actions = fields.requireValue("actions")
        try fields.finish()
        guard let name, let actions else { throw .notFound }
        if isShared { try requireMayShare(in: business) }
        let macro = Macro(
            id: MacroID(services.broker.makeID()), business: business,
            owner: isShared ? nil : agent, name: name,
            parameters: parameters.map { Array($0.rawBytes) } ?? Array("[]".utf8),
            actions: Array(actions.rawBytes))
        try await check(macro, actions)
        try await save(macro)
        return answer(macro, .created)
    }

    func change() async throws(Problem) -> Response {
        var fields = try Fields(try await context.jsonBytes())
        let name = fields.text("name", bytes: 1...Macro.maximumNameBytes)
        let parameters = fields.value("parameters").flatMap { $0.isNull ? nil : $0 }
        let actions = fields.value("actions").flatMap { $0.isNull ? nil : $0 }
        let isRetired = fields.claim("retired")
        try fields.finish()
        let author = try context.requirePrincipal().author
        // Again where another change came before: what that one changed is kept, and judged with this one.
        for _ in 0..<Self.mostSaves {
            let known = try await requireMacro(of: try context.requireBusinessID())
            var macro = known
            if macro.owner == nil { try requireMayShare(in: macro.business) }
            macro.name = name ?? macro.name
            macro.isRetired = isRetired ?? macro.isRetired
            if let parameters { macro.parameters = Array(parameters.rawBytes) }
            if let actions { macro.actions = Array(actions.rawBytes) }
            if parameters != nil || actions != nil { try await check(macro, actions) }
            let changed = macro
            let isSaved = try await services.asking { store throws(StoreError) in
                try await store.save(changed, over: known, author: author)
            }
            if isSaved { return answer(changed, .ok) }
        }
        throw Problem(.unavailable, "The macro is being changed by others. Try again.")
    }

    func run() async throws(Problem) -> Response {
        let conversation = try context.requireConversation()
        var fields = try Fields(try await context.jsonBytes())
        let values = fields.values()
        try fields.finish()
        let macro = try await requireMacro(of: conversation.business)
        guard !macro.isRetired else {
            throw Problem(.invalid, "The macro is retired: ask for the list of macros again.")
        }
        return try await MacroRun(context, conversation).run(macro, values)
    }

    /// Whose own macros the caller has; nil for who is no person.
    private func caller() throws(Problem) -> AgentID? {
        guard case .agent(let agent) = try context.requirePrincipal() else { return nil }
        return agent.agent.id
    }

    private func requireMacro(of business: BusinessID) async throws(Problem) -> Macro {
        guard let id = context.request.parameters["macro"].flatMap({ MacroID($0) }) else {
            throw .notFound
        }
        let caller = try caller()
        let found = try await services.asking { store throws(StoreError) in
            try await store.findMacro(id, of: business, seenBy: caller)
        }
        guard let found else { throw .notFound }
        return found
    }

    private func requireMayShare(in business: BusinessID) throws(Problem) {
        let role = try context.requirePrincipal().role(in: business)
        guard let role, services.permissions.roles(with: .manageMacros).contains(role) else {
            throw Problem(
                .forbidden,
                "Only owners and supervisors make and change macros that all members share: leave shared out for one of "
                    + "your own.")
        }
    }

    /// Refuses what could never be run: wrong placeholders, and actions that name what is not there.
    private func check(_ macro: Macro, _ stated: JSONValue?) async throws(Problem) {
        do {
            try macro.form().requireFallbacks()
        } catch {
            throw Problem(error, under: "")
        }
        // Values are not known yet, so that only what has no placeholder can be judged as it is.
        guard let actions = stated ?? JSONValue.parsed(macro.actions) else { throw .notFound }
        let listed = try Problem.reading { () throws(TeamActionFault) in
            try TeamAction.list(actions)
        }
        let check = try await ActionCheck(services, macro.business)
        try await check.require(listed, at: actions)
    }

    private func save(_ macro: Macro) async throws(Problem) {
        let author = try context.requirePrincipal().author
        let isSaved = try await services.asking { store throws(StoreError) in
            try await store.save(macro, author: author)
        }
        guard isSaved else {
            throw Problem(
                .invalid, "There are \(Macro.most) macros already: change one of those instead.")
        }
    }

    private func answer(_ macro: Macro, _ status: Status) -> Response {
        var text = JSONWriter()
        text.macro(macro)
        return .json(text.bytes, status: status)
    }
}

extension Macro {
    /// The actions with their gaps, as templates are filled.
    func form() throws(TemplateError) -> TemplateForm {
        try TemplateForm(
            payload: Array(#"{"actions":"#.utf8) + actions + Array("}".utf8),
            parameters: parameters)
    }
}

extension Problem {
    /// Reads actions or conditions; what is none becomes the refusal of the body with its place.
    static func reading<Value>(
        _ read: () throws(TeamActionFault) -> Value
    ) throws(Problem) -> Value {
        do {
            return try read()
        } catch {
            throw Problem([
                RequestFinding(
                    .value, at: error.value, found: RequestFinding.shown(error.value),
                    allowed: error.allowed, fix: error.fix)
            ])
        }
    }
}

extension JSONWriter {
    /// Writes a macro.
    fileprivate mutating func macro(_ macro: Macro) {
        object {
            $0.member("id", macro.id.text)
            $0.member("business", macro.business.text)
            $0.member("name", macro.name)
            $0.member("shared", macro.owner == nil)
            $0.member("owner", macro.owner?.text)
            $0.member("parameters", raw: macro.parameters)
            $0.member("actions", raw: macro.actions)
            $0.member("retired", macro.isRetired)
        }
    }
}
