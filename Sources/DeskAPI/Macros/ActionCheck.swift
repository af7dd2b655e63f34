import DeskJSON
import DeskMessages
import DeskModel
import DeskStore
import DeskTeam
import DeskWeb

/// Whether what actions and conditions name is there: members, labels, teams, templates of the business.
///
/// What the business has is read once, so that many rules are checked by a few questions.
struct ActionCheck {
    /// What may stand there instead.
    struct Fault {
        /// Where in the action or the condition it is.
        var path: [String] = []
        let allowed: String
        let fix: String
    }

    private let services: Services
    private let business: Business
    private let isUnattended: Bool
    private let labels: [Label]
    private let teams: Set<TeamID>
    private let members: Set<AgentID>
    private let handlers: Set<AgentID>

    /// - Parameter isUnattended: whether templates must do without values from an agent.
    init(
        _ services: Services, _ business: BusinessID, isUnattended: Bool = false
    ) async throws(Problem) {
        self.services = services
        self.isUnattended = isUnattended
        self.business = try await services.requireBusiness(business)
        labels = try await services.asking { store throws(StoreError) in
            try await store.labels(of: business)
        }
        teams = try await services.asking { store throws(StoreError) in
            Set(try await store.teams(of: business).lazy.filter { !$0.isRetired }.map(\.id))
        }
        let (people, handling) = (try await services.members(of: business), services.handlingRoles)
        members = Set(people.lazy.map(\.agent.id))
        handlers = Set(people.lazy.filter { handling.contains($0.role) }.map(\.agent.id))
    }

    /// Refuses actions that name what the business does not have.
    ///
    /// - Parameter value: the list as it was stated, for the places.
    func require(_ actions: [TeamAction], at value: JSONValue) async throws(Problem) {
        let gaps = isUnattended ? Self.gaps(of: actions) : []
        try Self.refuse(try await faults(of: actions) + gaps, at: value)
    }

    /// Refuses conditions that name what the business does not have.
    func require(_ conditions: [RuleCondition], at value: JSONValue) throws(Problem) {
        try Self.refuse(faults(of: conditions), at: value)
    }

    /// What actions name that is not there, by their places.
    func faults(of actions: [TeamAction]) async throws(Problem) -> [(Int, Fault)] {
        var faults: [(Int, Fault)] = []
        for (place, action) in actions.enumerated() {
            if let fault = try await fault(of: action) { faults.append((place, fault)) }
        }
        return faults
    }

    /// What conditions name that is not there, by their places; a label that is retired may still be on
    /// conversations.
    func faults(of conditions: [RuleCondition]) -> [(Int, Fault)] {
        conditions.enumerated().compactMap { place, condition in
            switch condition.test {
            case .assignee(.agent(let agent)) where !members.contains(agent):
                (place, faultOfMember)
            case .team(let team?) where !teams.contains(team): (place, faultOfTeam)
            case .label(let label) where !labels.contains(where: { $0.id == label }):
                (place, faultOfLabel(at: ["label"]))
            default: nil
            }
        }
    }

    /// Texts with placeholders: no rule fills them, and customers would read them as they are written.
    private static func gaps(of actions: [TeamAction]) -> [(Int, Fault)] {
        actions.enumerated().compactMap { place, action in
            switch action {
            case .note(let text):
                let object = JSONWriter.object { $0.member("note", text) }
                return hasGap(object) ? (place, faultOfGap(at: ["note"])) : nil
            case .send(_, let values):
                return hasGap(values) ? (place, faultOfGap(at: ["template", "values"])) : nil
            case .assign, .move, .label, .prioritize, .enter, .snooze: return nil
            }
        }
    }

    /// Whether an object has a placeholder, of whichever name or form.
    private static func hasGap(_ object: [UInt8]) -> Bool {
        do throws(TemplateError) {
            return try !TemplateForm(payload: object, parameters: []).placeholders.isEmpty
        } catch {
            return true
        }
    }

    private static func faultOfGap(at path: [String]) -> Fault {
        Fault(
            path: path, allowed: "texts without {{placeholders}}",
            fix: "A rule fills in nothing that it says: write {{customer.name}} into the template.")
    }

    private static func refuse(_ faults: [(Int, Fault)], at value: JSONValue) throws(Problem) {
        guard !faults.isEmpty else { return }
        throw Problem(
            faults.map { place, fault in
                let stated = fault.path.reduce(value[place] ?? value) { $0[$1] ?? $0 }
                return RequestFinding(
                    .value, at: stated, found: RequestFinding.shown(stated),
                    allowed: fault.allowed, fix: fault.fix)
            })
    }

    private func fault(of action: TeamAction) async throws(Problem) -> Fault? {
        switch action {
        case .assign(.agent(let agent)): return handlers.contains(agent) ? nil : faultOfHandler
        case .move(let team?): return teams.contains(team) ? nil : faultOfTeam
        case .label(let add, _):
            let usable = Set(labels.lazy.filter { !$0.isRetired }.map(\.id))
            return usable.isSuperset(of: add) ? nil : faultOfLabel(at: ["labels", "add"])
        case .send(let name, let values): return try await fault(of: name, values)
        case .assign(.caller), .assign(.nobody), .move(nil), .prioritize, .enter, .snooze, .note:
            return nil
        }
    }

    private func fault(of name: TemplateName, _ values: [UInt8]) async throws(Problem) -> Fault? {
        let id = business.id
        let found = try await services.asking { store throws(StoreError) in
            try await store.findTemplate(name, of: id, version: nil)
        }
        guard let found else {
            return Fault(
                path: ["template", "name"], allowed: "the name of a template of the business",
                fix: "Take the name from GET /api/templates.")
        }
        guard isUnattended else { return nil }
        do throws(Problem) {
            _ = try services.fillUnattended(found, values: values, of: business, for: nil)
            return nil
        } catch {
            return Fault(
                path: ["template"],
                allowed: "a template with a value or a default for everything",
                fix: "Nobody is there to give values, and a customer's name may be unknown: "
                    + error.detail)
        }
    }

    private var path: String { "GET /api/businesses/\(business.id.text)" }

    private var faultOfMember: Fault {
        Fault(
            path: ["assignee"], allowed: "the id of a member of the business",
            fix: "Take the id from \(path)/members.")
    }

    private var faultOfHandler: Fault {
        Fault(
            path: ["assign"], allowed: "the id of a member who handles conversations",
            fix: "Take the id from \(path)/members.")
    }

    private var faultOfTeam: Fault {
        Fault(
            path: ["team"], allowed: "a team of the business that is not retired",
            fix: "Take the id from \(path)/teams.")
    }

    private func faultOfLabel(at place: [String]) -> Fault {
        Fault(
            path: place, allowed: "labels of the business that are not retired",
            fix: "Take the ids from \(path)/labels.")
    }
}
