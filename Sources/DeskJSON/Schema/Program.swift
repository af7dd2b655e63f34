/// The keywords that can be broken, by their names.
enum Keyword: String, Sendable {
    case type, `enum`, const, multipleOf, maximum, exclusiveMaximum, minimum, exclusiveMinimum
    case maxLength, minLength, pattern, format, maxItems, minItems, uniqueItems, maxContains
    case minContains, maxProperties, minProperties, required, dependentRequired, prefixItems
    case items, contains, properties, patternProperties, additionalProperties, propertyNames
    case unevaluatedItems, unevaluatedProperties, dependentSchemas, allOf, anyOf, oneOf, not
    case `if`, then, `else`, additionalItems, dependencies
    case ref = "$ref"
    case dynamicRef = "$dynamicRef"
}

/// One instruction of a schema.
struct Op: Sendable {
    /// The operation; cheap ones come first, since they run in this order.
    enum Code: UInt8, Sendable {
        case constant, enumeration
        case minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf
        case minLength, maxLength, format, pattern
        case minItems, maxItems, minProperties, maxProperties
        case object, dependentRequired, items
        case reference, dynamicReference, allOf, anyOf, oneOf, negation, condition
        case dependentSchemas, contains, uniqueItems
        case unevaluatedItems, unevaluatedProperties
    }

    var code: Code
    /// The kinds of value that the instruction concerns, a bit each.
    var kinds: UInt8
    var keyword: Keyword
    var a: Int32 = -1
    var b: Int32 = -1
    var c: Int32 = -1
}

/// A schema's instructions.
struct Block: Sendable {
    /// The schema that allows everything; needs no block.
    static let anything: Int32 = -2
    /// No schema at all.
    static let none: Int32 = -1
    /// In `types`: whole numbers only.
    static let wholeBit: UInt8 = 0x80
    static let everyType: UInt8 = 0x7F

    /// The kinds allowed, a bit each.
    var types: UInt8 = Block.everyType
    var firstOp: Int32 = 0
    var opCount: Int32 = 0
    /// The resource it is part of, for the dynamic scope.
    var resource: Int32
    var document: Int32
    var node: Int32
}

/// The conditions on an object's members.
struct ObjectPlan: Sendable {
    /// First slot of a table whose size is a power of two.
    var firstSlot: Int32 = 0
    var slotMask: UInt32 = 0
    var firstEntry: Int32 = 0
    var entryCount: Int32 = 0
    /// Pairs of pattern and block in the lists.
    var firstPattern: Int32 = 0
    var patternCount: Int32 = 0
    var additional: Int32 = Block.none
    var names: Int32 = Block.none
    /// A bit for each of the first 64 required names.
    var required: UInt64 = 0
    /// Whether some required name has no bit.
    var hasMoreRequired = false
    /// A bit for some hash of each name; most other keys have another.
    var filter: UInt64 = 0
}

/// An entry of a plan's hash table of names: one lookup decides whether a key is known.
struct NameSlot: Sendable {
    static let empty = NameSlot(probe: TextProbe([], at: 0), isEmpty: true, hash: 0)

    var probe: TextProbe
    var isEmpty: Bool
    var hash: UInt32
    /// Its schema, or none when the name is only required.
    var block: Int32 = Block.none
    /// Its entry in the program.
    var entry: Int32 = -1
    /// Its bit among the required, or 0.
    var bit: UInt64 = 0
}

/// A text that parsed strings and keys are compared with, prepared so that up to 16 bytes need two
/// loads.
struct TextProbe: Sendable {
    let words: EdgeWords
    /// The significant bits of the words.
    let mask: UInt64
    /// Where the second word begins.
    let lastOffset: Int32
    let byteCount: Int32
    /// The index of the text among the program's names.
    let firstByte: Int32

    init(_ text: [UInt8], at firstByte: Int) {
        words = unsafe text.withUnsafeBytes { unsafe EdgeWords($0) }
        mask = EdgeWords.mask(text.count)
        lastOffset = Int32(max(text.count, 8) - 8)
        byteCount = Int32(text.count)
        self.firstByte = Int32(firstByte)
    }

