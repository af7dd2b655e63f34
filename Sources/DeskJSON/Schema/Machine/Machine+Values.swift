import DeskBytes

extension Machine {
    /// Lends the decoded bytes of a string or key; copies only where there are escapes.
    mutating func withContent<Answer>(
        _ entry: Node, _ body: (UnsafeBufferPointer<UInt8>) -> Answer
    ) -> Answer {
        let raw = unsafe UnsafeBufferPointer(
            rebasing: text[Int(entry.start) + 1..<Int(entry.end) - 1])
        guard entry.hasEscape else { return unsafe body(raw) }
        return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: raw.count) { copy in
            let count = unsafe Escape.decode(raw, into: copy)
            return unsafe body(UnsafeBufferPointer(rebasing: copy[..<count]))
        }
    }

    /// Judges a string by a folded block.
    @inline(__always)
    mutating func allowsText(_ quick: QuickBlock, _ entry: Node) -> Bool {
        guard isAtLeast(quick.leastText, scalars: entry), isAtMost(quick.mostText, scalars: entry)
        else { return false }
        guard quick.asksForText else { return true }
        if quick.choiceCount >= 0, !isAmong(quick.firstChoice, quick.choiceCount, entry) {
            return false
        }
        return quick.pattern < 0 || matches(quick.pattern, entry)
    }

    @inline(__always)
    mutating func isAtLeast(_ limit: Int32, scalars entry: Node) -> Bool {
        let bytes = Int(entry.end &- entry.start) &- 2
        guard bytes >= Int(limit) else { return false }
        // A text with a byte has a scalar.
        if limit <= 1 || entry.info & (Node.escapeFlag | Node.wideFlag) == 0 { return true }
        return scalarCount(entry) >= Int(limit)
    }

    @inline(__always)
    mutating func isAtMost(_ limit: Int32, scalars entry: Node) -> Bool {
        // Neither an escape nor UTF-8 makes a text shorter than its scalars.
        if Int(entry.end &- entry.start) &- 2 <= Int(limit) { return true }
        if entry.info & (Node.escapeFlag | Node.wideFlag) == 0 { return false }
        return scalarCount(entry) <= Int(limit)
    }

    /// Whether a text is no longer than a limit in the unit of its schema.
    mutating func isAtMost(_ op: Op, _ node: Int, _ entry: Node) -> Bool {
        guard op.b >= 0 else { return isAtMost(op.a, scalars: entry) }
        // In no unit is a text longer than what stands between its quotation marks.
        if Int(entry.end &- entry.start) &- 2 <= Int(op.a) { return true }
        // Nor are there more graphemes than scalars, which are counted without a copy of the text.
        if op.b == LengthUnit.graphemes.number, scalarCount(entry) <= Int(op.a) { return true }
        return length(op, node, entry) <= Int(op.a)
    }

    /// The length of a string in the unit of its schema.
    mutating func length(_ op: Op, _ node: Int, _ entry: Node) -> Int {
        guard op.code == .maxLength, let unit = LengthUnit(number: op.b) else {
            return scalarCount(entry)
        }
        return unit.count(tape.text(of: node))
    }

    /// The length of a string in Unicode scalars.
    mutating func scalarCount(_ entry: Node) -> Int {
        if !entry.hasEscape, !entry.isWide { return Int(entry.end - entry.start) - 2 }
        let content = unsafe raw(entry)
        var count = 0
        var from = 0
        while from < content.count {
            let byte = unsafe content[from]
            if byte == 0x5C {
                _ = unsafe Escape.next(content, &from)
                count += 1
            } else {
                if byte & 0xC0 != 0x80 { count += 1 }
                from += 1
            }
        }
        return count
    }

    mutating func matches(_ pattern: Int32, _ entry: Node) -> Bool {
        let place = unsafe tables.places[Int(pattern)]
        if place.width > 0, usesTables {
            return entry.hasEscape
                ? unsafe tables.occurs(place, inEscaped: raw(entry))
                : unsafe tables.occurs(place, in: raw(entry))
        }
        let pattern = program.patterns[Int(pattern)]
        return unsafe withContent(entry) { unsafe pattern.occurs(in: $0) }
    }

    mutating func hasFormat(_ number: Int32, _ entry: Node) -> Bool {
        let format = Format.byNumber[Int(number)]
        return unsafe withContent(entry) { unsafe format.matches($0.span) }
    }

    /// Whether the entry equals one of the values allowed.
    mutating func isAmong(_ op: Op, _ node: Int, _ entry: Node) -> Bool {
        if entry.kind == Node.Kind.string || entry.kind == Node.Kind.key {
            return isAmong(op.a, op.b, entry)
        }
        for place in Int(op.a)..<Int(op.a + op.b) {
            let value = unsafe rules.allowed[place]
            guard value.text == nil else { continue }
            let other = program.library.documents[Int(value.document)]
            if TapeEquality.areEqual(tape, node, other, Int(value.node)) { return true }
        }
        return false
    }

    /// Whether a string or key is one of the texts allowed.
    private mutating func isAmong(_ first: Int32, _ count: Int32, _ entry: Node) -> Bool {
        var place = Int(first)
        let end = place &+ Int(count)
        while place < end {
            if let text = unsafe rules.allowed[place].text, equals(entry, text) { return true }
            place &+= 1
        }
        return false
    }

    /// Whether a string or key decodes to exactly a text of the program.
    @inline(__always)
    mutating func equals(_ entry: Node, _ probe: TextProbe) -> Bool {
        let length = Int(entry.end &- entry.start) &- 2
        let start = Int(entry.start) &+ 1
        guard !entry.hasEscape, unsafe start &+ 8 <= text.count else {
            return equalsSlowly(entry, probe.firstByte, probe.byteCount)
        }
        guard length == Int(probe.byteCount),
            unsafe probe.hasEdges(of: text.baseAddress.unsafelyUnwrapped + start)
        else { return false }
        return length <= 16 || equalsSlowly(entry, probe.firstByte, probe.byteCount)
    }

    private mutating func equalsSlowly(_ entry: Node, _ first: Int32, _ count: Int32) -> Bool {
        let content = unsafe raw(entry)
        let name = unsafe UnsafeBufferPointer(rebasing: nameBytes[Int(first)..<Int(first + count)])
        guard entry.hasEscape else {
            return unsafe content.count == name.count && Machine.areSame(content, name)
        }
        var bytes = unsafe DecodedBytes(content)
        for place in 0..<name.count where unsafe bytes.next() != name[place] { return false }
        return bytes.next() == nil
    }

    /// The bytes between the quotes.
    @inline(__always)
    private mutating func raw(_ entry: Node) -> UnsafeBufferPointer<UInt8> {
        unsafe UnsafeBufferPointer(rebasing: text[Int(entry.start) + 1..<Int(entry.end) - 1])
    }

    /// Compares eight bytes a step; both have the same length.
    private static func areSame(
        _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        let count = left.count
        let one = UnsafeRawBufferPointer(left)
        let other = UnsafeRawBufferPointer(right)
        var index = 0
        while index + 8 <= count {
            let first = unsafe one.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let second = unsafe other.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            guard first == second else { return false }
            index += 8
        }
        while index < count {
            guard unsafe one[index] == other[index] else { return false }
            index += 1
        }
        return true
    }
}

extension Format {
    static let byNumber = Format.allCases
}
