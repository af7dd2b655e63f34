public import DeskLog
public import DeskModel
import DeskSQL
public import DeskStore
import Synchronization

/// A full-text index in a file of its own beside the store's, or in memory.
///
/// A thread of low priority writes it, or one of ordinary priority when it is far behind; another
/// one searches it. The file can be deleted at any time while no process serves it, and is made anew
/// when it is missing, damaged or of another life of the store.
public final class SQLiteSearch: SearchIndex {
    /// The file's name in the data directory.
    public static let fileName = "search.sqlite"
    /// Searches that may wait; one more is refused as `overloaded`.
    static let waitingSearches = 32
    /// Time between two merges of the notes, whose work grows with all notes: words of edited and deleted notes are
    /// found no more at once, and are in the file for so long at most.
    static let notesMerge = Duration.seconds(60)

    struct State {
        var indexed: Position
        var isDamaged = false
        /// Rises with each file.
        var life = 0
        /// How far the notes were read; nil when the file has to be asked.
        var notes: NoteCursor?
        /// Whether words of changed notes are still in the file; nil when the file has to be asked.
        var hasRemovedNotes: Bool?
        /// When such words were last merged away.
        var notesMerged: ContinuousClock.Instant?
    }

    let source: SearchSource
    private let patient: SearchQueue<LentFile>
    private let urgent: SearchQueue<LentFile>
    let reader: SearchQueue<SearchReader>
    private let isInMemory: Bool
    private let notesMerge: Duration
    let state: Mutex<State>

    /// Opens or makes the index; `readable` gives what people see of a message.
    ///
    /// A patient one leaves the processor to all other work.
    /// - Throws: `full` or `failed` when there is neither an index nor a way to make one.
    public convenience init(
        of store: any MessageSource, directory: String, metrics: Metrics = Metrics(),
        isPatient: Bool = true,
        readable: @escaping @Sendable (StoredMessage) -> String
    ) throws(StoreError) {
        try self.init(
            of: store, path: directory + "/" + Self.fileName, metrics: metrics,
            isPatient: isPatient, notesMerge: Self.notesMerge, readable: readable)
    }

    /// Makes an index in memory, which ends with this object and leaves nothing behind.
    public convenience init(
        inMemoryOf store: any MessageSource,
        readable: @escaping @Sendable (StoredMessage) -> String
    ) throws(StoreError) {
        try self.init(
            of: store, path: nil, metrics: Metrics(), isPatient: false, notesMerge: Self.notesMerge,
            readable: readable)
    }

    /// Opens or makes the index in a file, or in memory without a path, with another time between merges of notes.
    init(
        of store: any MessageSource, path: String?, metrics: Metrics, isPatient: Bool,
        notesMerge: Duration,
        readable: @escaping @Sendable (StoredMessage) -> String
    ) throws(StoreError) {
        source = SearchSource(store, readable: readable)
        isInMemory = path == nil
        self.notesMerge = notesMerge
        let file = try SearchFileWriter(path: path, epoch: store.epoch, newest: store.newest)
        state = Mutex(State(indexed: file.indexed))
        let lent = LentFile(file)
        patient = SearchQueue(limit: 1, isPatient: isPatient, with: lent)
        urgent = SearchQueue(limit: 1, isPatient: false, with: lent)
        reader = SearchQueue(
            limit: Self.waitingSearches, isPatient: false,
            with: path.map { .file(SearchFileReader(path: $0)) } ?? .lent(lent))
        let reader = reader
        metrics.showSearch(newest: { store.newest }, indexed: { [weak self] in self?.indexed })
        metrics.show(.search) { reader.waiting }
    }

    deinit {
        // An index in memory may be dropped without a close: what its threads hold is not needed.
        guard isInMemory else { return }
        for queue in [patient, urgent] { queue.stop() }
        reader.stop()
    }

    /// Messages up to here can be found.
    public var indexed: Position { state.withLock { $0.indexed } }

    /// Indexes the next batch of messages.
    public func advance(isUrgent: Bool) async throws(StoreError) -> SearchAdvance {
        let queue = isUrgent ? urgent : patient
        var advance = SearchAdvance()
        if state.withLock({ $0.isDamaged }) { advance.isAnew = try await makeAnew() }
        while try await forgetErased(on: queue) {}
        let hasNotes = try await readNotes(on: queue)
        if !hasNotes { try await mergeNotes(every: notesMerge, on: queue) }
        guard indexed < source.store.newest else {
            advance.mayGoOn = hasNotes
            return advance
        }
        let batch = try await source.batch(after: indexed) { messages throws(StoreError) in
            try await cut(messages, on: queue)
        }
        advance.damaged = batch.damaged
        advance.messages = batch.rows.count
        try await add(batch.rows, upTo: batch.end, on: queue)
        // What came while this was written is for the next look.
        advance.mayGoOn = hasNotes || (batch.isFull && batch.end < source.store.newest)
        return advance
    }

