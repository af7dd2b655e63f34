import DeskJSON
import DeskModel
import DeskStore
import DeskTeam
import DeskWeb

/// Whether what actions name is there: members, labels, templates of the business.
struct ActionCheck {
    private let services: Services
    private let business: BusinessID

    init(_ services: Services, _ business: BusinessID) {
        self.services = services
        self.business = business
    }

    /// Refuses actions that name what the business does not have.
    ///
    /// - Parameter value: the list as it was stated, for the places.
    func check(_ actions: [TeamAction], at value: JSONValue) async throws(Problem) {
        let labels = try await services.asking { store throws(StoreError) in
            Set(try await store.labels(of: business).lazy.filter { !$0.isRetired }.map(\.id))
        }
        var findings: [RequestFinding] = []
        for (place, action) in actions.enumerated() {
            guard let fault = try await fault(of: action, labels) else { continue }
            let stated = value[place] ?? value
            findings.append(
                RequestFinding(
                    .value, at: stated, found: RequestFinding.shown(stated), allowed: fault.allowed,
                    fix: fault.fix))
        }
        guard findings.isEmpty else { throw Problem(findings) }
    }

    private func fault(
        of action: TeamAction, _ labels: Set<LabelID>
    ) async throws(Problem) -> (allowed: String, fix: String)? {
        let path = "GET /api/businesses/\(business.text)"
        switch action {
        case .assign(.agent(let agent)):
            let memberships = try await services.asking { store throws(StoreError) in
                try await store.memberships(of: agent)
            }
            guard !memberships.contains(where: { $0.business == business }) else { return nil }
            return ("the id of a member of the business", "Take the id from \(path)/members.")
        case .move(let team?):
            let teams = try await services.asking { store throws(StoreError) in
                try await store.teams(of: business)
            }
            guard !teams.contains(where: { $0.id == team && !$0.isRetired }) else { return nil }
            return ("a team of the business that is not retired", "Take the id from \(path)/teams.")
        case .label(let add, _):
            guard !labels.isSuperset(of: add) else { return nil }
            return (
                "labels of the business that are not retired", "Take the ids from \(path)/labels."
            )
        case .send(let name, _):
            let found = try await services.asking { store throws(StoreError) in
                try await store.findTemplate(name, of: business, version: nil)
            }
            guard found == nil else { return nil }
            return (
                "the name of a template of the business", "Take the name from GET /api/templates."
            )
        case .assign(.caller), .assign(.nobody), .move(nil), .prioritize, .enter, .snooze, .note:
            return nil
        }
    }
}
