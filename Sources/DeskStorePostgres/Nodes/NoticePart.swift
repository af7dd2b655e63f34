import DeskStore

/// What uses a node's connection for notices.
///
/// Thread: each call comes on the connection's, so none waits for anything but the database.
protocol NoticePart: Sendable {
    /// What it listens to.
    var channels: [NoticeChannel] { get }

    /// The connection was made, anew perhaps: what was notified before may have been missed.
    func begin(on connection: ListeningConnection) throws(StoreError)

    /// Receives what any node notified, this one included.
    func receive(_ payload: String, on channel: NoticeChannel)

    /// When it wants its next step; nil when it waits for a notice, or for its own wake-up.
    func nextStep() -> ContinuousClock.Instant?

    /// Does what is due.
    func step(on connection: ListeningConnection) throws(StoreError)

    /// The node leaves: the last use of the connection.
    func end(on connection: ListeningConnection) throws(StoreError)
}

extension NoticePart {
    func begin(on connection: ListeningConnection) throws(StoreError) {}
    func end(on connection: ListeningConnection) throws(StoreError) {}
}
