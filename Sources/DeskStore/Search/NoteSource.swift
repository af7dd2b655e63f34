public import DeskModel

/// A note with its number, by which an index knows it, and where it belongs.
public struct NumberedNote: Sendable {
    /// Its number; numbers rise in the order in which notes were added.
    public let number: Int64
    /// The note as it is now.
    public let note: Note
    /// The conversation that it is about.
    public let conversation: ConversationID
    /// Whose it is.
    public let business: BusinessID

    /// Puts the four together.
    public init(
        number: Int64, note: Note, conversation: ConversationID, business: BusinessID
    ) {
        self.number = number
        self.note = note
        self.conversation = conversation
        self.business = business
    }
}

/// Which notes changed in a part of the log.
public struct NoteChanges: Sendable {
    /// The numbers of notes that were added, edited or deleted, each once.
    public let numbers: [Int64]
    /// Everything up to here was looked at.
    public let end: Position

    /// Puts the two together.
    public init(numbers: [Int64], end: Position) {
        self.numbers = numbers
        self.end = end
    }
}

/// Gives notes as they are now, deleted ones too, for readers who keep something of their texts.
public protocol NoteSource: Sendable {
    /// Lists the numbers of notes after a number; none when there are no more.
    ///
    /// Order: by number. Limit: 300.
    func noteNumbers(after number: Int64) async throws(StoreError) -> [Int64]

    /// Reads the notes with some numbers; what is missing or damaged is left out.
    func notes(numbered numbers: [Int64]) async throws(StoreError) -> [NumberedNote]

    /// Which notes changed after a position.
    ///
    /// Limit: 10,000 positions.
    func noteChanges(after position: Position) async throws(StoreError) -> NoteChanges
}

/// One note that a search found.
public struct NoteHit: Sendable {
    /// The note.
    public let note: NumberedNote
    /// The part of its text that shows why.
    public let snippet: SearchSnippet

    /// Puts the two together.
    public init(note: NumberedNote, snippet: SearchSnippet) {
        self.note = note
        self.snippet = snippet
    }
}

/// A page of notes that a search found, the newest first; places are the numbers of notes.
public struct NotePage: Sendable {
    /// What was found.
    public let hits: [NoteHit]
    /// Behind which place the next page lies, of older notes; nil when there are no more.
    public let next: Position?
    /// Before which place the previous page lies, of newer notes; nil when there are no more.
    public let previous: Position?

    /// Puts a page together of the notes of some candidates that were found at an edge.
    ///
    /// - Parameters:
    ///   - candidates: numbers in the order in which they were looked for.
    ///   - hasMore: whether there are more in that direction.
    package init(
        _ hits: [NoteHit], of candidates: [Int64], at edge: PageEdge<Position>, hasMore: Bool
    ) {
        self.hits = hits
        let rest = hasMore ? candidates.last.map { Position(max(0, $0)) } : nil
        switch edge {
        case .start: (previous, next) = (nil, rest)
        case .after(let place):
            // What is at the place is before this page.
            previous =
                candidates.first.map { Position(max(0, $0)) } ?? Position(max(0, place.value - 1))
            next = rest
        case .before(let place):
            previous = rest
            next = candidates.first.map { Position(max(0, $0)) } ?? Position(place.value + 1)
        }
    }
}

/// How far an index has read the notes.
package struct NoteCursor: Hashable, Sendable {
    /// Notes up to this number were read, until all were that there were at first: nil from then on.
    package var filled: Int64?
    /// Changes up to here were read.
    package var position: Position

    /// Begins with the first note, and with what changes from a position on.
    package init(filled: Int64? = 0, position: Position) {
        self.filled = filled
        self.position = position
    }
}

/// Notes that are indexed together.
package struct NoteBatch: Sendable {
    /// The numbers of notes whose words are replaced by those of the rows; those of deleted ones by none.
    package let numbers: [Int64]
    /// The words of those that are there.
    package let rows: [NoteWords]
    /// Where the next batch begins.
    package let next: NoteCursor
}

/// A note on its way into an index.
package struct NoteWords: Sendable {
    /// Its number.
    package let number: Int64
    /// Whose it is.
    package let business: BusinessID
    /// Its words as `SearchWords.text` has them.
    package let words: String
}

extension SearchSource {
    /// Reads the next notes; nil when there is nothing to read.
    package func notes(after cursor: NoteCursor) async throws(StoreError) -> NoteBatch? {
        var next = cursor
        let numbers: [Int64]
        if let filled = cursor.filled {
            numbers = try await store.noteNumbers(after: filled)
            next.filled = numbers.last
        } else if cursor.position < store.newest {
            let changes = try await store.noteChanges(after: cursor.position)
            numbers = changes.numbers
            next.position = changes.end
        } else {
            return nil
        }
        let found = numbers.isEmpty ? [] : try await store.notes(numbered: numbers)
        let rows = found.filter { $0.note.deletedAt == nil }.map {
            NoteWords(
                number: $0.number, business: $0.business,
                words: SearchWords.text(of: $0.note.text))
        }
        return NoteBatch(numbers: numbers, rows: rows, next: next)
    }

    /// What is shown of notes that an index found, the newest first: deleted ones and those that are other since are not.
    package func page(
        of candidates: [Int64], limit: Int, for query: SearchQuery, in businesses: Set<BusinessID>,
        at edge: PageEdge<Position>
    ) async throws(StoreError) -> NotePage {
        let wanted = Array(candidates.prefix(limit))
        let found = wanted.isEmpty ? [] : try await store.notes(numbered: wanted)
        let hits = found.sorted { $0.number > $1.number }.compactMap { one -> NoteHit? in
            guard one.note.deletedAt == nil, businesses.contains(one.business) else { return nil }
            return SearchSnippet(of: query, in: one.note.text).map {
                NoteHit(note: one, snippet: $0)
            }
        }
        return NotePage(hits, of: wanted, at: edge, hasMore: candidates.count > limit)
    }
}
