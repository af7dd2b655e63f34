import DeskModel

/// The events that a provider has not received yet, and why.
struct WaitingDeliveries: Hashable, Sendable {
    /// How many wait for a further attempt, or for one of their conversation that does.
    var waiting = 0
    /// How many are not tried any more.
    var dead = 0
    /// When the next attempt is made, by the server's clock.
    var next: Timestamp?
    /// The outcome of the last attempt.
    var detail: String?

    /// The same as a sentence; nil when all was delivered.
    ///
    /// - Parameter isTried: describes when the next attempt is made.
    func sentence(_ isTried: (Timestamp) -> String) -> String? {
        guard waiting + dead > 0 else { return nil }
        var parts: [String] = []
        if waiting > 0 {
            let tried = next.map(isTried) ?? "in a moment"
            parts.append(
                "\(waiting) waiting (the next is tried \(tried)"
                    + (detail.map { "; the last attempt: \($0))" } ?? ")"))
        }
        if dead > 0 { parts.append("\(dead) given up") }
        return "Deliveries to the provider: " + parts.joined(separator: ", ")
    }
}
