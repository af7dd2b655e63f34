extension Machine {
    /// Validates the members or elements that no other keyword of the schema has evaluated.
    ///
    /// A second walk over the schema, made only here, finds the evaluated ones; schemas
    /// without these keywords pay nothing.
    mutating func allowsUnevaluated(
        _ op: Op, _ block: Int32, _ node: Int, _ entry: Node
    ) -> Bool {
        withMarks(block, node, entry) { machine, marks in
            let step = entry.kind == Node.Kind.object ? 1 : 0
            var child = node + 1
            for place in 0..<marks.count {
                if !marks[place], !machine.allows(op.a, child + step) { return false }
                child = unsafe Int(machine.nodes[child + step].next)
            }
            return true
        }
    }

    /// The values that no keyword of the block but `unevaluated…` has evaluated.
    mutating func unevaluated(_ block: Int32, _ node: Int, _ entry: Node) -> [Int] {
        withMarks(block, node, entry) { machine, marks in
            let step = entry.kind == Node.Kind.object ? 1 : 0
            var rest: [Int] = []
            var child = node + 1
            for place in 0..<marks.count {
                if !marks[place] { rest.append(child + step) }
                child = unsafe Int(machine.nodes[child + step].next)
            }
            return rest
        }
    }

    /// Lends a mark for each member or element: whether a keyword has evaluated it.
    private mutating func withMarks<Answer>(
        _ block: Int32, _ node: Int, _ entry: Node,
        _ body: (inout Machine, Marks) -> Answer
    ) -> Answer {
        unsafe withUnsafeTemporaryAllocation(of: Bool.self, capacity: entry.count) { buffer in
            unsafe buffer.initialize(repeating: false)
            let marks = unsafe Marks(buffer: buffer)
            mark(block, node, entry, marks, isTop: true)
            return body(&self, marks)
        }
    }

    private mutating func mark(
        _ block: Int32, _ node: Int, _ entry: Node, _ marks: Marks, isTop: Bool
    ) {
        guard block >= 0 else { return }
        let rules = unsafe blocks[Int(block)]
        guard enter(block) else { return }
        defer { leave() }
        let bit = Machine.bit(of: entry)
        for index in Int(rules.firstOp)..<Int(rules.firstOp + rules.opCount) {
            let op = unsafe ops[index]
            guard op.kinds & bit != 0 else { continue }
            switch op.code {
            case .object: markMembers(unsafe plans[Int(op.a)], node, entry, marks)
            case .items: markItems(op, marks)
            case .contains: markMatches(op, node, entry, marks)
            case .unevaluatedItems, .unevaluatedProperties:
                if !isTop { for place in 0..<marks.count { marks[place] = true } }
            case .reference: mark(op.a, node, entry, marks, isTop: false)
            case .dynamicReference: mark(dynamicTarget(op), node, entry, marks, isTop: false)
            case .allOf, .anyOf, .oneOf:
                markBranches(op, node, entry, marks)
            case .condition:
                let isMet = allows(op.a, node)
                if isMet { mark(op.a, node, entry, marks, isTop: false) }
                mark(isMet ? op.b : op.c, node, entry, marks, isTop: false)
            case .dependentSchemas:
                for place in Int(op.a)..<Int(op.a + op.b) {
                    let rule = program.dependencies[place]
                    guard has(rule.trigger, node) else { continue }
                    mark(rule.block, node, entry, marks, isTop: false)
                }
            case .constant, .enumeration, .minimum, .maximum, .exclusiveMinimum,
                .exclusiveMaximum, .multipleOf, .minLength, .maxLength, .format, .pattern,
                .minItems, .maxItems, .minProperties, .maxProperties, .dependentRequired,
                .negation, .uniqueItems:
                break
            }
        }
    }

    private mutating func markBranches(_ op: Op, _ node: Int, _ entry: Node, _ marks: Marks) {
        var hasMatch = false
        for place in Int(op.a)..<Int(op.a + op.b) {
            let branch = unsafe lists[place]
            guard op.code == .allOf || allows(branch, node) else { continue }
            hasMatch = true
            mark(branch, node, entry, marks, isTop: false)
        }
        guard !hasMatch, marksLikeliestBranch else { return }
        let branches = (Int(op.a)..<Int(op.a + op.b)).map { unsafe lists[$0] }
        if let best = likeliest(of: branches, node).first {
            mark(best, node, entry, marks, isTop: false)
        }
    }

    private mutating func markMembers(
        _ plan: ObjectPlan, _ node: Int, _ entry: Node, _ marks: Marks
    ) {
        var key = node + 1
        for place in 0..<marks.count {
            defer { key = unsafe Int(nodes[key + 1].next) }
            if plan.additional != Block.none {
                marks[place] = true
                continue
            }
            if let known = find(key, in: plan), unsafe entries[known].block != Block.none {
                marks[place] = true
            }
            for pair in 0..<Int(plan.patternCount) where !marks[place] {
                let at = Int(plan.firstPattern) + pair * 2
                marks[place] = unsafe matches(lists[at], nodes[key])
            }
        }
    }

    private func markItems(_ op: Op, _ marks: Marks) {
        let count = op.c == Block.none ? min(Int(op.b), marks.count) : marks.count
        for place in 0..<count { marks[place] = true }
    }

    private mutating func markMatches(
        _ op: Op, _ node: Int, _ entry: Node, _ marks: Marks
    ) {
        var child = node + 1
        for place in 0..<marks.count {
            if allows(op.a, child) { marks[place] = true }
            child = unsafe Int(nodes[child].next)
        }
    }
}

/// Marks for the members or elements of one value.
// Safe: the buffer is lent by `withMarks` to calls that end before it does.
@safe private struct Marks {
    let buffer: UnsafeMutableBufferPointer<Bool>

    var count: Int { unsafe buffer.count }

    subscript(place: Int) -> Bool {
        get { unsafe buffer[place] }
        nonmutating set { unsafe buffer[place] = newValue }
    }
}
