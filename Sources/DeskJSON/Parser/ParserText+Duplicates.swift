extension ParserText {
    /// Refuses the object when two of its keys decode to the same bytes.
    ///
    /// Small objects compare hashes pair by pair; large ones use a table keyed with the process's
    /// random seed, so that chosen keys cannot make it slow.
    @inline(never)
    func refuseDuplicates(
        of object: Int, in tape: UnsafeBufferPointer<Node>
    ) throws(Parser.Fault) {
        let count = unsafe tape[object].count
        guard count <= 24 else {
            unsafe try refuseDuplicatesByTable(of: object, count: count, in: tape)
            return
        }
        var hashes = InlineArray<24, UInt32>(repeating: 0)
        var key = object + 1
        for number in 0..<count {
            let hash = unsafe tape[key].next
            for earlier in 0..<number where hashes[earlier] == hash {
                let first = unsafe keyEntry(earlier, of: object, in: tape)
                guard unsafe !sameKey(first, key, in: tape) else {
                    throw unsafe fault(first, key, in: tape)
                }
            }
            hashes[number] = hash
            key = unsafe Int(tape[key + 1].next)
        }
    }

    private func refuseDuplicatesByTable(
        of object: Int, count: Int, in tape: UnsafeBufferPointer<Node>
    ) throws(Parser.Fault) {
        var seen: Set<SeenKey> = []
        seen.reserveCapacity(count)
        var key = object + 1
        for _ in 0..<count {
            let (inserted, first) = unsafe seen.insert(
                SeenKey(bytes: keyBytes(key, tape), entry: key))
            guard inserted else { throw unsafe fault(first.entry, key, in: tape) }
            key = unsafe Int(tape[key + 1].next)
        }
    }

    private func keyEntry(
        _ number: Int, of object: Int, in tape: UnsafeBufferPointer<Node>
    ) -> Int {
        var key = object + 1
        for _ in 0..<number { key = unsafe Int(tape[key + 1].next) }
        return key
    }

    private func sameKey(_ left: Int, _ right: Int, in tape: UnsafeBufferPointer<Node>) -> Bool {
        unsafe keyBytes(left, tape) == keyBytes(right, tape)
    }

    private func keyBytes(_ key: Int, _ tape: UnsafeBufferPointer<Node>) -> [UInt8] {
        let node = unsafe tape[key]
        let raw = unsafe UnsafeBufferPointer(
            start: text + Int(node.start) + 1, count: Int(node.end - node.start) - 2)
        let bytes = unsafe Array(raw)
        return node.hasEscape ? Escape.decoded(bytes[...]) : bytes
    }

    private func fault(_ first: Int, _ second: Int, in tape: UnsafeBufferPointer<Node>)
        -> Parser.Fault
    {
        unsafe Parser.Fault(
            code: .duplicateKey, at: Int(tape[second].start), earlier: Int(tape[first].start))
    }
}

/// A key's decoded bytes and its offset; equal when the bytes are.
private struct SeenKey: Hashable {
    var bytes: [UInt8]
    var entry: Int

    static func == (left: SeenKey, right: SeenKey) -> Bool { left.bytes == right.bytes }

    func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
