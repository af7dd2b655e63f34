import DeskBytes

extension Machine {
    /// Lends the decoded bytes of a string or key; copies only where there are escapes.
    func withContent<Answer>(
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

    mutating func isAtLeast(_ limit: Int32, scalars entry: Node) -> Bool {
        if !entry.hasEscape, !entry.isWide {
            return Int(entry.end - entry.start) - 2 >= Int(limit)
        }
        return scalarCount(entry) >= Int(limit)
    }

    mutating func isAtMost(_ limit: Int32, scalars entry: Node) -> Bool {
        // Neither an escape nor UTF-8 makes a text shorter than its scalars.
        if Int(entry.end - entry.start) - 2 <= Int(limit) { return true }
        return scalarCount(entry) <= Int(limit)
    }

    /// The length of a string in Unicode scalars.
    func scalarCount(_ entry: Node) -> Int {
        if !entry.hasEscape, !entry.isWide { return Int(entry.end - entry.start) - 2 }
        return unsafe withContent(entry) { content in
            var count = 0
            for index in content.indices where unsafe content[index] & 0xC0 != 0x80 { count += 1 }
            return count
        }
    }

    mutating func matches(_ pattern: Int32, _ entry: Node) -> Bool {
        let pattern = program.patterns[Int(pattern)]
        return unsafe withContent(entry) { unsafe pattern.occurs(in: $0) }
    }

    mutating func hasFormat(_ number: Int32, _ entry: Node) -> Bool {
        let format = Format.byNumber[Int(number)]
        return unsafe withContent(entry) { unsafe format.matches($0.span) }
    }

    /// Whether the entry equals one of the values allowed.
    mutating func isAmong(_ op: Op, _ node: Int, _ entry: Node) -> Bool {
        let isText = entry.kind == Node.Kind.string || entry.kind == Node.Kind.key
        for place in Int(op.a)..<Int(op.a + op.b) {
            let value = program.allowed[place]
            if value.firstByte >= 0 {
                if isText, contentEquals(entry, value.firstByte, value.byteCount) { return true }
            } else if !isText {
                let other = program.library.documents[Int(value.document)]
                if TapeEquality.areEqual(tape, node, other, Int(value.node)) { return true }
            }
        }
        return false
    }

    /// Whether a string or key decodes to exactly these bytes of the program.
    mutating func contentEquals(_ entry: Node, _ first: Int32, _ count: Int32) -> Bool {
        let length = Int(entry.end - entry.start) - 2
        guard entry.hasEscape else {
            guard length == Int(count) else { return false }
            return unsafe Machine.areSame(
                UnsafeRawBufferPointer(
                    rebasing: textBytes[Int(entry.start) + 1..<Int(entry.end) - 1]),
                UnsafeRawBufferPointer(rebasing: nameRaw[Int(first)..<Int(first + count)]))
        }
        guard length > Int(count) else { return false }
        let name = unsafe UnsafeBufferPointer(rebasing: nameBytes[Int(first)..<Int(first + count)])
        return unsafe withContent(entry) { unsafe $0.elementsEqual(name) }
    }

    private var textBytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(text) }
    private var nameRaw: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(nameBytes) }

    /// Compares eight bytes a step; both have the same length.
    private static func areSame(
        _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
    ) -> Bool {
        let count = left.count
        var index = 0
        while index + 8 <= count {
            let first = unsafe left.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let second = unsafe right.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            guard first == second else { return false }
            index += 8
        }
        while index < count {
            guard unsafe left[index] == right[index] else { return false }
            index += 1
        }
        return true
    }
}

extension Format {
    /// All formats by ``number``.
    static let byNumber = Format.allCases
}
