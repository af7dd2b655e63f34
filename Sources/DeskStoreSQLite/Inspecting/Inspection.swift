import DeskModel
import DeskStore

/// A reading of the store in small steps, each a short transaction, so that it runs beside a server.
///
/// It verifies every message, event, note, conversation and first answer by its row checksum,
/// payloads by their checksum and digest, the chain of each conversation and its head, positions
/// without gaps, the index that recognises ids, and the bytes of every attachment that is named.
struct Inspection: Sendable {
    /// What is read next.
    enum Stage: Hashable, Sendable {
        case events
        case messages
        case conversations
        case notes
        case answers
        case attachments
        case file
        case done
    }

    /// Places of the log in one step.
    static let stride: Int64 = 500
    /// Attachments in one step.
    static let filesPerStep = 4

    /// Whether nothing is written: then the sums over all rows are compared too.
    let isStill: Bool
    /// Where the attachments lie.
    let blobs: String
    /// Whether only the newest messages and events are read.
    let isBrief: Bool
    var stage: Stage = .events
    /// Everything of the stage up to here was read.
    var cursor: Int64 = 0
    /// The newest position when it began; nil before the first step.
    var bounds: LogBounds?
    var counts = InspectionCounts()
    /// What the last step found.
    var found: [Damage] = []
    /// Messages that conversations say they have, and those that were read of them.
    var expected: Int64 = 0
    var belonging: Int64 = 0
    var lastScope = ""
    var lastAttachment: [UInt8] = []

    /// Reads everything.
    init(blobs: String, isStill: Bool) {
        self.blobs = blobs
        self.isStill = isStill
        isBrief = false
    }

    /// Reads the newest places of the log alone.
    init(newest count: Int64) {
        blobs = ""
        isStill = false
        isBrief = true
        cursor = -count
    }

    var isDone: Bool { stage == .done }

    /// Reads a little further; what it finds is in `found`.
    mutating func step(on connection: Connection) throws(StoreError) {
        found.removeAll()
        guard let bounds else {
            var first = try LogBounds(on: connection)
            if isBrief { first.start = max(first.pruned, first.newest + cursor) }
            bounds = first
            cursor = first.start
            if first.newest < first.settled {
                note(
                    Damage(
                        "event", position: Position(max(0, first.settled)),
                        reason: "the log ends before it, at \(first.newest)"))
            }
            return
        }
        switch stage {
        case .events: try readEvents(bounds, on: connection)
        case .messages: try readMessages(bounds, on: connection)
        case .conversations: try readConversations(on: connection)
        case .notes: try readNotes(on: connection)
        case .answers: try readAnswers(on: connection)
        case .attachments: try readAttachments(on: connection)
        case .file: try readFile(on: connection)
        case .done: break
        }
    }

    mutating func note(_ damage: Damage) {
        found.append(damage)
        counts.damaged += 1
    }

    /// Begins the next stage.
    mutating func go(on next: Stage) {
        stage = next
        cursor = 0
    }

    /// Reads with a statement; where the file cannot be read it is damage and not a failure.
    static func unlessDamaged<Value>(
        _ body: () throws(StoreError) -> Value
    ) throws(StoreError) -> Value? {
        do throws(StoreError) {
            return try body()
        } catch {
            guard error.code == .damaged else { throw error }
            return nil
        }
    }
}

/// Where the log begins and ends.
struct LogBounds: Hashable, Sendable {
    /// Events up to here were forgotten.
    let pruned: Int64
    let newest: Int64
    /// Rows of conversations have everything up to here.
    let settled: Int64
    /// Reading begins after this.
    var start: Int64

    init(on connection: Connection) throws(StoreError) {
        let settled = try connection.prepare("SELECT position FROM settled")
            .first { $0.integer() }
        let pruned = try connection.prepare("SELECT position FROM pruned").first { $0.integer() }
        newest =
            try connection.prepare("SELECT coalesce(max(position), 0) FROM events")
            .first { $0.integer() } ?? 0
        self.settled = settled ?? 0
        self.pruned = pruned ?? 0
        start = pruned ?? 0
    }
}
