import DeskModel

/// A message to one browser.
struct PushMessage: Sendable {
    /// What names it: a later one of the same key replaces it while it waits.
    struct Key: Hashable, Sendable {
        /// The subscription's name.
        let browser: Digest
        /// What it is about.
        let subject: String
    }

    /// Where it goes.
    let subscription: PushSubscription
    /// What it is about, such as the id of a conversation: a device that was off gets the latest about it.
    let subject: String
    /// What it says.
    let payload: [UInt8]
    /// How long a push service keeps it for a device that is off, in seconds.
    var keptSeconds = 86_400

    var key: Key { Key(browser: subscription.id, subject: subject) }
}
