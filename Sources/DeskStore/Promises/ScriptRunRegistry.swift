public import DeskModel

/// The runs of scripts, for every node that shows one: those that are played, and the last that ended.
///
/// The node that plays a run holds the run's lease (`ScriptRunRow.lease`), and alone changes what is shown. A
/// run that has not ended and whose lease is free is played by no node any more: the node that finds that ends it.
public protocol ScriptRunRegistry: Sendable {
    /// Adds a run that is played from now on.
    ///
    /// Order: of several callers, on whichever node, each counts the runs of all before. Limit: `most` runs at
    /// once, and each customer in one of them.
    /// - Throws: `superseded` when the lease is another's; then nothing is stored.
    func beginScriptRun(
        _ run: ScriptRunRow, of customers: [String], atMost most: Int, under lease: Lease
    ) async throws(StoreError) -> ScriptRunBeginning
    /// Stores what is shown of a run, unless it has ended.
    ///
    /// - Throws: `superseded` when the lease is another's; then nothing is stored.
    func updateScriptRun(
        _ id: ScriptRunID, to document: [UInt8], under lease: Lease
    ) async throws(StoreError)
    /// Ends a run with what is shown of it from now on, and forgets all but the `kept` last ones that ended;
    /// one that has ended stays as it is.
    ///
    /// - Throws: `superseded` when the lease is another's; then nothing is stored.
    func endScriptRun(
        _ id: ScriptRunID, as document: [UInt8], at time: Timestamp, keeping kept: Int,
        under lease: Lease
    ) async throws(StoreError)
    /// Asks the node that plays a run for something; false when the run has ended, or is not there.
    func askScriptRun(_ id: ScriptRunID, for wish: ScriptRunWish) async throws(StoreError) -> Bool
    /// Finds a run.
    func findScriptRun(_ id: ScriptRunID) async throws(StoreError) -> ScriptRunRow?
    /// Lists the runs, those that began last first.
    func scriptRuns() async throws(StoreError) -> [ScriptRunRow]
}

/// A run of a script as it is stored.
public struct ScriptRunRow: Hashable, Sendable {
    /// Names it.
    public let id: ScriptRunID
    /// When it began.
    public let start: Timestamp
    /// When it ended; nil while it is played.
    public let end: Timestamp?
    /// What is shown of it, in the form that its player gives it.
    public let document: [UInt8]
    /// The line of the step whose wait is to end now; nil when none was asked for.
    public let skippedLine: Int?
    /// Whether it is to end where it is.
    public let isStopWanted: Bool

    /// Puts a run together; without more it begins.
    public init(
        id: ScriptRunID, start: Timestamp, end: Timestamp? = nil, document: [UInt8],
        skippedLine: Int? = nil, isStopWanted: Bool = false
    ) {
        self.id = id
        self.start = start
        self.end = end
        self.document = document
        self.skippedLine = skippedLine
        self.isStopWanted = isStopWanted
    }

    /// The name of the lease of the node that plays a run.
    public static func lease(of id: ScriptRunID) -> String { "script run \(id.text)" }
}

/// What can be asked of a run.
public enum ScriptRunWish: Hashable, Sendable {
    /// That the wait of the step in a line ends now.
    case skip(line: Int)
    /// That it ends where it is.
    case stop
}

/// What became of an attempt to begin a run.
public enum ScriptRunBeginning: Hashable, Sendable {
    /// It is stored.
    case begun
    /// As many run as may.
    case tooMany
    /// This customer is in another run.
    case isBusy(String)
}
