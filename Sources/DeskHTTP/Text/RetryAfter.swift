public import DeskModel

/// The field `Retry-After` of an answer (RFC 9110 10.2.3).
public enum RetryAfter {
    /// The longest wait that an answer may ask for: a day.
    private static let longest: Int64 = 86_400

    /// How long an answer asks to wait, up to a day: a number of seconds, or a date of HTTP.
    ///
    /// Nil for a field that is missing, repeated, or of neither form.
    public static func wait(_ headers: HeaderFields, at now: Timestamp) -> Duration? {
        guard let text = headers.only("retry-after"), !text.isEmpty else { return nil }
        if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // A number that is too long for a number of ours asks for the longest wait.
            return .seconds(min(Int64(text) ?? longest, longest))
        }
        guard let date = HTTPDate.secondsSince1970(text) else { return nil }
        // Rounded up: at the moment itself it is not too early.
        return .seconds(min(max(0, Int64(date) - now.milliseconds / 1_000), longest))
    }
}
