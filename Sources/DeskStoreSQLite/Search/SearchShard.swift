import DeskModel
import DeskStore

/// A range of the log whose messages lie in one full-text table.
///
/// Looking through one table is what a search cannot be stopped in, so that tables are kept small;
/// a search looks at the newest first and ends when it has found enough or looked for long enough.
struct SearchShard: Comparable, Hashable {
    /// Positions of one table, as a power of two.
    private static let bits: Int64 = 18

    let number: Int64

    init(number: Int64) { self.number = number }

    init(of position: Position) { number = position.value >> Self.bits }

    var table: String { "words_\(number)" }

    var positions: ClosedRange<Int64> {
        (number << Self.bits)...((number + 1) << Self.bits - 1)
    }

    static func < (left: SearchShard, right: SearchShard) -> Bool { left.number < right.number }

    /// How a table is made: it keeps no texts, and words are cut and folded before it sees them.
    ///
    /// The newest pieces are merged sixteen at a time, not four: a row is written half as often.
    /// The beginnings of words that many words share have lists of their own: to put such a list
    /// together from those of all its words lasts a second.
    var schema: String {
        """
        CREATE VIRTUAL TABLE \(table) USING fts5 (words, content = '', columnsize = 0, \
        prefix = '3 4 5', tokenize = 'ascii');
        INSERT INTO \(table) (\(table), rank) VALUES ('automerge', 0);
        INSERT INTO \(table) (\(table), rank) VALUES ('crisismerge', 16);
        INSERT INTO \(table) (\(table), rank) VALUES ('hashsize', 8388608);
        """
    }
}

/// A row's number in a full-text table: the business above the position, so that one business's
/// messages lie together in the log's order.
enum SearchRowNumber {
    /// Bits of the position: a million million.
    private static let positionBits: Int64 = 40
    /// Businesses that fit above it.
    static let businesses: Int64 = 1 << 22

    static func number(of position: Int64, business: Int64) -> Int64 {
        business << positionBits | position
    }

    static func position(of number: Int64) -> Int64 { number & (1 << positionBits - 1) }
}
