extension Machine {
    /// Judges an array by a folded block.
    @inline(__always)
    mutating func allowsElements(_ quick: QuickBlock, _ node: Int, _ entry: Node) -> Bool {
        guard entry.count >= Int(quick.leastItems), entry.count <= Int(quick.mostItems) else {
            return false
        }
        guard quick.element >= 0 else { return true }
        guard enter(quick.element) else { return false }
        var isAllowed = true
        var child = node + 1
        let end = Int(entry.next)
        while child < end {
            guard allows(quick.element, child) else {
                isAllowed = false
                break
            }
            child = unsafe Int(nodes[child].next)
        }
        leave()
        return isAllowed
    }

    mutating func allowsItems(_ op: Op, _ node: Int, _ entry: Node) -> Bool {
        var child = node + 1
        let end = Int(entry.next)
        var place: Int32 = 0
        while child < end {
            let block = unsafe place < op.b ? lists[Int(op.a + place)] : op.c
            if block == Block.none { return true }
            if block >= 0, !allows(block, child) { return false }
            place += 1
            child = unsafe Int(nodes[child].next)
        }
        return true
    }

    mutating func holdsMatches(_ op: Op, _ node: Int, _ entry: Node) -> Bool {
        let count = matchCount(op, node, entry, enough: op.c == .max ? Int(op.b) : .max)
        return count >= Int(op.b) && count <= Int(op.c)
    }

    /// How many elements match; counting may end at `enough`.
    mutating func matchCount(_ op: Op, _ node: Int, _ entry: Node, enough: Int) -> Int {
        var count = 0
        var child = node + 1
        let end = Int(entry.next)
        while child < end, count < enough {
            if allows(op.a, child) { count += 1 }
            child = unsafe Int(nodes[child].next)
        }
        return count
    }

    func hasUniqueItems(_ node: Int, _ entry: Node) -> Bool {
        entry.count < 2 || firstRepeat(node, entry) == nil
    }

    /// The first element that equals an earlier one, and that one.
    func firstRepeat(_ node: Int, _ entry: Node) -> (Int, Int)? {
        if entry.count <= 16 { return firstRepeatInFew(node, entry) }
        return entry.count <= 512 ? firstRepeatInSome(node, entry) : firstRepeatInMany(node, entry)
    }

    private func firstRepeatInFew(_ node: Int, _ entry: Node) -> (Int, Int)? {
        var child = node + 1
        let end = Int(entry.next)
        while child < end {
            var earlier = node + 1
            while earlier < child {
                if TapeEquality.areEqual(tape, child, tape, earlier) { return (child, earlier) }
                earlier = unsafe Int(nodes[earlier].next)
            }
            child = unsafe Int(nodes[child].next)
        }
        return nil
    }

    /// By a table on the stack, twice as long as there are elements; its hash is keyed, so chosen
    /// elements cannot make it slow.
    private func firstRepeatInSome(_ node: Int, _ entry: Node) -> (Int, Int)? {
        var table = InlineArray<1024, Int32>(repeating: -1)
        var child = node + 1
        let end = Int(entry.next)
        while child < end {
            var hasher = Hasher()
            TapeEquality.hash(tape, child, into: &hasher)
            var slot = hasher.finalize() & 1023
            while table[slot] >= 0 {
                let earlier = Int(table[slot])
                if TapeEquality.areEqual(tape, child, tape, earlier) { return (child, earlier) }
                slot = (slot + 1) & 1023
            }
            table[slot] = Int32(truncatingIfNeeded: child)
            child = unsafe Int(nodes[child].next)
        }
        return nil
    }

    private func firstRepeatInMany(_ node: Int, _ entry: Node) -> (Int, Int)? {
        var seen: Set<TapeElement> = []
        seen.reserveCapacity(entry.count)
        var child = node + 1
        let end = Int(entry.next)
        while child < end {
            let (isNew, earlier) = seen.insert(TapeElement(tape: tape, node: child))
            if !isNew { return (child, earlier.node) }
            child = unsafe Int(nodes[child].next)
        }
        return nil
    }
}
