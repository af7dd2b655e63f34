extension Machine {
    /// Judges the members or elements that no other keyword of the schema has looked at.
    ///
    /// What was looked at is found by walking the schema a second time, and only here; schemas
    /// without these keywords pay nothing.
    mutating func allowsUnevaluated(
        _ op: Op, _ block: Int32, _ node: Int, _ entry: Node
    ) -> Bool {
        let rest = unevaluated(block, node, entry)
        for child in rest where !allows(op.a, child) { return false }
        return true
    }

    /// The values that no keyword of the block but `unevaluated…` has looked at.
    mutating func unevaluated(_ block: Int32, _ node: Int, _ entry: Node) -> [Int] {
        guard entry.count > 0 else { return [] }
        var marks = [Bool](repeating: false, count: entry.count)
        mark(block, node, entry, &marks, isTop: true)
        let step = entry.kind == Node.Kind.object ? 1 : 0
        var rest: [Int] = []
        var child = node + 1
        for isMarked in marks {
            if !isMarked { rest.append(child + step) }
            child = unsafe Int(nodes[child + step].next)
        }
        return rest
    }

    private mutating func mark(
        _ block: Int32, _ node: Int, _ entry: Node, _ marks: inout [Bool], isTop: Bool
    ) {
        guard block >= 0 else { return }
        let rules = unsafe blocks[Int(block)]
        guard enter(rules) else { return }
        defer { leave() }
        let bit = Machine.bit(of: entry)
        for index in Int(rules.firstOp)..<Int(rules.firstOp + rules.opCount) {
            let op = unsafe ops[index]
            guard op.kinds & bit != 0 else { continue }
            switch op.code {
            case .object: markMembers(program.plans[Int(op.a)], node, entry, &marks)
            case .items: markItems(op, &marks)
            case .contains: markMatches(op, node, entry, &marks)
            case .unevaluatedItems, .unevaluatedProperties:
                if !isTop { for place in marks.indices { marks[place] = true } }
            case .reference: mark(op.a, node, entry, &marks, isTop: false)
            case .dynamicReference: mark(dynamicTarget(op), node, entry, &marks, isTop: false)
            case .allOf, .anyOf, .oneOf:
                for branch in markedBranches(op, node) {
                    mark(branch, node, entry, &marks, isTop: false)
                }
            case .condition:
                let isMet = allows(op.a, node)
                if isMet { mark(op.a, node, entry, &marks, isTop: false) }
                mark(isMet ? op.b : op.c, node, entry, &marks, isTop: false)
            case .dependentSchemas:
                for place in Int(op.a)..<Int(op.a + op.b) {
                    let rule = program.dependencies[place]
                    guard has(rule.trigger, node) else { continue }
                    mark(rule.block, node, entry, &marks, isTop: false)
                }
            case .constant, .enumeration, .minimum, .maximum, .exclusiveMinimum,
                .exclusiveMaximum, .multipleOf, .minLength, .maxLength, .format, .pattern,
                .minItems, .maxItems, .minProperties, .maxProperties, .dependentRequired,
                .negation, .uniqueItems:
                break
            }
        }
    }

    private mutating func markedBranches(_ op: Op, _ node: Int) -> [Int32] {
        let branches = (Int(op.a)..<Int(op.a + op.b)).map { unsafe lists[$0] }
        guard op.code != .allOf else { return branches }
        let matching = branches.filter { allows($0, node) }
        guard matching.isEmpty, marksLikeliestBranch else { return matching }
        return Array(likeliest(of: branches, node).prefix(1))
    }

    private func markMembers(
        _ plan: ObjectPlan, _ node: Int, _ entry: Node, _ marks: inout [Bool]
    ) {
        var key = node + 1
        for place in marks.indices {
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
                unsafe marks[place] = matches(lists[at], nodes[key])
            }
        }
    }

    private func markItems(_ op: Op, _ marks: inout [Bool]) {
        let count = op.c == Block.none ? min(Int(op.b), marks.count) : marks.count
        for place in 0..<count { marks[place] = true }
    }

    private mutating func markMatches(
        _ op: Op, _ node: Int, _ entry: Node, _ marks: inout [Bool]
    ) {
        var child = node + 1
        for place in marks.indices {
            if allows(op.a, child) { marks[place] = true }
            child = unsafe Int(nodes[child].next)
        }
    }
}
