import DeskEventJSON
import DeskJSON
import DeskModel

extension JSONWriter {
    /// Writes a suggested answer.
    mutating func suggestion(_ one: Suggestion, _ names: AuthorNames) {
        object { text in
            text.member("id", one.id.text)
            text.member("conversation", one.conversation.text)
            text.member("createdAt", one.createdAt)
            text.member("author") { $0.author(one.author, names) }
            text.member("model", one.model)
            text.member("kind", one.kind.rawValue)
            text.member("summary", one.summary)
            text.member("remark", one.remark)
            text.member("payload", raw: one.payload)
        }
    }
}
