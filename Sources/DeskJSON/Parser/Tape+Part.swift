extension Tape {
    /// A value of this tape with its contents, as a separate tape: offsets count from its first byte.
    ///
    /// Its depth stays the one of the whole text, which it cannot exceed.
    func part(at index: Int) -> Tape {
        let root = nodes[index]
        let count = (root.isContainer ? Int(root.next) : index + 1) - index
        let byteShift = root.start
        let nodeShift = UInt32(truncatingIfNeeded: index)
        let part = unsafe [Node](unsafeUninitializedCapacity: count) { copy, made in
            unsafe nodes.withUnsafeBufferPointer { nodes in
                for place in 0..<count {
                    var node = unsafe nodes[index &+ place]
                    node.start &-= byteShift
                    node.end &-= byteShift
                    // Of a key it is a hash, which stays.
                    node.next &-= node.kind == Node.Kind.key ? 0 : nodeShift
                    unsafe copy.initializeElement(at: place, to: node)
                }
            }
            made = count
        }
        return Tape(
            bytes: Array(bytes[Int(root.start)..<Int(root.end)]), nodes: part, depth: depth,
            limits: limits)
    }

    /// Whether a parse with these limits would have accepted the text, decided without one.
    ///
    /// False also where only a parse can decide.
    func isSurelyWithin(_ other: JSONLimits) -> Bool {
        depth <= other.depth && nodes.count <= other.nodes
            && limits.keysPerObject <= other.keysPerObject && limits.keyBytes <= other.keyBytes
            && limits.numberBytes <= other.numberBytes
            && (other.allowsDuplicateKeys || !limits.allowsDuplicateKeys)
    }

    /// A hash that equal texts share.
    func fingerprint(of index: Int) -> UInt32 {
        let node = nodes[index]
        return unsafe bytes.withUnsafeBytes { bytes in
            let text = unsafe UnsafeRawBufferPointer(
                rebasing: bytes[Int(node.start) + 1..<Int(node.end) - 1])
            return unsafe EdgeWords(text).hash(count: text.count)
        }
    }

    /// Whether a key within the value is exactly these bytes, at any depth; allocates nothing.
    func holdsKey(_ name: StaticString, below index: Int) -> Bool {
        let hash = unsafe EdgeWords(
            UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        ).hash(count: name.utf8CodeUnitCount)
        let text = unsafe UnsafeBufferPointer(
            start: name.utf8Start, count: name.utf8CodeUnitCount)
        return unsafe nodes.withUnsafeBufferPointer { nodes in
            let root = unsafe nodes[index]
            let end = root.isContainer ? Int(root.next) : index
            var place = index + 1
            while place < end {
                let node = unsafe nodes[place]
                if node.next == hash, node.kind == Node.Kind.key, unsafe holds(text, in: node) {
                    return true
                }
                place &+= 1
            }
            return false
        }
    }
}
