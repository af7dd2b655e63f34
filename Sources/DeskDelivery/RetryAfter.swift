import DeskHTTP
import DeskModel

/// The field `Retry-After` of an answer.
enum RetryAfter {
    /// How long an answer asks to wait, up to a day: a number of seconds, or a date of HTTP.
    static func wait(_ headers: HeaderFields, at now: Timestamp) -> Duration? {
        guard let text = headers["retry-after"] else { return nil }
        let seconds: Int64
        if let number = Int64(text) {
            seconds = number
        } else if let date = HTTPDate.secondsSince1970(text) {
            // Rounded up: at the moment itself it is not too early.
            seconds = max(0, Int64(date) - now.milliseconds / 1_000)
        } else {
            return nil
        }
        return seconds < 0 ? nil : .seconds(min(seconds, 86_400))
    }
}
