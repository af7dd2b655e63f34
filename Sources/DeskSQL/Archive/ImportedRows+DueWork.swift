import DeskModel
import DeskStore

/// What is to be done at a moment to come follows from the conversations, and is in no archive.
extension ImportedRows {
    /// Has a conversation woken, its answer counted, and said to be overdue, each as its row has it.
    static func plan(
        _ one: ArchivedConversation, of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) {
        let due = [
            (DueWork.Kind.wake, one.conversation.snoozedUntil),
            (.breach, one.conversation.answerDue?.at), (.due, one.conversation.uncountedSince),
        ]
        for case (let kind, let time?) in due {
            let name = DueWork.Name(kind, in: one.conversation.id)
            try DueWorks.put(
                DueWork(name, of: business, dueAt: time, madeAt: time, author: .server),
                on: sql)
        }
    }

    /// What was said to be overdue is not said again.
    static func forgetBreach(
        of conversation: ConversationID, saidAt time: Timestamp, on sql: any SQLSession
    ) throws(StoreError) {
        let name = DueWork.Name(.breach, in: conversation)
        guard let work = try DueWorks.find(name, on: sql), work.dueAt <= time else {
            return
        }
        try DueWorks.remove(name, on: sql)
    }
}