    /// Whether the edges of a text of the same length are the same.
    // Safe: eight bytes from the start are readable, the caller has seen to it.
    @inline(__always)
    func hasEdges(of start: UnsafePointer<UInt8>) -> Bool {
        let text = unsafe UnsafeRawPointer(start)
        let first = unsafe UInt64(littleEndian: text.loadUnaligned(as: UInt64.self))
        let last = unsafe UInt64(
            littleEndian: text.loadUnaligned(
                fromByteOffset: Int(lastOffset), as: UInt64.self))
        return ((first & mask) ^ words.first) | ((last & mask) ^ words.last) == 0
    }
}

/// A name an object may or must have.
struct NameEntry: Sendable {
    var firstByte: Int32
    var byteCount: Int32
    /// Its schema, or none when the name is only required.
    var block: Int32
    var isRequired: Bool
    /// Its bit among the required, or 0.
    var bit: UInt64
}

/// A value of an `enum` or `const`.
struct AllowedValue: Sendable {
    var document: Int32
    var node: Int32
    /// The decoded bytes of a string; nil for other kinds.
    var text: TextProbe?
}

/// A compiled schema, flat: indices instead of references, nothing changes after it is made.
final class Program: Sendable {
    let root: Int32
    let blocks: [Block]
    let ops: [Op]
    /// Lists of blocks, and pairs of pattern and block.
    let lists: [Int32]
    let plans: [ObjectPlan]
    let slots: [NameSlot]
    let entries: [NameEntry]
    let nameBytes: [UInt8]
    let allowed: [AllowedValue]
    let patterns: [Pattern]
    /// The tables of the patterns that have one, end to end.
    let tables: PatternTables
    /// The blocks once more, folded for the verdict.
    let quick: [QuickBlock]
    /// Numeric limits as integers; `Int64.min` when only the decimal is exact.
    let integers: [Int64]
    let decimals: [Decimal]
    /// For each dynamic reference's name: pairs of resource and block.
    let dynamicTargets: [[Int32: Int32]]
    /// Triggers and the members they require: the name's entry, then a count and its list.
    let dependencies: [Dependency]
    let library: SchemaLibrary
    /// Whether members that are `null` count as absent.
    let skipsNulls: Bool

    /// A member whose presence requires others.
    struct Dependency: Sendable {
        var trigger: Name
        var names: [Name] = []
        var block: Int32 = Block.none
    }

    /// A name and how it is compared.
    struct Name: Sendable {
        var text: String
        var probe: TextProbe
    }

    init(_ compiler: Compiler, root: Int32) {
        self.root = root
        blocks = compiler.blocks
        ops = compiler.ops
        lists = compiler.lists
        plans = compiler.plans
        slots = compiler.slots.map { slot in
            var direct = slot
            direct.block = QuickBlock.behindReferences(slot.block, compiler)
            return direct
        }
        entries = compiler.entries
        nameBytes = compiler.nameBytes
        allowed = compiler.allowed
        patterns = compiler.patterns
        tables = PatternTables(compiler.patterns)
        quick = QuickBlock.fold(compiler)
        integers = compiler.integers
        decimals = compiler.decimals
        dynamicTargets = compiler.dynamicTargets
        dependencies = compiler.dependencies
        library = compiler.library
        skipsNulls = compiler.nulls == .absent
    }

    /// The place of a keyword, absolute.
    func location(of keyword: Keyword?, in block: Int32) -> String {
        let source = blocks[Int(block)]
        return library.location(
            of: Int(source.node), in: Int(source.document), keyword: keyword?.rawValue)
    }

    /// The schema text a block was made from.
    func source(of block: Int32) -> JSONValue {
        let source = blocks[Int(block)]
        return JSONValue(tape: library.documents[Int(source.document)], index: Int(source.node))
    }
}
