public import DeskModel

/// A signal on its way to the readers of every process.
public struct SignalNotice: Hashable, Sendable {
    /// What a stream of a process reported of presence.
    public struct Report: Hashable, Sendable {
        /// The stream; its name is unique among all processes.
        public let stream: UniqueID
        /// Higher than that of every earlier report of the stream; a repeat has the same.
        public let number: Int64

        /// Names a report.
        public init(stream: UniqueID, number: Int64) {
            self.stream = stream
            self.number = number
        }
    }

    /// The signal.
    public let signal: Signal
    /// Which report of presence it is; nil for typing, which ends by itself.
    public let report: Report?

    /// Puts a notice together.
    public init(_ signal: Signal, report: Report? = nil) {
        self.signal = signal
        self.report = report
    }
}

/// Carries typing and presence between the processes that share a store; nothing is stored.
///
/// A notice may be lost, come late, come twice or overtake another. Typing ends by itself, so that
/// readers bear all of it. Presence stays, so that its process numbers the reports, and
/// repeats them where a bus may lose them.
public protocol SignalBus: Sendable {
    /// How often presence is repeated, so that what was lost is made up for; nil where no notice is
    /// ever lost, late, doubled or overtaken.
    var repeatInterval: Duration? { get }

    /// Sends notices to the listeners of every process, this one included.
    ///
    /// Thread: any; it waits for nothing but listeners of this process.
    func publish(_ notices: [SignalNotice])

    /// Calls a listener with what any process publishes from now on.
    ///
    /// Thread: any; the listener waits for nothing.
    func subscribe(_ listener: @escaping @Sendable ([SignalNotice]) -> Void)
}
