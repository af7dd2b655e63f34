import DeskBytes
package import DeskModel

/// CRC-32C over the values of one row, each with its kind and length, in the order of its columns.
///
/// The same values in the same order give the same sum, whatever engine keeps them; a row is
/// verified whenever it is read.
package struct RowChecksum: Sendable {
    // The kinds are part of the storage format.
    private static let null: UInt64 = 0
    private static let integer: UInt64 = 1
    private static let text: UInt64 = 2
    private static let blob: UInt64 = 3
    /// Never written: a value of this kind in a row is damage.
    private static let foreign: UInt64 = 4

    private var sum = CRC32C()
    /// The sum up to the last value that was not absent, and how many absent ones followed it.
    private var sumOfPresent = CRC32C()
    private var absentLast = 0

    /// A checksum over no values yet.
    package init() {}

    /// The checksum of the values so far, as it lies in the row.
    package var value: Int64 { Int64(sum.value) }

    /// The checksum as if the last values had not been added; nil when one of them is not absent.
    package func value(withoutLast count: Int) -> Int64? {
        guard count > 0 else { return value }
        guard absentLast >= count else { return nil }
        var shorter = RowChecksum()
        shorter.sum = sumOfPresent
        for _ in 0..<(absentLast - count) { shorter.addNull() }
        return shorter.value
    }

    /// Adds an absent value.
    package mutating func addNull() {
        if absentLast == 0 { sumOfPresent = sum }
        absentLast += 1
        sum.update(Self.null << 56)
    }

    /// Adds a value of a kind that no row has.
    package mutating func addForeign() { begin(Self.foreign, 0) }

    /// Adds a number.
    package mutating func add(_ number: Int64) {
        begin(Self.integer, 8)
        sum.update(UInt64(bitPattern: number))
    }

    /// Adds a text's bytes.
    package mutating func add(text: Span<UInt8>) {
        begin(Self.text, text.count)
        sum.update(text)
    }

    /// Adds bytes.
    package mutating func add(blob: Span<UInt8>) {
        begin(Self.blob, blob.count)
        sum.update(blob)
    }

    /// Adds an id, which lies in the row as its bytes.
    package mutating func add(_ id: UniqueID) {
        begin(Self.blob, 16)
        sum.update(id.high)
        sum.update(id.low)
    }

    /// Adds a digest, which lies in the row as its bytes.
    package mutating func add(_ digest: Digest) {
        begin(Self.blob, 32)
        for place in 0..<4 { sum.update(digest.words[place]) }
    }

    private mutating func begin(_ kind: UInt64, _ count: Int) {
        absentLast = 0
        sum.update(kind << 56 | UInt64(count))
    }
}

extension RowChecksum {
    /// Adds a text.
    package mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { unsafe add(text: $0.span) }
    }

    /// Adds a text, or its absence.
    package mutating func add(_ text: String?) { if let text { add(text) } else { addNull() } }

    /// Adds a number, or its absence.
    package mutating func add(_ number: Int64?) {
        if let number { add(number) } else { addNull() }
    }

    /// Adds a claim, which lies in the row as 1 or 0.
    package mutating func add(_ claim: Bool) { add(claim ? 1 : 0 as Int64) }

    /// Adds a moment, or its absence.
    package mutating func add(_ time: Timestamp?) { add(time?.milliseconds) }

    /// Adds an id, or its absence.
    package mutating func add(_ id: UniqueID?) { if let id { add(id) } else { addNull() } }

    /// Adds a digest, or its absence.
    package mutating func add(_ digest: Digest?) {
        if let digest { add(digest) } else { addNull() }
    }
}