    /// Rebuilds the tables that have words of erased messages, from what the log has now.
    ///
    /// Returns whether it found erasures: then there may be more.
    private func forgetErased(on queue: SearchQueue<LentFile>) async throws(StoreError) -> Bool {
        let start = try await queue.run { lent throws(StoreError) in
            try lent.use { file throws(StoreError) in try file.erasedUpTo() }
        }
        let erased = try await source.store.erasures(after: start)
        guard let last = erased.last else { return false }
        let indexed = indexed
        // What is not indexed yet will be read as a tombstone.
        let shards = Set(
            erased.filter { $0.position <= indexed }.map { SearchShard(of: $0.position) })
        for shard in shards.sorted() {
            do throws(StoreError) {
                try await queue.run { lent throws(StoreError) in
                    try lent.use { file throws(StoreError) in try file.beginAnew(shard) }
                }
                try await fill(shard, upTo: indexed, on: queue)
            } catch {
                try await queue.run { lent throws(StoreError) in
                    try lent.use { file throws(StoreError) in try file.endAnew(isWhole: false) }
                }
                throw error
            }
        }
        try await queue.run { lent throws(StoreError) in
            try lent.use { file throws(StoreError) in try file.noteErased(upTo: last.number) }
        }
        return true
    }

    private func fill(
        _ shard: SearchShard, upTo indexed: Position, on queue: SearchQueue<LentFile>
    ) async throws(StoreError) {
        let last = min(shard.positions.upperBound, indexed.value)
        var end = Position(max(0, shard.positions.lowerBound - 1))
        while end.value < last {
            let range = try await source.store.messages(
                after: end, limit: SearchSource.rangeMessages)
            let inside = range.messages.filter { $0.position.value <= last }
            let rows = try await cut(inside, on: queue)
            try await queue.run { lent throws(StoreError) in
                try lent.use { file throws(StoreError) in try file.addAnew(rows) }
            }
            end = range.end
        }
        try await queue.run { lent throws(StoreError) in
            try lent.use { file throws(StoreError) in try file.endAnew(isWhole: true) }
        }
    }

    private func cut(
        _ messages: [StoredMessage], on queue: SearchQueue<LentFile>
    ) async throws(StoreError) -> [SearchRow] {
        let source = source
        return try await queue.run { _ in source.rows(of: messages) }
    }

    private func add(
        _ rows: [SearchRow], upTo end: Position, on queue: SearchQueue<LentFile>
    ) async throws(StoreError) {
        try await noting {
            () async throws(StoreError) in
            let filled = try await queue.run { lent throws(StoreError) in
                try lent.use { file throws(StoreError) in try file.add(rows, upTo: end) }
            }
            state.withLock { $0.indexed = end }
            for shard in filled {
                try await queue.run { lent throws(StoreError) in
                    try lent.use { file throws(StoreError) in try file.merge(shard) }
                }
            }
        }
    }

    /// Finds messages of some businesses, newest first.
    public func search(
        _ query: SearchQuery, in businesses: Set<BusinessID>, at edge: PageEdge<Position>,
        limit: Int
    ) async throws(StoreError) -> SearchPage {
        let limit = min(max(limit, 1), 300)
        let (indexed, life) = state.withLock { ($0.indexed, $0.life) }
        let look = SearchLook(
            expression: query.expression, businesses: businesses,
            positions: edge.positions(upTo: indexed), isBackward: edge.isBackward, limit: limit,
            until: .now + .milliseconds(SearchPage.lookMilliseconds))
        let found = try await noting { () async throws(StoreError) in
            try await reader.run { reader throws(StoreError) in try reader.find(look, life: life) }
        }
        let positions = edge.isBackward ? found.positions.reversed() : found.positions
        let hits = try await source.hits(at: positions, of: query, in: businesses)
        return SearchPage(hits, at: edge, rest: found.rest, indexed: indexed)
    }

    /// Ends the threads; the index stays.
    public func close() async {
        await reader.close()
        await patient.close()
        await urgent.close()
    }

    /// Notes when a file turns out to be damaged, so that it is rebuilt.
    func noting<Value>(
        _ body: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let life = state.withLock { $0.life }
        do {
            return try await body()
        } catch {
            if error.code == .damaged || error.code == .refused {
                // Damage of a file that was replaced meanwhile is no news.
                state.withLock { if $0.life == life { $0.isDamaged = true } }
            }
            throw error
        }
    }

    private func makeAnew() async throws(StoreError) -> Bool {
        try await urgent.run { lent throws(StoreError) in
            try lent.use { file throws(StoreError) in try file.makeAnew() }
        }
        state.withLock { state in
            state.indexed = .start
            state.notes = nil
            state.hasRemovedNotes = nil
            state.isDamaged = false
            state.life += 1
        }
        return true
    }
}

/// How the reading thread reaches the index.
enum SearchReader {
    /// Through a connection of its own.
    case file(SearchFileReader)
    /// Through the writer's connection: a second one could not open a database in memory.
    case lent(LentFile)

    func find(_ look: SearchLook, life: Int) throws(StoreError) -> FoundPositions {
        switch self {
        case .file(let file): return try file.find(look, life: life)
        case .lent(let lent):
            return try lent.use { file throws(StoreError) in
                guard let connection = file.connection else { return FoundPositions() }
                return try SearchFileReader.find(look, on: connection)
            }
        }
    }

    func findNotes(_ look: NoteLook, life: Int) throws(StoreError) -> [Int64] {
        switch self {
        case .file(let file): return try file.findNotes(look, life: life)
        case .lent(let lent):
            return try lent.use { file throws(StoreError) in
                guard let connection = file.connection else { return [] }
                return try SearchFileReader.findNotes(look, on: connection)
            }
        }
    }
}

/// The index's file, used by one of its writer's threads at a time.
final class LentFile: Sendable {
    private let file: Mutex<SearchFileWriter>

    init(_ file: sending SearchFileWriter) { self.file = Mutex(file) }

    func use<Value: Sendable>(
        _ body: (SearchFileWriter) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        try file.withLock { file throws(StoreError) in try body(file) }
    }
}
