import DeskJSON
import DeskModel

extension ArchiveLine {
    static func retention(_ line: inout ArchiveMembers) throws(ArchiveFault) -> Retention {
        let business: BusinessID = try line.id("business")
        let days = Int(try line.number("days"))
        let changedAt = try line.time("changedAt")
        return Retention(
            of: business, days: days, changedAt: changedAt, beginsAt: try line.time("beginsAt"))
    }

    static func write(_ one: LegalHold, to line: inout JSONWriter) {
        line.put("business", one.business.text)
        if let conversation = one.subject.conversation {
            line.put("conversation", conversation.text)
        }
        line.put("reason", one.reason)
        line.put("author", one.author)
        line.put("placedAt", one.placedAt)
    }

    static func legalHold(_ line: inout ArchiveMembers) throws(ArchiveFault) -> LegalHold {
        let business: BusinessID = try line.id("business")
        let conversation: ConversationID? = try line.idIfAny("conversation")
        return LegalHold(
            on: conversation.map { .conversation($0) } ?? .business(business), of: business,
            reason: try line.text("reason"), author: try line.author("author"),
            placedAt: try line.time("placedAt"))
    }
}
