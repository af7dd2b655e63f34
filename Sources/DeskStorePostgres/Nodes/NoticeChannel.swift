/// A channel on which the nodes of one installation hear notices; other schemas of the database have
/// channels of their own.
package struct NoticeChannel: Hashable, Sendable {
    /// What is notified of, in a word.
    package let topic: String

    /// Names a channel by what is notified of.
    package init(topic: String) { self.topic = topic }

    /// Typing and presence.
    package static let signals = NoticeChannel(topic: "signals")
    /// What was counted: debits of rates, failures, reservations.
    package static let counters = NoticeChannel(topic: "counters")
    /// That a change of credentials was recorded.
    package static let credentials = NoticeChannel(topic: "credentials")
    /// That a node has applied changes of credentials.
    package static let confirmations = NoticeChannel(topic: "confirmations")
    /// That the log has new events.
    package static let log = NoticeChannel(topic: "log")
    /// That deliveries of an outbox are due earlier.
    package static let outbox = NoticeChannel(topic: "outbox")

    /// The channel's name, in SQL: other schemas of the database have other names.
    var expression: String {
        "('frontdesk_\(topic)_' || substr(md5(current_schema()), 1, 16))"
    }
}
