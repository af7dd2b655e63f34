/// The tables of a program's patterns in three flat lists, so that a machine can borrow them.
struct PatternTables: Sendable {
    /// Where the parts of one table begin.
    struct Place: Sendable {
        /// 0 where the pattern has no table.
        var width: Int32 = 0
        var firstClass: Int32 = 0
        var firstRow: Int32 = 0
        var firstEnding: Int32 = 0
        /// The row to begin with.
        var start: UInt16 = 0
        var takesEmptyText = false
    }

    private(set) var places: [Place] = []
    private(set) var classes: [UInt8] = []
    private(set) var rows: [UInt16] = []
    private(set) var endings: [Bool] = []

    init(_ patterns: [Pattern]) {
        for pattern in patterns {
            guard let table = pattern.table else {
                places.append(Place())
                continue
            }
            places.append(
                Place(
                    width: Int32(table.width), firstClass: Int32(classes.count),
                    firstRow: Int32(rows.count), firstEnding: Int32(endings.count),
                    start: table.first, takesEmptyText: table.takesEmptyText))
            classes += table.classes
            rows += table.rows
            endings += table.endings
        }
    }

    /// Lends the lists as one view.
    func withView<Answer>(_ body: (View) -> Answer) -> Answer {
        unsafe places.withUnsafeBufferPointer { places in
            unsafe classes.withUnsafeBufferPointer { classes in
                unsafe rows.withUnsafeBufferPointer { rows in
                    unsafe endings.withUnsafeBufferPointer { endings in
                        body(
                            unsafe View(
                                places: places, classes: classes, rows: rows, endings: endings))
                    }
                }
            }
        }
    }

    /// The lists, lent.
    // Safe: lent by `withView`; the builder made rows and classes that lead nowhere else.
    @safe struct View {
        let places: UnsafeBufferPointer<Place>
        let classes: UnsafeBufferPointer<UInt8>
        let rows: UnsafeBufferPointer<UInt16>
        let endings: UnsafeBufferPointer<Bool>

        /// Whether the pattern occurs in a text without escapes; the pattern has a table.
        @inline(__always)
        func occurs(_ place: Place, in text: UnsafeBufferPointer<UInt8>) -> Bool {
            guard !text.isEmpty else { return place.takesEmptyText }
            let classes = unsafe UnsafeBufferPointer(
                rebasing: classes[Int(place.firstClass)..<Int(place.firstClass) + 256])
            let rows = unsafe UnsafeBufferPointer(rebasing: rows[Int(place.firstRow)...])
            let decided = UInt16(truncatingIfNeeded: place.width)
            var row = place.start
            var index = 0
            while row > decided, index < text.count {
                row = unsafe rows[Int(row) + Int(classes[Int(text[index])])]
                index += 1
            }
            return unsafe endings[Int(place.firstEnding) + Int(row) / Int(place.width)]
        }

        /// The same for a text with escapes.
        func occurs(_ place: Place, inEscaped text: UnsafeBufferPointer<UInt8>) -> Bool {
            guard !text.isEmpty else { return place.takesEmptyText }
            let decided = UInt16(truncatingIfNeeded: place.width)
            var row = place.start
            var bytes = unsafe DecodedBytes(text)
            while row > decided, let byte = bytes.next() {
                let kind = unsafe classes[Int(place.firstClass) + Int(byte)]
                row = unsafe rows[Int(place.firstRow) + Int(row) + Int(kind)]
            }
            return unsafe endings[Int(place.firstEnding) + Int(row) / Int(place.width)]
        }
    }
}
