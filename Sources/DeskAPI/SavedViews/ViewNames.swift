import DeskJSON
import DeskModel
import DeskStore
import DeskWeb

/// Whether what filters name is there: labels, teams, members and attributes of businesses.
struct ViewNames {
    private struct Known {
        let labels: Set<LabelID>
        let teams: Set<TeamID>
        let members: Set<AgentID>
        let attributes: [AttributeDefinition]
    }

    private let services: Services
    private var known: [BusinessID: Known] = [:]

    init(_ services: Services) { self.services = services }

    /// Refuses a filter that names what a business does not have, or has no longer.
    ///
    /// - Parameter value: the filter as it was stated, for the places.
    mutating func check(
        _ filter: ViewFilter, at value: JSONValue, in business: BusinessID
    ) async throws(Problem) {
        let path = "GET /api/businesses/\(business.text)"
        var findings: [RequestFinding] = []
        for (place, allowed, list) in try await faults(of: filter, in: business) {
            let stated = place.dropFirst().split(separator: "/").reduce(value) { value, part in
                Int(part).flatMap { value[$0] } ?? value[String(part)] ?? value
            }
            findings.append(
                RequestFinding(
                    .value, at: stated, found: RequestFinding.shown(stated), allowed: allowed,
                    fix: "Take it from \(path)/\(list)."))
        }
        guard findings.isEmpty else { throw Problem(findings) }
    }

    /// The places within a stored filter of what is not there any more.
    mutating func missing(
        of filter: ViewFilter, in business: BusinessID?
    ) async throws(Problem) -> [String] {
        guard let business, filter.namesOfBusiness else { return [] }
        return try await faults(of: filter, in: business).map { "/filter" + $0.place }
    }

    private mutating func faults(
        of filter: ViewFilter, in business: BusinessID
    ) async throws(Problem) -> [(place: String, allowed: String, list: String)] {
        let known = try await require(business)
        var faults: [(place: String, allowed: String, list: String)] = []
        for (place, label) in filter.labels.enumerated() where !known.labels.contains(label) {
            faults.append(
                ("/labels/\(place)", "a label of the business that is not retired", "labels"))
        }
        if case .some(let team?) = filter.team, !known.teams.contains(team) {
            faults.append(("/team", "a team of the business that is not retired", "teams"))
        }
        if case .agent(let agent) = filter.care, !known.members.contains(agent) {
            faults.append(("/assignee", "a member of the business", "members"))
        }
        for (key, value) in filter.attributes.sorted(by: { $0.key < $1.key }) {
            let definition = known.attributes.first { $0.key == key }
            if definition?.allows(value) != true {
                faults.append(
                    (
                        "/attributes/\(key)",
                        "a value of an attribute of conversations that is not retired",
                        "attributes"
                    ))
            }
        }
        return faults
    }

    private mutating func require(_ business: BusinessID) async throws(Problem) -> Known {
        if let found = known[business] { return found }
        let found = try await services.asking { store throws(StoreError) in
            Known(
                labels: Set(
                    try await store.labels(of: business).lazy.filter { !$0.isRetired }.map(\.id)),
                teams: Set(
                    try await store.teams(of: business).lazy.filter { !$0.isRetired }.map(\.id)),
                members: Set(try await store.agents(of: business).map(\.id)),
                attributes: try await store.attributes(of: business).filter {
                    $0.subject == .conversation && !$0.isRetired
                })
        }
        known[business] = found
        return found
    }
}
