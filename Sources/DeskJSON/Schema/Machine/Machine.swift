/// Runs a program over one instance.
///
/// Limit: 512 schemas deep and ten million steps; beyond either the verdict is "invalid" and
/// ``isExhausted`` says why. Both are far above what a document of the product's depth can need.
// Safe: the buffers are lent by `Program.withMachine` for the machine's whole life; node and block
// numbers come from the parser and the compiler, which made only such as exist.
@safe struct Machine {
    static let mostDepth = 512
    static let mostSteps = 10_000_000

    let program: Program
    let tape: Tape
    let nodes: UnsafeBufferPointer<Node>
    let text: UnsafeBufferPointer<UInt8>
    let blocks: UnsafeBufferPointer<Block>
    let ops: UnsafeBufferPointer<Op>
    let lists: UnsafeBufferPointer<Int32>
    let slots: UnsafeBufferPointer<Int32>
    let entries: UnsafeBufferPointer<NameEntry>
    let nameBytes: UnsafeBufferPointer<UInt8>
    let hasDynamicScope: Bool
    /// The resources entered on the way, outermost first; kept only where a reference asks.
    var scopes: [Int32] = []
    private var depth = 0
    private var steps = 0
    private var stepLimit = Machine.mostSteps
    private(set) var isExhausted = false
    /// While findings are collected: where no alternative fits, the likeliest one's members count
    /// as looked at, so that one fault does not make all members unknown.
    var marksLikeliestBranch = false

    /// Whether the schema allows the entry: a value, or a key as a string.
    mutating func allows(_ block: Int32, _ node: Int) -> Bool {
        guard block >= 0 else { return true }
        let rules = unsafe blocks[Int(block)]
        let entry = unsafe nodes[node]
        let bit = Machine.bit(of: entry)
        if rules.types & bit == 0 {
            guard rules.types & Block.wholeBit != 0, bit == Compiler.numberKind, isWhole(entry)
            else { return false }
        }
        guard rules.opCount > 0 else { return true }
        guard enter(rules) else { return false }
        var isAllowed = true
        var index = Int(rules.firstOp)
        let end = index + Int(rules.opCount)
        while index < end {
            let op = unsafe ops[index]
            if op.kinds & bit != 0, !allows(op, block, node, entry) {
                isAllowed = false
                break
            }
            index += 1
        }
        leave()
        return isAllowed
    }

    /// Goes one schema deeper; false when that is too deep or too much.
    mutating func enter(_ rules: Block) -> Bool {
        guard depth < Machine.mostDepth, steps < stepLimit else {
            isExhausted = true
            return false
        }
        depth += 1
        steps += 1
        if hasDynamicScope { scopes.append(rules.resource) }
        return true
    }

    mutating func leave() {
        depth -= 1
        if hasDynamicScope { scopes.removeLast() }
    }

    /// Forgets what was spent, for a second pass, which gets a tenth as many steps.
    mutating func startOver() {
        steps = 0
        stepLimit = Machine.mostSteps / 10
        isExhausted = false
    }

    static func bit(of entry: Node) -> UInt8 {
        1 << UInt8(truncatingIfNeeded: min(entry.kind, 6) &- (entry.kind == Node.Kind.key ? 2 : 0))
    }

    /// Whether one instruction allows the entry.
    mutating func allows(_ op: Op, _ block: Int32, _ node: Int, _ entry: Node) -> Bool {
        switch op.code {
        case .constant, .enumeration: isAmong(op, node, entry)
        case .minimum: compare(entry, to: op.a) >= 0
        case .maximum: compare(entry, to: op.a) <= 0
        case .exclusiveMinimum: compare(entry, to: op.a) > 0
        case .exclusiveMaximum: compare(entry, to: op.a) < 0
        case .multipleOf: isMultiple(entry, of: op.a)
        case .minLength: isAtLeast(op.a, scalars: entry)
        case .maxLength: isAtMost(op.a, scalars: entry)
        case .format: hasFormat(op.a, entry)
        case .pattern: matches(op.a, entry)
        case .minItems, .minProperties: entry.count >= Int(op.a)
        case .maxItems, .maxProperties: entry.count <= Int(op.a)
        case .object: allowsMembers(program.plans[Int(op.a)], node, entry)
        case .dependentRequired: hasDependents(op, node)
        case .items: allowsItems(op, node, entry)
        case .reference: allows(op.a, node)
        case .dynamicReference: allows(dynamicTarget(op), node)
        case .allOf, .anyOf, .oneOf: allowsBranches(op, node)
        case .negation: !allows(op.a, node)
        case .condition:
            op.b < 0 && op.c < 0 || allows(allows(op.a, node) ? op.b : op.c, node)
        case .dependentSchemas: allowsDependents(op, node)
        case .contains: holdsMatches(op, node, entry)
        case .uniqueItems: hasUniqueItems(node, entry)
        case .unevaluatedItems, .unevaluatedProperties:
            allowsUnevaluated(op, block, node, entry)
        }
    }

