import DeskJSON
import DeskModel

/// Suggested answers as lines.
extension ArchiveLine {
    static func write(_ one: Suggestion, to line: inout JSONWriter) {
        line.put("id", one.id.text)
        line.put("business", one.business.text)
        line.put("conversation", one.conversation.text)
        line.put("author", one.author)
        line.put("createdAt", one.createdAt)
        if let model = one.model { line.put("model", model) }
        line.put("kind", one.kind.rawValue)
        line.put("summary", one.summary)
        if let remark = one.remark { line.put("remark", remark) }
        line.put("payload", utf8: one.payload)
    }

    static func suggestion(_ line: inout ArchiveMembers) throws(ArchiveFault) -> Suggestion {
        Suggestion(
            id: try line.id("id"), business: try line.id("business"),
            conversation: try line.id("conversation"), author: try line.author("author"),
            createdAt: try line.time("createdAt"), model: try line.textIfAny("model"),
            kind: try line.word("kind") { MessageKind(rawValue: $0) },
            summary: try line.text("summary"), remark: try line.textIfAny("remark"),
            payload: try line.utf8("payload"))
    }
}
