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
    let rules: ProgramView
    let tables: PatternTables.View
    /// The resources entered on the way, outermost first; kept only where a reference asks.
    private let scopes: UnsafeMutableBufferPointer<Int32>
    /// Whether members that are `null` count as absent.
    let skipsNulls: Bool
    private var depth = 0
    private var steps = 0
    private var stepLimit = Machine.mostSteps
    /// The kinds for which folded blocks are asked.
    private var foldable: UInt8 = 0xFF
    var usesTables: Bool { foldable != 0 }
    private(set) var isExhausted = false
    /// How often each kind of finding was reported.
    var reported: [FindingGroup: Int] = [:]
    /// While findings are collected: where no alternative fits, the likeliest one's members count
    /// as looked at, so that one fault does not make all members unknown.
    var marksLikeliestBranch = false

    var blocks: UnsafeBufferPointer<Block> { unsafe rules.blocks }
    var ops: UnsafeBufferPointer<Op> { unsafe rules.ops }
    var lists: UnsafeBufferPointer<Int32> { unsafe rules.lists }
    var plans: UnsafeBufferPointer<ObjectPlan> { unsafe rules.plans }
    var entries: UnsafeBufferPointer<NameEntry> { unsafe rules.entries }
    var nameBytes: UnsafeBufferPointer<UInt8> { unsafe rules.nameBytes }

    /// Whether the schema allows the entry: a value, or a key as a string.
    mutating func allows(_ block: Int32, _ node: Int) -> Bool {
        guard block >= 0 else { return true }
        let quick = unsafe rules.quick[Int(block)]
        let entry = unsafe nodes[node]
        let bit = Machine.bit(of: entry)
        if quick.types & bit == 0 {
            guard quick.types & Block.wholeBit != 0, bit == Compiler.numberKind, isWhole(entry)
            else { return false }
        }
        guard quick.folded & foldable & bit != 0 else {
            return allowsStepByStep(block, node, entry, bit)
        }
        switch entry.kind {
        case Node.Kind.string, Node.Kind.key: return allowsText(quick, entry)
        case Node.Kind.number: return allowsNumber(quick, block, node, entry)
        case Node.Kind.array: return allowsElements(quick, node, entry)
        case Node.Kind.object:
            guard quick.plan >= 0 else { return true }
            guard enter(block) else { return false }
            let isAllowed = allowsMembers(quick.plan, node, entry)
            leave()
            return isAllowed
        default: return true
        }
    }

    /// Goes through all instructions of a block.
    mutating func allowsStepByStep(
        _ block: Int32, _ node: Int, _ entry: Node, _ bit: UInt8
    ) -> Bool {
        let rules = unsafe blocks[Int(block)]
        guard enter(block) else { return false }
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
    mutating func enter(_ block: Int32) -> Bool {
        guard depth < Machine.mostDepth, steps < stepLimit else {
            isExhausted = true
            return false
        }
        depth &+= 1
        steps &+= 1
        if unsafe !scopes.isEmpty { unsafe scopes[depth - 1] = blocks[Int(block)].resource }
        return true
    }

    mutating func leave() { depth &-= 1 }

    /// Forgets what was spent, for a second pass, which gets a tenth as many steps.
    mutating func startOver() {
        steps = 0
        stepLimit = Machine.mostSteps / 10
        isExhausted = false
    }

    /// From now on goes by the instructions alone.
    mutating func goStepByStep() { foldable = 0 }

    /// The bit of an entry's kind; a key counts as a string.
    @inline(__always)
    static func bit(of entry: Node) -> UInt8 {
        UInt8(truncatingIfNeeded: 0x1040_2010_0804_0201 as UInt64 &>> UInt64(entry.kind &* 8))
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
        case .maxLength: isAtMost(op, node, entry)
        case .format: hasFormat(op.a, entry)
        case .pattern: matches(op.a, entry)
        case .minItems, .minProperties: entry.count >= Int(op.a)
        case .maxItems, .maxProperties: entry.count <= Int(op.a)
        case .object: allowsMembers(op.a, node, entry)
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
        for place in 0..<depth {
            if let target = unsafe targets[scopes[place]] { return target }
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
                withView { view in
                    tables.withView { tables in
                        unsafe withScopes { scopes in
                            var machine = unsafe Machine(
                                program: self, tape: tape, nodes: nodes, text: text, rules: view,
                                tables: tables, scopes: scopes)
                            return body(&machine)
                        }
                    }
                }
            }
        }
    }

    /// Lends room for the dynamic scope, where there is one: on the stack, like all of a machine.
    private func withScopes<Answer>(
        _ body: (UnsafeMutableBufferPointer<Int32>) -> Answer
    ) -> Answer {
        guard !dynamicTargets.isEmpty else {
            return unsafe body(UnsafeMutableBufferPointer(start: nil, count: 0))
        }
        var room = InlineArray<512, Int32>(repeating: 0)
        var span = room.mutableSpan
        return unsafe span.withUnsafeMutableBufferPointer { unsafe body($0) }
    }
}

extension Machine {
    init(
        program: Program, tape: Tape, nodes: UnsafeBufferPointer<Node>,
        text: UnsafeBufferPointer<UInt8>, rules: ProgramView, tables: PatternTables.View,
        scopes: UnsafeMutableBufferPointer<Int32>
    ) {
        self.program = program
        self.tape = tape
        unsafe self.nodes = unsafe nodes
        unsafe self.text = unsafe text
        self.rules = rules
        self.tables = tables
        unsafe self.scopes = unsafe scopes
        skipsNulls = program.skipsNulls
    }
}
