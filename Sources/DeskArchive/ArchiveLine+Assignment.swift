import DeskJSON
import DeskModel

extension ArchiveLine {
    static func write(_ one: StoredAssignment, to line: inout JSONWriter) {
        line.put("business", one.business.text)
        if let team = one.team { line.put("team", team.text) }
        line.put("strategy", one.rule.strategy.rawValue)
        line.put("sticky", one.rule.isSticky)
        line.put("capacity", Int64(one.rule.capacity))
        if let minutes = one.rule.giveBackMinutes { line.put("giveBackMinutes", Int64(minutes)) }
        let own = one.capacities.sorted { $0.key.text < $1.key.text }
        line.put("members", own.map(\.key.text))
        line.put("capacities", own.map { String($0.value) })
    }
}
