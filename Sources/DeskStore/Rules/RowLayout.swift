/// The columns of a table that row checksums cover, in the order in which they go into the sum.
///
/// A row's checksum is one number: the CRC-32C in the lower half, and in the upper half which
/// coverage it has. A column that comes later is appended here together with one more coverage; rows
/// from before keep theirs and stay valid. What a row's checksum does not cover is not read from it.
package struct RowLayout: Sendable {
    /// The meaning of one coverage number.
    ///
    /// Never edited once rows were written with it.
    package struct Coverage: Hashable, Sendable {
        /// How many columns it covers, from the first on.
        package let count: Int
        /// Whether the last of them goes into the sum only where it has a value.
        package let skipsAbsentLast: Bool

        /// Covers the first columns.
        package init(_ count: Int, skipsAbsentLast: Bool = false) {
            self.count = count
            self.skipsAbsentLast = skipsAbsentLast
        }
    }

    /// The columns; their order never changes.
    package let columns: [String]
    /// The coverages by their number.
    package let coverages: [Coverage]
    /// The newest coverage that every program knows which may serve beside this one.
    package let settled: Int

    /// Lays out a table whose newest coverage has every column; unless another is stated, all programs know it.
    package init(_ columns: [String], _ coverages: [Coverage], settled: Int? = nil) {
        precondition(coverages.last == Coverage(columns.count), "a column is not covered")
        let newest = coverages.count - 1
        precondition((0...newest).contains(settled ?? newest), "no coverage is settled")
        self.columns = columns
        self.coverages = coverages
        self.settled = settled ?? newest
    }

    /// How many columns there are.
    package var count: Int { columns.count }

    /// The coverage of a stored checksum; nil for one that no row has.
    package func coverage(of stored: Int64) -> Coverage? {
        let number = Int(stored >> 32)
        return coverages.indices.contains(number) ? coverages[number] : nil
    }

    /// The checksum as it is stored in a row that is written now, from the sum over all columns.
    ///
    /// It covers what `settled` does, and more only where a later column has a value.
    package func stored(_ sum: RowChecksum) -> Int64 {
        for number in settled..<coverages.count - 1 {
            let later = count - coverages[number].count
            if let value = sum.value(withoutLast: later) { return Int64(number) << 32 | value }
        }
        return Int64(coverages.count - 1) << 32 | sum.value
    }

    /// The columns as a SELECT lists them, of the table known by a letter.
    package func list(of letter: String) -> String {
        columns.map { "\(letter).\($0)" }.joined(separator: ", ")
    }
}

extension RowLayout {
    /// Rows of messages; the payload has its own checksum, which is one of these columns.
    package static let messages = RowLayout(
        [
            "position", "conversation", "sequence", "previous", "id", "time", "direction", "kind",
            "author_kind", "author_name", "origin", "digest", "posted", "checksum", "summary",
            "headers", "warnings", "template", "template_version", "template_values",
            "attachments", "in_reply_to", "entry_code", "erased_at",
        ], [Coverage(23), Coverage(24)])

    /// The place of `erased_at` among the columns of a message: a row whose coverage ends before it is
    /// no tombstone, whatever the column holds.
    package static let erasedAtPlace = 23

    /// Rows of events; the first ones had no revision, and the next covered it where it had a value.
    package static let events = RowLayout(
        [
            "position", "type", "time", "business", "conversation", "subject", "data", "revision",
        ], [Coverage(8, skipsAbsentLast: true), Coverage(8)])

    /// Rows of notes.
    package static let notes = RowLayout(
        [
            "conversation", "id", "time", "author_kind", "author_name", "text", "after_sequence",
            "mentions", "edited_at", "deleted_at",
        ], [Coverage(7), Coverage(10)])

    /// Rows of first answers.
    package static let answers = RowLayout(
        ["scope", "body", "conversation", "message", "status", "answer", "answered_at"],
        [Coverage(7)])

    /// Rows of conversations, as `ConversationColumn.all` declares them.
    package static let conversations = RowLayout(
        ConversationColumn.all.map(\.name), ConversationColumn.coverages)
}
