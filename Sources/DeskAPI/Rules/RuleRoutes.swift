import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskTeam
public import DeskWeb

extension RouteTable {
    /// Adds the rules of a business, their dry run and their log.
    public mutating func addRules(limits: APILimits) {
        let path = "/api/businesses/{business}/rules"
        add(
            .get, path, operation: "listRules", permission: .manageRules, business: .path,
            query: .known(PageParameters.names)
        ) { context async throws(Problem) in try await RuleRoutes(context).list() }
        add(
            .post, path, operation: "makeRule", permission: .manageRules, business: .path,
            bodyLimit: limits.recordBytes, rate: .write, repeating: .remembered
        ) { context async throws(Problem) in try await RuleRoutes(context).make() }
        add(
            .post, path + "/dry-run", operation: "dryRunRule", permission: .manageRules,
            business: .path, bodyLimit: limits.recordBytes, rate: .search
        ) { context async throws(Problem) in try await RuleRoutes(context).tryOut() }
        add(
            .get, path + "/log", operation: "listRuleLog", permission: .manageRules,
            business: .path,
            query: .known(
                ["filter[rule]"] + PageParameters.names,
                older: ["rule": "filter[rule]", "before": "page[after]"])
        ) { context async throws(Problem) in try await RuleLogRoute(context).list() }
        add(
            .get, path + "/{rule}", operation: "getRule", permission: .manageRules,
            business: .path
        ) { context async throws(Problem) in try await RuleRoutes(context).get() }
        add(
            .put, path + "/{rule}", operation: "setRule", permission: .manageRules,
            business: .path, bodyLimit: limits.recordBytes, rate: .write
        ) { context async throws(Problem) in try await RuleRoutes(context).set() }
        add(
            .delete, path + "/{rule}", operation: "removeRule", permission: .manageRules,
            business: .path, rate: .write
        ) { context async throws(Problem) in try await RuleRoutes(context).remove() }
    }
}

