extension Machine {
    /// Notes why no alternative, or more than the one allowed, fits.
    mutating func collectBranches(
        _ op: Op, _ block: Int32, _ node: Int, _ out: inout [RawFinding]
    ) {
        let branches = (Int(op.a)..<Int(op.a + op.b)).map { unsafe lists[$0] }
        let matching = branches.count { allows($0, node) }
        guard matching == 0 else {
            guard op.code == .oneOf, matching > 1 else { return }
            out.append(
                RawFinding(
                    node: node, block: block, keyword: .oneOf,
                    found: "a value that fits \(matching) of \(branches.count) alternatives",
                    allowed: "exactly one of them", limit: 1, actual: Double(matching)))
            return
        }
        if let joint = jointFinding(op, branches, block, node) {
            out.append(joint)
            return
        }
        let likeliest = likeliest(of: branches, node)
        var best: [RawFinding]?
        let before = reported
        for branch in likeliest {
            var found: [RawFinding] = []
            reported = before
            collect(branch, node, &found)
            if found.count < best?.count ?? .max, !found.isEmpty { best = found }
        }
        let fallback = RawFinding(
            node: node, block: block, keyword: op.keyword, found: described(node),
            allowed: "one of \(branches.count) alternatives")
        out += best ?? [fallback]
    }

    /// The alternatives most likely meant, at most three; they share the best score.
    mutating func likeliest(of branches: [Int32], _ node: Int) -> [Int32] {
        let scores = branches.map { score($0, node, depth: 0) }
        let top = scores.max() ?? 0
        let best = zip(branches, scores).filter { $0.1 == top }.map { $0.0 }
        return Array(best.prefix(3))
    }

    /// One finding for all alternatives, where each fails by the value's type or by a list of
    /// allowed values.
    private mutating func jointFinding(
        _ op: Op, _ branches: [Int32], _ block: Int32, _ node: Int
    ) -> RawFinding? {
        let entry = unsafe nodes[node]
        let bit = Machine.bit(of: entry)
        var types: UInt8 = 0
        var texts: [String] = []
        for branch in branches {
            guard let plain = plainBlock(branch) else { return nil }
            let rules = unsafe blocks[Int(plain)]
            if let choice = choice(of: plain) {
                texts += allowedTexts(choice)
            } else if rules.types & bit == 0, rules.types != 0 {
                types |= rules.types
            } else {
                return nil
            }
        }
        var allowed: [String] = []
        if types != 0 { allowed.append(Words.types(types)) }
        if !texts.isEmpty { allowed.append(Words.joined(texts)) }
        return RawFinding(
            node: node, block: block, keyword: op.keyword, found: described(node),
            allowed: allowed.joined(separator: " or "))
    }

    /// The block at the end of a chain of references that have no sibling keywords.
    private func plainBlock(_ block: Int32) -> Int32? {
        var current = block
        for _ in 0..<16 {
            guard current >= 0 else { return nil }
            let rules = unsafe blocks[Int(current)]
            guard rules.opCount == 1, rules.types == Block.everyType else { return current }
            let op = unsafe ops[Int(rules.firstOp)]
            guard op.code == .reference else { return current }
            current = op.a
        }
        return nil
    }

    /// The `const` or `enum` of a block.
    private func choice(of block: Int32) -> Op? {
        let rules = unsafe blocks[Int(block)]
        for index in Int(rules.firstOp)..<Int(rules.firstOp + rules.opCount) {
            let op = unsafe ops[index]
            if op.code == .constant || op.code == .enumeration { return op }
        }
        return nil
    }

    /// How likely a value was meant for the schema: discriminating members count
    /// most, then the type, then known and required names.
    private mutating func score(_ block: Int32, _ node: Int, depth: Int) -> Int {
        guard block >= 0, depth < 8 else { return 0 }
        let rules = unsafe blocks[Int(block)]
        let entry = unsafe nodes[node]
        let bit = Machine.bit(of: entry)
        let isWholeFit = rules.types & Block.wholeBit != 0 && bit == Compiler.numberKind
        guard rules.types & bit != 0 || isWholeFit else { return -1000 }
        var sum = 0
        for index in Int(rules.firstOp)..<Int(rules.firstOp + rules.opCount) {
            let op = unsafe ops[index]
            guard op.kinds & bit != 0 else { continue }
            switch op.code {
            case .constant, .enumeration: sum += isAmong(op, node, entry) ? 50 : -50
            case .reference: sum += score(op.a, node, depth: depth + 1)
            case .allOf:
                for place in Int(op.a)..<Int(op.a + op.b) {
                    sum += unsafe score(lists[place], node, depth: depth + 1)
                }
            case .object: sum += memberScore(unsafe plans[Int(op.a)], node)
            default: break
            }
        }
        return sum
    }

    private mutating func memberScore(_ plan: ObjectPlan, _ node: Int) -> Int {
        var sum = -2 * missing(plan, node).count
        var key = node + 1
        let end = unsafe Int(nodes[node].next)
        while key < end {
            defer { key = unsafe Int(nodes[key + 1].next) }
            guard counts(key) else { continue }
            guard let place = find(key, in: plan) else {
                if plan.additional >= 0 { sum -= 1 }
                continue
            }
            sum += 2
            let known = unsafe entries[place].block
            guard known >= 0, let plain = plainBlock(known), let choice = choice(of: plain) else {
                continue
            }
            sum += unsafe isAmong(choice, key + 1, nodes[key + 1]) ? 50 : -50
        }
        return sum
    }

    /// The names known to a block and to what it refers to for the same value.
    func inPlaceNames(_ block: Int32, depth: Int = 0) -> [String] {
        guard block >= 0, depth < 8 else { return [] }
        let rules = unsafe blocks[Int(block)]
        var found: [String] = []
        for index in Int(rules.firstOp)..<Int(rules.firstOp + rules.opCount) {
            let op = unsafe ops[index]
            switch op.code {
            case .object: found += names(of: unsafe plans[Int(op.a)])
            case .reference: found += inPlaceNames(op.a, depth: depth + 1)
            case .allOf, .anyOf, .oneOf:
                for place in Int(op.a)..<Int(op.a + op.b) {
                    found += unsafe inPlaceNames(lists[place], depth: depth + 1)
                }
            case .condition:
                found += inPlaceNames(op.a, depth: depth + 1)
                found += inPlaceNames(op.b, depth: depth + 1)
                found += inPlaceNames(op.c, depth: depth + 1)
            default: break
            }
        }
        return found
    }
}