    /// The block a dynamic reference means here: the outermost resource's that has the anchor.
    func dynamicTarget(_ op: Op) -> Int32 {
        let targets = program.dynamicTargets[Int(op.b)]
        for resource in scopes {
            if let target = targets[resource] { return target }
        }
        return op.a
    }

    private mutating func allowsBranches(_ op: Op, _ node: Int) -> Bool {
        var matched = 0
        for place in Int(op.a)..<Int(op.a + op.b) {
            let isMatch = unsafe allows(lists[place], node)
            switch op.code {
            case .allOf: guard isMatch else { return false }
            case .anyOf: guard !isMatch else { return true }
            default:
                if isMatch { matched += 1 }
                guard matched < 2 else { return false }
            }
        }
        return op.code == .allOf || matched == 1
    }
}

extension Program {
    /// Lends a machine over a document.
    func withMachine<Answer>(over tape: Tape, _ body: (inout Machine) -> Answer) -> Answer {
        unsafe tape.nodes.withUnsafeBufferPointer { nodes in
            unsafe tape.bytes.withUnsafeBufferPointer { text in
                unsafe blocks.withUnsafeBufferPointer { blocks in
                    unsafe withTables { ops, lists, slots, entries, names in
                        var machine = unsafe Machine(
                            program: self, tape: tape, nodes: nodes, text: text, blocks: blocks,
                            ops: ops, lists: lists, slots: slots, entries: entries,
                            nameBytes: names, hasDynamicScope: !dynamicTargets.isEmpty)
                        return body(&machine)
                    }
                }
            }
        }
    }

    private func withTables<Answer>(
        _ body: (
            UnsafeBufferPointer<Op>, UnsafeBufferPointer<Int32>, UnsafeBufferPointer<Int32>,
            UnsafeBufferPointer<NameEntry>, UnsafeBufferPointer<UInt8>
        ) -> Answer
    ) -> Answer {
        unsafe ops.withUnsafeBufferPointer { ops in
            unsafe lists.withUnsafeBufferPointer { lists in
                unsafe slots.withUnsafeBufferPointer { slots in
                    unsafe entries.withUnsafeBufferPointer { entries in
                        unsafe nameBytes.withUnsafeBufferPointer { names in
                            unsafe body(ops, lists, slots, entries, names)
                        }
                    }
                }
            }
        }
    }
}

extension Machine {
    init(
        program: Program, tape: Tape, nodes: UnsafeBufferPointer<Node>,
        text: UnsafeBufferPointer<UInt8>, blocks: UnsafeBufferPointer<Block>,
        ops: UnsafeBufferPointer<Op>, lists: UnsafeBufferPointer<Int32>,
        slots: UnsafeBufferPointer<Int32>, entries: UnsafeBufferPointer<NameEntry>,
        nameBytes: UnsafeBufferPointer<UInt8>, hasDynamicScope: Bool
    ) {
        self.program = program
        self.tape = tape
        unsafe self.nodes = unsafe nodes
        unsafe self.text = unsafe text
        unsafe self.blocks = unsafe blocks
        unsafe self.ops = unsafe ops
        unsafe self.lists = unsafe lists
        unsafe self.slots = unsafe slots
        unsafe self.entries = unsafe entries
        unsafe self.nameBytes = unsafe nameBytes
        self.hasDynamicScope = hasDynamicScope
    }
}
