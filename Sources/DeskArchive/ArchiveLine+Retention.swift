import DeskModel

extension ArchiveLine {
    static func retention(_ line: inout ArchiveMembers) throws(ArchiveFault) -> Retention {
        let business: BusinessID = try line.id("business")
        let days = Int(try line.number("days"))
        let changedAt = try line.time("changedAt")
        return Retention(
            of: business, days: days, changedAt: changedAt, beginsAt: try line.time("beginsAt"))
    }
}
