/// Whether two parsed values are equal as JSON Schema means it: numbers by value, objects in any
/// order, strings by their decoded bytes.
enum TapeEquality {
    /// Deeper than this nothing is equal to anything; no document of the product is so deep.
    private static let mostDepth = 512

    static func areEqual(
        _ left: Tape, _ a: Int, _ right: Tape, _ b: Int, depth: Int = 0
    ) -> Bool {
        let first = left.nodes[a]
        let second = right.nodes[b]
        guard first.kind == second.kind, depth < mostDepth else { return false }
        switch first.kind {
        case Node.Kind.null, Node.Kind.no, Node.Kind.yes: return true
        case Node.Kind.number: return areEqualNumbers(left, first, right, second)
        case Node.Kind.array: return areEqualArrays(left, a, right, b, depth)
        case Node.Kind.object: return areEqualObjects(left, a, right, b, depth)
        default: return areEqualTexts(left, a, right, b)
        }
    }

    static func hash(_ tape: Tape, _ node: Int, into hasher: inout Hasher, depth: Int = 0) {
        let entry = tape.nodes[node]
        hasher.combine(entry.kind)
        guard depth < mostDepth else { return }
        switch entry.kind {
        case Node.Kind.number:
            Decimal(tape.bytes[Int(entry.start)..<Int(entry.end)]).hash(into: &hasher)
        case Node.Kind.string, Node.Kind.key: hashText(tape, node, into: &hasher)
        case Node.Kind.array:
            var child = node + 1
            while child < Int(entry.next) {
                hash(tape, child, into: &hasher, depth: depth + 1)
                child = Int(tape.nodes[child].next)
            }
        case Node.Kind.object:
            // A sum, since the order of members does not count.
            var sum = 0
            var key = node + 1
            while key < Int(entry.next) {
                var own = Hasher()
                hash(tape, key, into: &own, depth: depth + 1)
                hash(tape, key + 1, into: &own, depth: depth + 1)
                sum &+= own.finalize()
                key = Int(tape.nodes[key + 1].next)
            }
            hasher.combine(sum)
        default: break
        }
    }

    /// Eight decoded bytes a step, so that escapes make no difference.
    private static func hashText(_ tape: Tape, _ node: Int, into hasher: inout Hasher) {
        let entry = tape.nodes[node]
        unsafe tape.bytes[Int(entry.start) + 1..<Int(entry.end) - 1].withUnsafeBufferPointer {
            content in
            var word: UInt64 = 0
            var count = 0
            var bytes = unsafe DecodedBytes(content)
            while let byte = bytes.next() {
                word = word << 8 | UInt64(byte)
                count += 1
                if count & 7 == 0 { hasher.combine(word) }
            }
            hasher.combine(word)
            hasher.combine(count)
        }
    }

    private static func areEqualNumbers(
        _ left: Tape, _ a: Node, _ right: Tape, _ b: Node
    ) -> Bool {
        let first = left.bytes[Int(a.start)..<Int(a.end)]
        let second = right.bytes[Int(b.start)..<Int(b.end)]
        if first.count == second.count, areSame(first, second) { return true }
        return Decimal(first) == Decimal(second)
    }

    private static func areEqualTexts(_ left: Tape, _ a: Int, _ right: Tape, _ b: Int) -> Bool {
        let first = left.nodes[a]
        let second = right.nodes[b]
        let one = left.bytes[Int(first.start) + 1..<Int(first.end) - 1]
        let other = right.bytes[Int(second.start) + 1..<Int(second.end) - 1]
        if !first.hasEscape, !second.hasEscape {
            return one.count == other.count && areSame(one, other)
        }
        return areEqualEscaped(one, other)
    }

    private static func areSame(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool {
        var index = left.startIndex
        var other = right.startIndex
        while index < left.endIndex {
            guard left[index] == right[other] else { return false }
            index += 1
            other += 1
        }
        return true
    }

    private static func areEqualEscaped(
        _ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>
    ) -> Bool {
        unsafe left.withUnsafeBufferPointer { left in
            unsafe right.withUnsafeBufferPointer { right in
                var one = unsafe DecodedBytes(left)
                var other = unsafe DecodedBytes(right)
                while let byte = one.next() {
                    guard other.next() == byte else { return false }
                }
                return other.next() == nil
            }
        }
    }

    private static func areEqualArrays(
        _ left: Tape, _ a: Int, _ right: Tape, _ b: Int, _ depth: Int
    ) -> Bool {
        guard left.nodes[a].count == right.nodes[b].count else { return false }
        var first = a + 1
        var second = b + 1
        while first < Int(left.nodes[a].next) {
            guard areEqual(left, first, right, second, depth: depth + 1) else { return false }
            first = Int(left.nodes[first].next)
            second = Int(right.nodes[second].next)
        }
        return true
    }

    private static func areEqualObjects(
        _ left: Tape, _ a: Int, _ right: Tape, _ b: Int, _ depth: Int
    ) -> Bool {
        guard left.nodes[a].count == right.nodes[b].count else { return false }
        var key = a + 1
        while key < Int(left.nodes[a].next) {
            guard let other = find(left, key, in: right, b),
                areEqual(left, key + 1, right, other + 1, depth: depth + 1)
            else { return false }
            key = Int(left.nodes[key + 1].next)
        }
        return true
    }

    private static func find(_ left: Tape, _ key: Int, in right: Tape, _ object: Int) -> Int? {
        var other = object + 1
        while other < Int(right.nodes[object].next) {
            if left.nodes[key].next == right.nodes[other].next,
                areEqualTexts(left, key, right, other)
            {
                return other
            }
            other = Int(right.nodes[other + 1].next)
        }
        return nil
    }
}

/// A parsed value as a member of a set; the hash is keyed by the process's seed.
struct TapeElement: Hashable {
    var tape: Tape
    var node: Int

    static func == (left: TapeElement, right: TapeElement) -> Bool {
        TapeEquality.areEqual(left.tape, left.node, right.tape, right.node)
    }

    func hash(into hasher: inout Hasher) { TapeEquality.hash(tape, node, into: &hasher) }
}
