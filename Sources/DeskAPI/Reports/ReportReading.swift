import DeskHTTP
import DeskModel
import DeskStore
import DeskTeam

/// Reads reports from the counters of a store.
struct ReportReading {
    let store: any Store

    /// Reads a report of everything, or of the work of one agent.
    func report(
        of business: BusinessID, _ query: ReportQuery, by own: AgentID? = nil
    ) async throws(StoreError) -> Report {
        let dimension: ReportDimension = own == nil ? .total : .agent
        let member = own?.text ?? ""
        let period = query.period
        let epoch = store.epoch
        let cursor = try await store.findCursor(of: ReportReader.name)
        let slots = try await store.reportSlots(
            of: business, dimension, member, from: period.begin, until: period.end)
        var previous: ReportCounts?
        if query.isCompared {
            let before = period.previous
            previous = try await store.reportSlots(
                of: business, dimension, member, from: before.begin, until: before.end
            ).reduce(into: ReportCounts()) { $0 += $1.counts }
        }
        let begins = period.rows(query.step)
        let counts = ReportPeriod.counts(slots, in: begins)
        let ends = begins.dropFirst() + [period.end]
        var report = Report(
            business: business, query: query,
            countedUpTo: cursor.flatMap { $0.epoch == epoch ? $0 : nil },
            rows: zip(zip(begins, ends), counts).map {
                Report.Row(begin: $0.0, end: $0.1, counts: $1)
            }, previous: previous)
        if let cut = query.cut {
            report.members = try await members(
                of: business, by: cut, in: period, own.map { (agent: $0, total: report.total) })
        }
        return report
    }

    private func members(
        of business: BusinessID, by cut: ReportQuery.Cut, in period: ReportPeriod,
        _ own: (agent: AgentID, total: ReportCounts)?
    ) async throws(StoreError) -> [Report.Member] {
        let found: [ReportMember]
        if let own {
            // Who sees the own work alone has all of it in the rows: nothing of others is read.
            found =
                own.total == ReportCounts() ? [] : [ReportMember(own.agent.text, own.total)]
        } else {
            found = try await store.reportMembers(
                of: business, cut.dimension, from: period.begin, until: period.end,
                limit: Report.mostMembers)
        }
        switch cut {
        case .kind:
            return found.map {
                Report.Member(id: $0.member, name: $0.member, counts: $0.counts)
            }
        case .label:
            let labels = try await store.labels(of: business)
            return found.map { row in
                let label = labels.first { $0.id.text == row.member }
                return Report.Member(
                    id: row.member, name: label?.name ?? row.member, counts: row.counts)
            }
        case .team:
            let teams = try await store.teams(of: business)
            return found.map { row in
                let team = teams.first { $0.id.text == row.member }
                return Report.Member(
                    id: row.member, name: team?.name ?? row.member, counts: row.counts)
            }
        case .agent:
            var named: [Report.Member] = []
            for row in found {
                var name: String?
                if let id = AgentID(row.member) { name = try await store.findAgent(id)?.name }
                named.append(
                    Report.Member(
                        id: row.member, name: name ?? row.member, counts: row.counts))
            }
            return named
        case .entry: return Self.entries(found, try await store.entryLinks(of: business))
        }
    }

    /// Entry links by their intent and group; what no link of the business says is one row.
    private static func entries(
        _ found: [ReportMember], _ links: [EntryLink]
    ) -> [Report.Member] {
        var named: [Report.Member] = []
        var others = ReportCounts()
        for row in found {
            let entry = ReportEntry(row.member)
            let link = links.first { ReportEntry(intent: $0.intent, group: $0.group) == entry }
            if let link {
                named.append(Report.Member(id: link.id, name: link.label, counts: row.counts))
            } else if let entry, entry == ReportEntry(intent: nil, group: nil) {
                named.append(Report.Member(id: nil, name: "", counts: row.counts))
            } else {
                others += row.counts
            }
        }
        if others != ReportCounts() {
            named.append(Report.Member(id: nil, name: "other", counts: others))
        }
        return named
    }
}
