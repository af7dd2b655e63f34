import DeskJSON
import DeskModel

extension JSONWriter {
    /// Writes a draft whole.
    mutating func draft(_ draft: Draft) {
        object { text in
            text.draftHead(draft)
            text.member("content") { text in
                if let content = draft.content { text.raw(content) } else { text.null() }
            }
        }
    }

    /// Writes what a list shows of a draft.
    mutating func draftMark(_ draft: Draft) {
        object { $0.draftHead(draft) }
    }

    private mutating func draftHead(_ draft: Draft) {
        member("conversation", draft.conversation.text)
        member("version", Int(draft.version))
        member("savedAt", draft.savedAt)
        member("kind", draft.kind)
        member("text", draft.text)
    }
}
