package import DeskModel

/// A message on its way into an index.
package struct SearchRow: Sendable {
    /// Where the message lies.
    package let position: Position
    /// Whose it is.
    package let business: BusinessID
    /// Its words as `SearchWords.text` has them.
    package let words: String

    /// Puts a row together.
    package init(position: Position, business: BusinessID, words: String) {
        self.position = position
        self.business = business
        self.words = words
    }
}

/// What every search index reads of the log: the words of the next messages, and the messages that it found.
package struct SearchSource: Sendable {
    /// Messages, and bytes of their words, from which on a batch gets no more.
    private static let batchMessages = 2_048
    private static let batchBytes = 4 * 1_024 * 1_024
    /// Messages that are read from the store at a time, so that other calls do not wait long for
    /// its readers.
    package static let rangeMessages = 256
    /// Messages that are held whole at a time, to cut their snippets.
    private static let messagesAtOnce = 4

    /// Messages that are indexed together.
    package struct Batch: Sendable {
        /// What was read.
        package fileprivate(set) var rows: [SearchRow] = []
        /// The positions of messages that are not whole.
        package fileprivate(set) var damaged: [Position] = []
        /// Everything up to here was read.
        package fileprivate(set) var end: Position
        /// Whether there may be more to read at once.
        package fileprivate(set) var isFull = false
    }

    /// The log.
    package let store: any MessageSource
    private let readable: @Sendable (StoredMessage) -> String

    /// Reads a store; `readable` gives what people see of a message.
    package init(
        _ store: any MessageSource, readable: @escaping @Sendable (StoredMessage) -> String
    ) {
        self.store = store
        self.readable = readable
    }

    /// The rows of messages; the work of some milliseconds.
    package func rows(of messages: [StoredMessage]) -> [SearchRow] {
        messages.map { message in
            SearchRow(
                position: message.position, business: message.business,
                words: SearchWords.text(of: readable(message)))
        }
    }

    /// Reads the next messages, and has `cut` make their rows on a thread of the caller's choice.
    package func batch(
        after position: Position,
        cut: ([StoredMessage]) async throws(StoreError) -> [SearchRow]
    ) async throws(StoreError) -> Batch {
        var batch = Batch(end: position)
        var bytes = 0
        while batch.end < store.newest, !batch.isFull {
            let range = try await store.messages(after: batch.end, limit: Self.rangeMessages)
            let rows = try await cut(range.messages)
            for row in rows { bytes += row.words.utf8.count }
            batch.rows += rows
            batch.damaged += range.damaged
            batch.end = range.end
            batch.isFull = batch.rows.count >= Self.batchMessages || bytes >= Self.batchBytes
        }
        return batch
    }

    /// What is shown of messages that an index found, in their order.
    ///
    /// The index may be wrong, the message is not: what does not match is not shown.
    package func hits(
        at positions: [Position], of query: SearchQuery, in businesses: Set<BusinessID>
    ) async throws(StoreError) -> [SearchHit] {
        var hits: [SearchHit] = []
        var positions = positions[...]
        while !positions.isEmpty {
            let messages = try await store.messages(
                at: Array(positions.prefix(Self.messagesAtOnce)))
            positions = positions.dropFirst(Self.messagesAtOnce)
            for message in messages where businesses.contains(message.business) {
                guard let snippet = SearchSnippet(of: query, in: readable(message)) else {
                    continue
                }
                hits.append(SearchHit(message: message, snippet: snippet))
            }
        }
        return hits
    }
}