/// Answers the routes of `addRules` but the log.
struct RuleRoutes {
    /// Events that the answer of a dry run names.
    static let mostMatches = 100

    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func list() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        let page = try context.page(of: try await rules(of: business)) { $0.id.text }
        let check = try await ActionCheck(services, business, isUnattended: true)
        var shown: [(TeamRule, [RuleWarning])] = []
        for rule in page.elements {
            shown.append((rule, try await RuleWarning.all(of: rule, check)))
        }
        return .json(
            JSONWriter.object { text in
                text.list(page, as: shown) { $0.rule($1.0, $1.1) }
            })
    }

    func get() async throws(Problem) -> Response { try await answer(try await requireRule()) }

    func make() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        let stated = try await read(TeamRuleID(services.broker.makeID()), of: business)
        try await check(stated)
        let program = stated.program
        try await save(program.rule, isNew: true)
        return try await answer(program.rule, .created)
    }

    func set() async throws(Problem) -> Response {
        let id = context.request.parameters["rule"].flatMap { TeamRuleID($0) }
        guard let id else { throw .notFound }
        let stated = try await read(id, of: try context.requireBusinessID())
        let known = RuleProgram(try await requireRule())
        let program = stated.program
        // What was named when it was there may stay: the rule's other values can be changed.
        if known?.conditions != program.conditions || known?.actions != program.actions {
            try await check(stated)
        }
        try await save(program.rule, isNew: false)
        return try await answer(program.rule)
    }

    func remove() async throws(Problem) -> Response {
        let rule = try await requireRule()
        let author = try context.requirePrincipal().author
        try await services.brokering { broker throws(BrokerError) in
            try await broker.remove(rule.id, of: rule.business, by: author)
        }
        services.broker.signal(.saved(.rule, .removed, in: rule.business, by: author))
        return Response(status: .noContent)
    }

    func tryOut() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        let stated = try await read(TeamRuleID(services.broker.makeID()), of: business)
        try await check(stated)
        let program = stated.program
        let host = RuleSurroundings(services)
        let dryRun = try await services.asking { store throws(StoreError) in
            try await RuleDryRun(of: program, in: store, host: host)
        }
        let conversations = Set(dryRun.matches.map(\.conversation.id)).count
        return .json(
            JSONWriter.object { text in
                text.member("lookedAt", dryRun.lookedAt)
                text.member("since", dryRun.since)
                text.member("matches", dryRun.matches.count)
                text.member("conversations", conversations)
                text.member("data") { text in
                    text.array { text in
                        for match in dryRun.matches.prefix(Self.mostMatches) {
                            text.object { text in
                                text.member("event", match.event.id.text)
                                text.member("type", match.event.type.rawValue)
                                text.member("time", match.event.time)
                                text.member("conversation") {
                                    $0.ruleConversation(match.conversation.id, match.conversation)
                                }
                                text.member("found") { text in
                                    text.array { text in
                                        for one in match.found { text.string(one) }
                                    }
                                }
                            }
                        }
                    }
                }
            })
    }

    // MARK: What requests state

    /// A rule, and what it was read from.
    private struct Stated {
        let program: RuleProgram
        let conditions: JSONValue
        let actions: JSONValue
    }

    /// Refuses a rule that names what the business does not have.
    private func check(_ stated: Stated) async throws(Problem) {
        let check = try await ActionCheck(
            services, stated.program.rule.business, isUnattended: true)
        try check.require(stated.program.conditions, at: stated.conditions)
        try await check.require(stated.program.actions, at: stated.actions)
    }

    private func read(
        _ id: TeamRuleID, of business: BusinessID
    ) async throws(Problem) -> Stated {
        var fields = try Fields(try await context.jsonBytes())
        let name = fields.requireText("name", bytes: 1...TeamRule.maximumNameBytes)
        let isOn = fields.claim("on") ?? true
        let order = fields.number("order", 0...TeamRule.highestOrder) ?? 0
        let when = fields.requireValue("when")
        let trigger = when == nil ? nil : fields.word("when", TeamRule.Trigger.self)
        if let when, when.isNull {
            fields.note(.value, when, "what the rule waits for", "Send a word.")
        }
        let conditions = fields.requireValue("if")
        let actions = fields.requireValue("then")
        try fields.finish()
        guard let name, let trigger, let conditions, let actions else { throw .notFound }
        let rule = TeamRule(
            id: id, business: business, name: name, isOn: isOn, order: order, trigger: trigger,
            conditions: Array(conditions.rawBytes), actions: Array(actions.rawBytes))
        let program = try Problem.reading { () throws(TeamActionFault) in
            try RuleProgram(rule, if: conditions, then: actions)
        }
        return Stated(program: program, conditions: conditions, actions: actions)
    }

    private func save(_ rule: TeamRule, isNew: Bool) async throws(Problem) {
        let author = try context.requirePrincipal().author
        do throws(Problem) {
            try await services.brokering { broker throws(BrokerError) in
                try await broker.save(rule, isNew: isNew, by: author)
            }
        } catch {
            guard error.code == .invalid else { throw error }
            throw Problem(
                .invalid, "There are \(TeamRule.most) rules already: change or remove one of those."
            )
        }
        services.broker.signal(.saved(.rule, in: rule.business, by: author))
    }

    private func rules(of business: BusinessID) async throws(Problem) -> [TeamRule] {
        try await services.asking { store throws(StoreError) in
            try await store.rules(of: business)
        }
    }

    private func requireRule() async throws(Problem) -> TeamRule {
        let id = context.request.parameters["rule"].flatMap { TeamRuleID($0) }
        let rules = try await rules(of: try context.requireBusinessID())
        guard let rule = rules.first(where: { $0.id == id }) else { throw .notFound }
        return rule
    }

    private func answer(
        _ rule: TeamRule, _ status: Status = .ok
    ) async throws(Problem) -> Response {
        let check = try await ActionCheck(services, rule.business, isUnattended: true)
        var text = JSONWriter()
        text.rule(rule, try await RuleWarning.all(of: rule, check))
        return .json(text.bytes, status: status)
    }
}
