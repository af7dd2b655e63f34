import DeskModel
import Synchronization

/// The bytes of uploads under way, so that several at once are counted like one after the other.
final class UploadQuota: Sendable {
    private let reserved = Mutex<[ConversationID: Int64]>([:])

    /// Counts bytes that are coming; returns all that are coming to the conversation now.
    func reserve(_ bytes: Int64, for conversation: ConversationID) -> Int64 {
        reserved.withLock { reserved in
            reserved[conversation, default: 0] += bytes
            return reserved[conversation, default: 0]
        }
    }

    /// Counts them no more: they are held by now, or will never come.
    func release(_ bytes: Int64, for conversation: ConversationID) {
        reserved.withLock { reserved in
            let left = (reserved[conversation] ?? 0) - bytes
            reserved[conversation] = left > 0 ? left : nil
        }
    }
}
