extension Machine {
    /// Notes every fault of the entry against the schema.
    mutating func collect(_ block: Int32, _ node: Int, _ out: inout [RawFinding]) {
        guard block >= 0, out.count < JSONSchema.mostFindings else { return }
        let rules = unsafe blocks[Int(block)]
        let entry = unsafe nodes[node]
        let bit = Machine.bit(of: entry)
        guard rules.types != 0 else {
            guard mayReport(block, nil) else { return }
            out.append(
                RawFinding(
                    node: node, block: block, keyword: nil, found: excerpt(node),
                    allowed: "nothing here"))
            return
        }
        let isWholeFit =
            rules.types & Block.wholeBit != 0 && bit == Compiler.numberKind && isWhole(entry)
        guard rules.types & bit != 0 || isWholeFit else {
            guard mayReport(block, .type) else { return }
            out.append(
                RawFinding(
                    node: node, block: block, keyword: .type, found: described(node),
                    allowed: Words.types(rules.types)))
            return
        }
        guard rules.opCount > 0, enter(block) else { return }
        for index in Int(rules.firstOp)..<Int(rules.firstOp + rules.opCount) {
            let op = unsafe ops[index]
            if op.kinds & bit != 0 { collect(op, block, node, entry, &out) }
        }
        leave()
    }

    private mutating func collect(
        _ op: Op, _ block: Int32, _ node: Int, _ entry: Node, _ out: inout [RawFinding]
    ) {
        switch op.code {
        case .object: collectMembers(unsafe plans[Int(op.a)], block, node, &out)
        case .items: collectItems(op, node, entry, &out)
        case .reference: collect(op.a, node, &out)
        case .dynamicReference: collect(dynamicTarget(op), node, &out)
        case .allOf:
            for place in Int(op.a)..<Int(op.a + op.b) { unsafe collect(lists[place], node, &out) }
        case .anyOf, .oneOf: collectBranches(op, block, node, &out)
        case .condition: collect(allows(op.a, node) ? op.b : op.c, node, &out)
        case .dependentSchemas:
            for place in Int(op.a)..<Int(op.a + op.b) {
                let rule = program.dependencies[place]
                if has(rule.trigger, node) { collect(rule.block, node, &out) }
            }
        case .dependentRequired: collectDependents(op, block, node, &out)
        case .unevaluatedItems, .unevaluatedProperties:
            collectUnevaluated(op, block, node, entry, &out)
        case .contains:
            let count = matchCount(op, node, entry, enough: .max)
            guard count < Int(op.b) || count > Int(op.c) else { return }
            let isFew = count < Int(op.b)
            let limit = isFew ? Int(op.b) : Int(op.c)
            let keyword: Keyword = isFew ? (op.b == 1 ? .contains : .minContains) : .maxContains
            out.append(
                RawFinding(
                    node: node, block: block, keyword: keyword,
                    found: "\(Words.count(count, "matching element"))",
                    allowed:
                        "at \(isFew ? "least" : "most") \(Words.count(limit, "matching element"))",
                    limit: Double(limit), actual: Double(count)))
        case .uniqueItems:
            guard let (second, first) = firstRepeat(node, entry) else { return }
            let place = JSONValue(tape: tape, index: first).position
            out.append(
                RawFinding(
                    node: second, block: block, keyword: .uniqueItems,
                    found: "\(excerpt(second)) a second time (first in line \(place.line))",
                    allowed: "each element once"))
        case .constant, .enumeration, .minimum, .maximum, .exclusiveMinimum, .exclusiveMaximum,
            .multipleOf, .minLength, .maxLength, .format, .pattern, .minItems, .maxItems,
            .minProperties, .maxProperties, .negation:
            guard !allows(op, block, node, entry), mayReport(block, op.keyword) else { return }
            out.append(simpleFinding(op, block, node, entry))
        }
    }

    private mutating func collectMembers(
        _ plan: ObjectPlan, _ block: Int32, _ node: Int, _ out: inout [RawFinding]
    ) {
        for entry in missing(plan, node) where mayReport(block, .required, name: UInt32(entry)) {
            let known = unsafe entries[entry]
            let name = nameText(known.firstByte, known.byteCount)
            out.append(
                RawFinding(
                    node: node, block: block, keyword: .required, found: "no \(Words.quoted(name))",
                    allowed: "a member \(Words.quoted(name))", name: name))
        }
        var key = node + 1
        let end = unsafe Int(nodes[node].next)
        while key < end, out.count < JSONSchema.mostFindings {
            if counts(key) {
                if plan.names >= 0 { collect(plan.names, key, &out) }
                collectMember(plan, block, key, &out)
            }
            key = unsafe Int(nodes[key + 1].next)
        }
    }

