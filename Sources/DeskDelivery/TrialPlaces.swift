import DeskModel
import Synchronization

/// How many people wait for test events, so that a business keeps no others from posting.
final class TrialPlaces: Sendable {
    private let waiting = Mutex<[BusinessID: Int]>([:])

    /// Whether there is a place for one more.
    func begin(_ business: BusinessID) -> Bool {
        waiting.withLock { waiting in
            let own = waiting[business, default: 0]
            let all = waiting.values.reduce(0, +)
            guard own < WebhookPoster.trialsOfBusiness, all < WebhookPoster.trialsAtOnce else {
                return false
            }
            waiting[business] = own + 1
            return true
        }
    }

    /// Gives the place back.
    func end(_ business: BusinessID) {
        waiting.withLock { waiting in
            let left = waiting[business, default: 1] - 1
            waiting[business] = left > 0 ? left : nil
        }
    }
}
