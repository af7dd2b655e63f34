import DeskJSON
import DeskModel
import DeskStore
import DeskWeb

extension JSONWriter {
    /// Writes how many customers of a list wait, and who waits longest.
    mutating func waiting(_ waiting: WaitingConversations) {
        object {
            $0.member("count", waiting.count)
            $0.member("conversation", waiting.longest?.text)
            $0.member("since", waiting.since)
        }
    }
}
