import DeskBroker
import DeskCalendar
import DeskHTTP
import DeskJSON
import DeskLog
import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds the hours of a business and of its teams.
    public mutating func addHours(limits: APILimits) {
        let business = "/api/businesses/{business}"
        for (path, whose) in [(business, ""), (business + "/teams/{team}", "Team")] {
            add(
                .get, path + "/hours", operation: "get\(whose)Hours",
                permission: .readConversations, business: .path
            ) { context async throws(Problem) in try await HoursRoutes(context).get() }
            add(
                .put, path + "/hours", operation: "set\(whose)Hours", permission: .manageHours,
                business: .path, bodyLimit: limits.recordBytes, rate: .write
            ) { context async throws(Problem) in try await HoursRoutes(context).set() }
            add(
                .delete, path + "/hours", operation: "remove\(whose)Hours",
                permission: .manageHours, business: .path, rate: .write
            ) { context async throws(Problem) in try await HoursRoutes(context).remove() }
        }
    }
}

/// Answers the routes of `addHours`.
struct HoursRoutes {
    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func get() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        let team = try await requireTeam(of: business)
        return try await answer(business, team)
    }

    func set() async throws(Problem) -> Response {
        let bytes = try await context.jsonBytes()
        var fields = try Fields(bytes)
        // The reader of hours knows the members, and names those that it does not know.
        for name in ["timeZone", "week", "holidays"] { _ = fields.value(name) }
        guard let root = JSONValue.parsed(bytes) else { throw .notFound }
        var faults: [BusinessHours.Fault] = []
        let hours = BusinessHours.read(root, &faults)
        for fault in faults { fields.note(.value, fault.value, fault.allowed, fault.fix) }
        if let hours, services.timeZones.rules(of: hours.timeZone) == nil {
            fields.note(
                "timeZone", "the name of a time zone, such as Europe/Berlin",
                "Take a name of the IANA time zone database that this server's machine has.")
        }
        try fields.finish()
        guard let hours else { throw .notFound }
        return try await save(hours)
    }

    func remove() async throws(Problem) -> Response { try await save(nil) }

    private func save(_ hours: BusinessHours?) async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        let team = try await requireTeam(of: business)
        let known = try await services.storedHours(of: business)
        let data = hours?.json
        // What is there already has no event.
        if known.first(where: { $0.team == team })?.data != data {
            let author = try context.requirePrincipal().author
            let event = JSONWriter.object { text in
                text.member("team", team?.text)
                text.member("hours") { text in
                    if let data { text.raw(data) } else { text.null() }
                }
                text.member("by") {
                    $0.object {
                        $0.member("type", author.kind)
                        $0.member("id", author.name)
                    }
                }
            }
            try await services.brokering { broker throws(BrokerError) in
                try await broker.saveHours(
                    of: business, for: team, data, event: event, by: author)
            }
        }
        return try await answer(business, team)
    }

    /// The team that the path names; nil where it names none.
    private func requireTeam(of business: BusinessID) async throws(Problem) -> TeamID? {
        guard let text = context.request.parameters["team"] else { return nil }
        let teams = try await services.asking { store throws(StoreError) in
            try await store.teams(of: business)
        }
        guard let id = TeamID(text), teams.contains(where: { $0.id == id }) else {
            throw .notFound
        }
        return id
    }

    private func answer(_ business: BusinessID, _ team: TeamID?) async throws(Problem) -> Response {
        let stored = try await services.storedHours(of: business)
        let own = stored.first { $0.team == team }?.data
        let times = services.openingTimes(of: team, stored)
        let now = services.time.now()
        return .json(
            JSONWriter.object { text in
                text.member("hours") { text in
                    if let own { text.raw(own) } else { text.null() }
                }
                text.member("now") { $0.openness(times, at: now) }
            })
    }
}

extension Services {
    /// The hours of a business and of its teams.
    func storedHours(of business: BusinessID) async throws(Problem) -> [StoredHours] {
        try await asking { store throws(StoreError) in try await store.hours(of: business) }
    }

    /// When a team answers, by its own hours or else by its business's; nil is always.
    ///
    /// Hours whose time zone the machine does not know any more are none; a line of the log says so.
    func openingTimes(of team: TeamID?, _ stored: [StoredHours]) -> OpeningTimes? {
        let found = stored.first { $0.team == team } ?? stored.first { $0.team == nil }
        guard let found else { return nil }
        guard let hours = BusinessHours(found.data),
            let rules = timeZones.rules(of: hours.timeZone)
        else {
            log.warning("hours_unusable", ["business": .text(found.business.text)])
            return nil
        }
        return OpeningTimes(hours, rules)
    }
}

extension JSONWriter {
    /// Writes whether it is open at a moment, and when that changes.
    fileprivate mutating func openness(_ times: OpeningTimes?, at now: Timestamp) {
        let isOpen = times?.isOpen(at: now) ?? true
        let change = times?.nextChange(after: now)
        object {
            $0.member("time", now)
            $0.member("open", isOpen)
            $0.member("changesAt", change)
            $0.member("nextOpening", isOpen ? nil : change)
        }
    }
}