    private mutating func collectMember(
        _ plan: ObjectPlan, _ block: Int32, _ key: Int, _ out: inout [RawFinding]
    ) {
        var isKnown = false
        if let place = find(key, in: plan), unsafe entries[place].block != Block.none {
            isKnown = true
            let known = unsafe entries[place].block
            if isRefusal(known) {
                guard mayReport(known, nil) else { return }
                out.append(unknownMember(key, block: known, keyword: nil, names: []))
            } else {
                collect(known, key + 1, &out)
            }
        }
        for pair in 0..<Int(plan.patternCount) {
            let at = Int(plan.firstPattern) + pair * 2
            guard unsafe matches(lists[at], nodes[key]) else { continue }
            isKnown = true
            unsafe collect(lists[at + 1], key + 1, &out)
        }
        guard !isKnown, plan.additional >= 0 else { return }
        if isRefusal(plan.additional) {
            // A key's entry holds the hash of its name.
            guard unsafe mayReport(block, .additionalProperties, name: nodes[key].next) else {
                return
            }
            out.append(
                unknownMember(
                    key, block: block, keyword: .additionalProperties, names: names(of: plan)))
        } else {
            collect(plan.additional, key + 1, &out)
        }
    }

    private mutating func collectItems(
        _ op: Op, _ node: Int, _ entry: Node, _ out: inout [RawFinding]
    ) {
        var child = node + 1
        var place: Int32 = 0
        while child < Int(entry.next), out.count < JSONSchema.mostFindings {
            let block = unsafe place < op.b ? lists[Int(op.a + place)] : op.c
            collect(block, child, &out)
            place += 1
            child = unsafe Int(nodes[child].next)
        }
    }

    private mutating func collectDependents(
        _ op: Op, _ block: Int32, _ node: Int, _ out: inout [RawFinding]
    ) {
        for place in Int(op.a)..<Int(op.a + op.b) {
            let rule = program.dependencies[place]
            guard has(rule.trigger, node) else { continue }
            for name in rule.names where !has(name, node) {
                out.append(
                    RawFinding(
                        node: node, block: block, keyword: .dependentRequired,
                        found:
                            "\(Words.quoted(rule.trigger.text)) without \(Words.quoted(name.text))",
                        allowed: "a member \(Words.quoted(name.text)) beside it", name: name.text))
            }
        }
    }

    private mutating func collectUnevaluated(
        _ op: Op, _ block: Int32, _ node: Int, _ entry: Node, _ out: inout [RawFinding]
    ) {
        marksLikeliestBranch = true
        let rest = unevaluated(block, node, entry)
        marksLikeliestBranch = false
        for child in rest where out.count < JSONSchema.mostFindings {
            if isRefusal(op.a), op.code == .unevaluatedProperties {
                out.append(
                    unknownMember(
                        child - 1, block: block, keyword: .unevaluatedProperties,
                        names: inPlaceNames(block)))
            } else if isRefusal(op.a) {
                out.append(
                    RawFinding(
                        node: child, block: block, keyword: .unevaluatedItems,
                        found: excerpt(child), allowed: "no further element"))
            } else {
                collect(op.a, child, &out)
            }
        }
    }

    /// Whether the schema is `false`.
    private func isRefusal(_ block: Int32) -> Bool {
        unsafe block >= 0 && blocks[Int(block)].types == 0
    }

    private func unknownMember(
        _ key: Int, block: Int32, keyword: Keyword?, names: [String]
    ) -> RawFinding {
        let name = tape.text(of: key)
        let object = names.isEmpty ? "no member of this name" : Words.list(names)
        return RawFinding(
            node: key, block: block, keyword: keyword,
            found: "an unknown member \(Words.quoted(name))", allowed: object, name: name,
            suggestion: Words.closest(to: name, among: names))
    }

    /// The names a plan has schemas for.
    func names(of plan: ObjectPlan) -> [String] {
        let places = Int(plan.firstEntry)..<Int(plan.firstEntry + plan.entryCount)
        return places.compactMap { place in
            let entry = unsafe entries[place]
            return entry.block == Block.none ? nil : nameText(entry.firstByte, entry.byteCount)
        }
    }

    func nameText(_ first: Int32, _ count: Int32) -> String {
        unsafe String(
            decoding: nameBytes[Int(first)..<Int(first + count)], as: UTF8.self)
    }
}
