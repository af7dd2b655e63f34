import DeskModel
import DeskWeb

/// The bytes of uploads under way, so that several at once are counted like one after the other.
final class UploadQuota: Sendable {
    private let reserved: any ReservationCounter

    init(counters: any CounterSource) { reserved = counters.reservations("uploads under way") }

    /// Counts bytes that are coming; returns all that are coming to the conversation now.
    func reserve(_ bytes: Int64, for conversation: ConversationID) -> Int64 {
        reserved.reserve(bytes, for: RateSubject.customer(conversation).counted)
    }

    /// Counts them no more: they are held by now, or will never come.
    func release(_ bytes: Int64, for conversation: ConversationID) {
        reserved.release(bytes, for: RateSubject.customer(conversation).counted)
    }
}
