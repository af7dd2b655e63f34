public import DeskModel

/// What an operator does to a store: read it through, back it up, export it, close it.
public protocol Maintenance: Sendable {
    /// Makes a backup beside the writing, reads it through and gives it its name.
    ///
    /// A copy that is not whole is kept under the name with `.damaged` behind it. Durable: on return.
    /// - Parameter freeBytes: so much of the disk that the store writes to is left free.
    /// - Throws: `refused` when there is something of that name, too little room beside the store, or
    ///   the store cannot be copied to a directory, `full`, `failed`.
    func backUp(
        to directory: String, at time: Timestamp, leaving freeBytes: Int64
    ) async throws(StoreError) -> StoreBackup

    /// Hands over everything that one moment of the store holds, with the attachments that it names, beside the
    /// writing.
    ///
    /// `begin` receives the head, then `take` each item, both on a thread of this call's own; an error
    /// that either throws ends it. Memory does not grow with the store.
    /// - Throws: `damaged` with the first item that is not what was written, `refused` when the store
    ///   has no export, `failed`.
    func archive(
        with blobs: any BlobStore, at time: Timestamp,
        begin: @escaping @Sendable (ArchiveHead) throws(StoreError) -> Void,
        take: @escaping @Sendable (ArchiveItem) throws(StoreError) -> Void
    ) async throws(StoreError)

    /// Begins another life of the store, so that every cursor of before is answered with a reset.
    ///
    /// - Throws: `refused` where the restoring of a backup does that, `failed`.
    func beginEpoch(_ next: Epoch) async throws(StoreError)

    /// Makes a reader of the running store and of the attachments that it names, for one task.
    ///
    /// - Throws: `refused` when the store cannot be read beside the writing, `failed`.
    func makeWatch(with blobs: any BlobStore) throws(StoreError) -> any StoreWatch

    /// Measures the disk that the store writes to; nil when that is none of this machine's.
    var disk: DiskGauge? { get }

    /// Finishes what was accepted, then refuses; returns when everything is closed.
    func close() async
}

/// A backup that was made.
public struct StoreBackup: Sendable {
    /// Where it lies; another name than asked for when it is damaged.
    public let directory: String
    /// The newest position in it.
    public let position: Position
    /// How many attachments it holds.
    public let attachments: Int
    /// The reading of the copy.
    public let verification: StoreVerification

    /// Puts the result together.
    public init(
        directory: String, position: Position, attachments: Int, verification: StoreVerification
    ) {
        self.directory = directory
        self.position = position
        self.attachments = attachments
        self.verification = verification
    }
}

/// A whole reading of a store or a backup.
public struct StoreVerification: Sendable {
    /// Most findings that are kept; all are counted.
    public static let maximumFindings = 1_000

    /// What was read.
    public let counts: InspectionCounts
    /// What is damaged, in the order of reading.
    public let damage: [Damage]
    /// Whether nothing was written meanwhile, so that the sums over all rows were compared too.
    public let isStill: Bool

    /// How many secrets each encryption key encrypts; none of the keys is among what was read.
    public var secrets: [EncryptionKeyID: Int] = [:]

    /// Whether nothing is damaged.
    public var isClean: Bool { counts.damaged == 0 }

    /// Puts the result together.
    public init(counts: InspectionCounts, damage: [Damage], isStill: Bool) {
        self.counts = counts
        self.damage = damage
        self.isStill = isStill
    }
}

/// How much a reading of the whole store has read so far.
public struct InspectionCounts: Hashable, Sendable {
    /// Rows of messages.
    public var messages = 0
    /// Rows of events.
    public var events = 0
    /// Rows of conversations, each with its chain of messages.
    public var conversations = 0
    /// Rows of notes.
    public var notes = 0
    /// Rows of first answers, by which a repeated request is recognised.
    public var answers = 0
    /// Files of attachments.
    public var attachments = 0
    /// Bytes of payloads and attachments.
    public var bytes: Int64 = 0
    /// How many of them are damaged.
    public var damaged = 0

    /// Counts of nothing.
    public init() {}

    /// All rows and files together.
    public var all: Int { messages + events + conversations + notes + answers + attachments }
}

/// Reads a running store through, a step at a time, behind all other work.
///
/// Thread: one task uses it at a time.
public protocol StoreWatch: Sendable {
    /// What the store calls its database, for an alarm when not even that can be read.
    var name: String { get }

    /// Begins with the newest positions of the log, so many of them.
    func begin(newest count: Int)

    /// Begins to read everything.
    func begin()

    /// Reads a little further.
    ///
    /// - Throws: `damaged` when not even the bounds of the log can be read, `closed`, `failed`.
    func step() async throws(StoreError) -> WatchStep

    /// Ends its thread.
    func close() async
}

/// What one step of a `StoreWatch` found.
public struct WatchStep: Sendable {
    /// What was read since the reading began.
    public let counts: InspectionCounts
    /// What the step found damaged.
    public let found: [Damage]
    /// Whether everything was read.
    public let isDone: Bool

    /// Puts a step together.
    public init(counts: InspectionCounts, found: [Damage], isDone: Bool) {
        self.counts = counts
        self.found = found
        self.isDone = isDone
    }
}

/// A store that is made of an archive, aside; nothing of it is in place before `finish`.
///
/// Thread: blocks the caller's, one at a time.
public protocol ArchiveTarget: AnyObject {
    /// Adds the next item, in the order of `ArchiveItem`.
    ///
    /// - Throws: `refused` with a sentence when it cannot follow what came before.
    func take(_ item: ArchiveItem) throws(StoreError)

    /// Reads the store through and puts it into its place. Durable: on return.
    ///
    /// - Throws: `refused` or `damaged` when the items do not make a whole store.
    func finish() throws(StoreError) -> StoreVerification

    /// Removes everything again.
    func abandon()
}
