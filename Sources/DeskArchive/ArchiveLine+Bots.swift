import DeskJSON
import DeskModel

/// Bots as lines.
extension ArchiveLine {
    static func write(_ one: Bot, to line: inout JSONWriter) {
        line.put("id", one.id.text)
        line.put("business", one.business.text)
        line.put("name", one.name)
        line.put("key", one.key.text)
        if let webhook = one.webhook { line.put("webhook", webhook.text) }
        line.put("answerSeconds", Int64(one.answerSeconds))
        line.put("first", one.isFirst)
        line.put("intents", one.intents.joined(separator: "\n"))
        line.put("retired", one.isRetired)
    }

    static func bot(_ line: inout ArchiveMembers) throws(ArchiveFault) -> Bot {
        Bot(
            id: try line.id("id"), business: try line.id("business"), name: try line.text("name"),
            key: try line.id("key"), webhook: try line.idIfAny("webhook"),
            answerSeconds: Int(try line.number("answerSeconds")), isFirst: try line.claim("first"),
            intents: try line.text("intents").split(separator: "\n").map { String($0) },
            isRetired: try line.claim("retired"))
    }
}
