import DeskModel
package import DeskStore

/// A reading of the store in small steps, each a short transaction, so that it runs beside a server.
///
/// It verifies every message, event, note, conversation and first answer by its row checksum,
/// payloads by their checksum and digest, the chain of each conversation and its head, positions
/// without gaps, the index that recognises ids, and the bytes of every attachment that is named.
package struct Inspection: Sendable {
    /// What is read next.
    package enum Stage: Hashable, Sendable {
        case events
        case messages
        case conversations
        case notes
        case answers
        case attachments
        /// What the engine checks by itself.
        case engine
        case done
    }

    /// Attachments in one step.
    static let filesPerStep = 4

    let engine: InspectedEngine
    /// Whether nothing is written: then the sums over all rows are compared too.
    package internal(set) var isStill: Bool
    /// Whether only the newest messages and events are read.
    let isBrief: Bool
    /// What is read next.
    package internal(set) var stage: Stage = .events
    /// Everything of the stage up to here was read.
    var cursor: Int64 = 0
    /// The newest position when it began; nil before the first step.
    var bounds: LogBounds?
    /// What was read so far.
    package internal(set) var counts = InspectionCounts()
    /// What the last step found.
    package internal(set) var found: [Damage] = []
    /// Messages that conversations say they have, and those that were read of them.
    var expected: Int64 = 0
    var belonging: Int64 = 0
    var lastScope = ""
    var lastAttachment: [UInt8] = []
    /// Attachments whose bytes are to be read before the next step.
    var files: [NamedFile] = []
    /// Those that are not what was held, unless nothing names them any more.
    var doubtful: [(file: NamedFile, reason: String)] = []

    /// Reads everything.
    package init(of engine: InspectedEngine, isStill: Bool) {
        self.engine = engine
        self.isStill = isStill
        isBrief = false
    }

    /// Reads the newest places of the log alone.
    package init(of engine: InspectedEngine, newest count: Int64) {
        self.engine = engine
        isStill = false
        isBrief = true
        cursor = -count
    }

    /// Whether everything was read.
    package var isDone: Bool { stage == .done }

    /// Reads a little further; what it finds is in `found`.
    ///
    /// The caller reads the attachments that it names (`nextFile`) before the next step.
    package mutating func step(on sql: any SQLSession) throws(StoreError) {
        found.removeAll()
        guard let bounds else { return try begin(on: sql) }
        switch stage {
        case .events: try readEvents(bounds, on: sql)
        case .messages: try readMessages(bounds, on: sql)
        case .conversations: try readConversations(bounds, on: sql)
        case .notes: try readNotes(on: sql)
        case .answers: try readAnswers(on: sql)
        case .attachments: try nameAttachments(on: sql)
        case .engine: go(on: .done)
        case .done: break
        }
    }

    private mutating func begin(on sql: any SQLSession) throws(StoreError) {
        var first = try LogBounds(of: engine, on: sql)
        if isBrief { first.start = max(first.pruned, first.newest + cursor) }
        bounds = first
        cursor = first.start
        guard first.newest < first.settled else { return }
        note(
            Damage(
                "event", position: Position(max(0, first.settled)),
                reason: "the log ends before it, at \(first.newest)"))
    }

    /// Adds a finding.
    package mutating func note(_ damage: Damage) {
        found.append(damage)
        counts.damaged += 1
    }

    /// Begins the next stage.
    mutating func go(on next: Stage) {
        stage = next
        cursor = 0
    }

    /// Reads rows; where the database cannot read them it is damage and not a failure.
    package static func unlessDamaged<Value>(
        on sql: any SQLSession, _ body: () throws(StoreError) -> Value
    ) throws(StoreError) -> Value? {
        do throws(StoreError) {
            return try sql.attempt(body)
        } catch {
            guard error.code == .damaged else { throw error }
            return nil
        }
    }
}
