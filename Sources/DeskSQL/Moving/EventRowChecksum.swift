import DeskStore

/// Row checksums of events whose data an earlier program wrote as a text.
///
/// SQLite keeps a text in a column of bytes, and a row checksum is another one for bytes. The other engine has
/// bytes there, so the checksum of such a row is made anew, if it is right.
struct EventRowChecksum {
    private let places: [Int]
    private let data: Int
    private let checksum: Int

    /// Finds the columns; nil for another table than that of events.
    init?(_ shape: TableShape) {
        guard shape.name == "events" else { return nil }
        func place(_ name: String) -> Int? { shape.columns.firstIndex { $0.name == name } }
        let covered = RowLayout.events.columns.compactMap(place)
        // It covers every column but itself.
        let rest = shape.columns.indices.filter { !covered.contains($0) }
        guard covered.count == RowLayout.events.count, rest.count == 1, let checksum = rest.first,
            let data = place("data")
        else { return nil }
        places = covered
        self.data = data
        self.checksum = checksum
    }

    /// Replaces the checksum of a row where it is right for a text.
    func renew(_ row: inout [TableCopy.Value]) {
        guard case .bytes = row[data], case .integer(let stored) = row[checksum],
            let coverage = RowLayout.events.coverage(of: stored)
        else { return }
        guard stored & 0xFFFF_FFFF == sum(row, coverage, asText: true) else { return }
        row[checksum] = .integer((stored & ~0xFFFF_FFFF) | sum(row, coverage, asText: false))
    }

    private func sum(
        _ row: [TableCopy.Value], _ coverage: RowLayout.Coverage, asText: Bool
    ) -> Int64 {
        var sum = RowChecksum()
        for (order, place) in places.prefix(coverage.count).enumerated() {
            switch row[place] {
            case .null:
                if !(coverage.skipsAbsentLast && order == coverage.count - 1) { sum.addNull() }
            case .integer(let number): sum.add(number)
            case .text(let text): sum.add(text)
            case .bytes(let bytes) where place == data && asText: sum.add(text: bytes.span)
            case .bytes(let bytes): sum.add(blob: bytes.span)
            }
        }
        return sum.value
    }
}
