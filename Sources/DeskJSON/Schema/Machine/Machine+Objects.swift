extension Machine {
    /// Judges all members of an object in one pass.
    mutating func allowsMembers(_ plan: Int32, _ node: Int, _ entry: Node) -> Bool {
        guard entry.kind == Node.Kind.object else { return true }
        let plan = unsafe plans.baseAddress.unsafelyUnwrapped + Int(plan)
        guard unsafe plan.pointee.patternCount == 0, unsafe plan.pointee.names < 0 else {
            return unsafe allowsNamedMembers(plan.pointee, node, entry)
        }
        let additional = unsafe plan.pointee.additional
        var seen: UInt64 = 0
        var key = node &+ 1
        let end = Int(entry.next)
        while key < end {
            let name = unsafe nodes[key]
            if skipsNulls, isNull(key &+ 1) {
                key &+= 2
                continue
            }
            var block = additional
            if let slot = unsafe slot(of: name, in: plan) {
                unsafe seen |= slot.pointee.bit
                let known = unsafe slot.pointee.block
                if known != Block.none { block = known }
            }
            if block >= 0, !allows(block, key &+ 1) { return false }
            key = unsafe Int(nodes[key &+ 1].next)
        }
        guard unsafe plan.pointee.required & ~seen == 0 else { return false }
        return unsafe !plan.pointee.hasMoreRequired || hasAllRequired(plan.pointee, node)
    }

    /// The same where patterns or a schema for names come in.
    private mutating func allowsNamedMembers(
        _ plan: ObjectPlan, _ node: Int, _ entry: Node
    ) -> Bool {
        var seen: UInt64 = 0
        var key = node + 1
        let end = Int(entry.next)
        while key < end {
            let name = unsafe nodes[key]
            if skipsNulls, isNull(key + 1) {
                key += 2
                continue
            }
            if plan.names >= 0, !allows(plan.names, key) { return false }
            var isKnown = false
            if let place = find(key, in: plan) {
                let known = unsafe entries[place]
                seen |= known.bit
                if known.block != Block.none {
                    isKnown = true
                    if !allows(known.block, key + 1) { return false }
                }
            }
            for pair in 0..<Int(plan.patternCount) {
                let at = Int(plan.firstPattern) + pair * 2
                guard unsafe matches(lists[at], name) else { continue }
                isKnown = true
                if unsafe !allows(lists[at + 1], key + 1) { return false }
            }
            if !isKnown, plan.additional >= 0, !allows(plan.additional, key + 1) { return false }
            key = unsafe Int(nodes[key + 1].next)
        }
        guard seen & plan.required == plan.required else { return false }
        return !plan.hasMoreRequired || hasAllRequired(plan, node)
    }

    /// Whether an entry is `null`.
    @inline(__always)
    func isNull(_ node: Int) -> Bool { unsafe nodes[node].kind == Node.Kind.null }

    /// Whether the member of a key is one, and not left out by `null`.
    @inline(__always)
    func counts(_ key: Int) -> Bool { !skipsNulls || !isNull(key + 1) }

    /// The place of a key in the table of the plan's names.
    @inline(__always)
    private mutating func slot(
        of name: Node, in plan: UnsafePointer<ObjectPlan>
    ) -> UnsafePointer<NameSlot>? {
        let hash = name.next
        guard unsafe plan.pointee.filter &>> UInt64(hash &>> 26) & 1 != 0 else { return nil }
        let mask = unsafe plan.pointee.slotMask
        let first = unsafe rules.slots.baseAddress.unsafelyUnwrapped + Int(plan.pointee.firstSlot)
        var place = hash & mask
        while true {
            let slot = unsafe first + Int(place)
            guard unsafe !slot.pointee.isEmpty else { return nil }
            if unsafe slot.pointee.hash == hash, unsafe equals(name, slot.pointee.probe) {
                return unsafe slot
            }
            place = (place &+ 1) & mask
        }
    }

    /// The plan's entry for a key.
    mutating func find(_ key: Int, in plan: ObjectPlan) -> Int? {
        let name = unsafe nodes[key]
        return unsafe withUnsafePointer(to: plan) { plan in
            unsafe slot(of: name, in: plan).map { unsafe Int($0.pointee.entry) }
        }
    }

    /// Whether no required name is missing; for plans that require more than 64.
    private mutating func hasAllRequired(_ plan: ObjectPlan, _ node: Int) -> Bool {
        let end = unsafe Int(nodes[node].next)
        for entry in Int(plan.firstEntry)..<Int(plan.firstEntry + plan.entryCount)
        where unsafe entries[entry].isRequired {
            var key = node + 1
            while key < end, !counts(key) || find(key, in: plan) != entry {
                key = unsafe Int(nodes[key + 1].next)
            }
            guard key < end else { return false }
        }
        return true
    }

    /// The required names that an object lacks, as entries.
    mutating func missing(_ plan: ObjectPlan, _ node: Int) -> [Int] {
        var found: Set<Int> = []
        var key = node + 1
        let end = unsafe Int(nodes[node].next)
        while key < end {
            if counts(key), let place = find(key, in: plan) { found.insert(place) }
            key = unsafe Int(nodes[key + 1].next)
        }
        let places = Int(plan.firstEntry)..<Int(plan.firstEntry + plan.entryCount)
        return places.filter { unsafe entries[$0].isRequired && !found.contains($0) }
    }

    /// Whether the object has a member of this name.
    mutating func has(_ name: Program.Name, _ node: Int) -> Bool {
        var key = node + 1
        let end = unsafe Int(nodes[node].next)
        while key < end {
            if counts(key), unsafe equals(nodes[key], name.probe) { return true }
            key = unsafe Int(nodes[key + 1].next)
        }
        return false
    }

    mutating func hasDependents(_ op: Op, _ node: Int) -> Bool {
        for place in Int(op.a)..<Int(op.a + op.b) {
            let rule = program.dependencies[place]
            guard has(rule.trigger, node) else { continue }
            for place in rule.names.indices where !has(rule.names[place], node) { return false }
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
