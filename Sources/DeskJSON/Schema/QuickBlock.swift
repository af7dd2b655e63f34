/// A block folded into one record: its conditions on each kind of value, as far as they are simple.
///
/// The verdict checks this record first and executes the block's instructions only for kinds whose
/// instructions are not all in it. Findings always come from the instructions.
struct QuickBlock: Sendable {
    /// The kinds allowed, as in ``Block/types``.
    var types: UInt8
    /// The kinds whose instructions are all folded in, a bit each.
    var folded: UInt8 = 0
    /// Whether a string has conditions beyond its length.
    var asksForText = false
    /// Length of a string in scalars.
    var leastText: Int32 = 0
    var mostText: Int32 = .max
    /// The pattern a string has to match, or -1.
    var pattern: Int32 = -1
    /// The values a string may have, where there is such a list.
    var firstChoice: Int32 = 0
    var choiceCount: Int32 = -1
    /// Length of an array, and the schema of its elements.
    var leastItems: Int32 = 0
    var mostItems: Int32 = .max
    var element: Int32 = Block.anything
    /// The plan for an object's members, or -1.
    var plan: Int32 = -1
    /// Bounds of a number; whole ones only, for numbers written without fraction.
    var least: Int64 = .min
    var most: Int64 = .max

    /// The folded form of every block.
    static func fold(_ compiler: Compiler) -> [QuickBlock] {
        compiler.blocks.map { block in
            let ops = compiler.ops[Int(block.firstOp)..<Int(block.firstOp + block.opCount)]
            return QuickBlock(types: block.types, ops: ops, compiler)
        }
    }

    private init(types: UInt8, ops: ArraySlice<Op>, _ compiler: Compiler) {
        self.types = types
        folded = Block.everyType
        // A reference into a dynamic scope has to see every schema entered.
        if !compiler.dynamicTargets.isEmpty {
            folded &= ~(Compiler.arrayKind | Compiler.objectKind)
        }
        for op in ops {
            if !foldText(op) { folded &= ~(op.kinds & Compiler.stringKind) }
            if !foldNumber(op, compiler) { folded &= ~(op.kinds & Compiler.numberKind) }
            if !foldArray(op, compiler) { folded &= ~(op.kinds & Compiler.arrayKind) }
            if !foldObject(op) { folded &= ~(op.kinds & Compiler.objectKind) }
            folded &= ~(op.kinds & 7)
        }
        element = QuickBlock.behindReferences(element, compiler)
        asksForText = pattern >= 0 || choiceCount >= 0
    }

    private mutating func foldText(_ op: Op) -> Bool {
        switch op.code {
        case .minLength: leastText = op.a
        case .maxLength where op.b < 0: mostText = op.a
        case .pattern: pattern = op.a
        case .constant, .enumeration:
            guard choiceCount < 0 else { return false }
            firstChoice = op.a
            choiceCount = op.b
        default: return false
        }
        return true
    }

    private mutating func foldNumber(_ op: Op, _ compiler: Compiler) -> Bool {
        guard op.code == .minimum || op.code == .maximum,
            compiler.integers[Int(op.a)] != .min
        else { return false }
        if op.code == .minimum {
            least = compiler.integers[Int(op.a)]
        } else {
            most = compiler.integers[Int(op.a)]
        }
        return true
    }

    private mutating func foldArray(_ op: Op, _ compiler: Compiler) -> Bool {
        switch op.code {
        case .minItems: leastItems = op.a
        case .maxItems: mostItems = op.a
        case .items where op.b == 0: element = op.c
        default: return false
        }
        return true
    }

    private mutating func foldObject(_ op: Op) -> Bool {
        guard op.code == .object else { return false }
        plan = op.a
        return true
    }

    /// The target of a block that is only a reference; the verdict may jump to it.
    static func behindReferences(_ block: Int32, _ compiler: Compiler) -> Int32 {
        var current = block
        for _ in 0..<64 {
            guard current >= 0, compiler.dynamicTargets.isEmpty else { return current }
            let rules = compiler.blocks[Int(current)]
            guard rules.opCount == 1, rules.types == Block.everyType else { return current }
            let op = compiler.ops[Int(rules.firstOp)]
            guard op.code == .reference else { return current }
            current = op.a
        }
        return current
    }
}
