extension Machine {
    /// Judges all members of an object in one pass.
    mutating func allowsMembers(_ plan: ObjectPlan, _ node: Int, _ entry: Node) -> Bool {
        guard entry.kind == Node.Kind.object else { return true }
        var seen: UInt64 = 0
        var key = node + 1
        let end = Int(entry.next)
        while key < end {
            if plan.names >= 0, !allows(plan.names, key) { return false }
            var isKnown = false
            if plan.entryCount > 0, let place = find(key, in: plan) {
                let known = unsafe entries[place]
                seen |= known.bit
                if known.block != Block.none {
                    isKnown = true
                    if known.block >= 0, !allows(known.block, key + 1) { return false }
                }
            }
            if plan.patternCount > 0 {
                let entry = unsafe nodes[key]
                for pair in 0..<Int(plan.patternCount) {
                    let at = Int(plan.firstPattern) + pair * 2
                    guard unsafe matches(lists[at], entry) else { continue }
                    isKnown = true
                    if unsafe !allows(lists[at + 1], key + 1) { return false }
                }
            }
            if !isKnown, plan.additional >= 0, !allows(plan.additional, key + 1) { return false }
            key = unsafe Int(nodes[key + 1].next)
        }
        guard seen & plan.required == plan.required else { return false }
        return !plan.hasMoreRequired || missing(plan, node).isEmpty
    }

    /// The plan's entry for a key.
    mutating func find(_ key: Int, in plan: ObjectPlan) -> Int? {
        let entry = unsafe nodes[key]
        var slot = entry.next & plan.slotMask
        while true {
            let place = unsafe slots[Int(plan.firstSlot) + Int(slot)]
            guard place >= 0 else { return nil }
            let known = unsafe entries[Int(place)]
            if known.hash == entry.next, contentEquals(entry, known.firstByte, known.byteCount) {
                return Int(place)
            }
            slot = (slot + 1) & plan.slotMask
        }
    }

    /// The required names that an object lacks, as entries.
    mutating func missing(_ plan: ObjectPlan, _ node: Int) -> [Int] {
        var found: Set<Int> = []
        var key = node + 1
        let end = unsafe Int(nodes[node].next)
        while key < end {
            if let place = find(key, in: plan) { found.insert(place) }
            key = unsafe Int(nodes[key + 1].next)
        }
        let places = Int(plan.firstEntry)..<Int(plan.firstEntry + plan.entryCount)
        return places.filter { unsafe entries[$0].isRequired && !found.contains($0) }
    }

    /// Whether the object has a member of this name.
    mutating func has(_ name: String, _ node: Int) -> Bool {
        var key = node + 1
        let end = unsafe Int(nodes[node].next)
        while key < end {
            if tape.equals(key, name) { return true }
            key = unsafe Int(nodes[key + 1].next)
        }
        return false
    }

    mutating func hasDependents(_ op: Op, _ node: Int) -> Bool {
        for place in Int(op.a)..<Int(op.a + op.b) {
            let rule = program.dependencies[place]
            guard has(rule.trigger, node) else { continue }
            for name in rule.names where !has(name, node) { return false }
        }
        return true
    }

    mutating func allowsDependents(_ op: Op, _ node: Int) -> Bool {
        for place in Int(op.a)..<Int(op.a + op.b) {
            let rule = program.dependencies[place]
            guard has(rule.trigger, node) else { continue }
            guard allows(rule.block, node) else { return false }
        }
        return true
    }
}
