import DeskBytes

/// Compiles the schemas reachable from one URI to a flat program.
struct Compiler {
    private struct Source: Hashable {
        var document: Int
        var node: Int
    }

    let library: SchemaLibrary
    let formats: SchemaFormats
    let nulls: SchemaNulls
    private(set) var blocks: [Block] = []
    private(set) var ops: [Op] = []
    var lists: [Int32] = []
    var plans: [ObjectPlan] = []
    var slots: [NameSlot] = []
    var entries: [NameEntry] = []
    var nameBytes: [UInt8] = []
    var allowed: [AllowedValue] = []
    var patterns: [Pattern] = []
    var integers: [Int64] = []
    var decimals: [Decimal] = []
    var dynamicTargets: [[Int32: Int32]] = []
    var dependencies: [Program.Dependency] = []
    private var blockBySource: [Source: Int32] = [:]
    private var waiting: [Int32] = []
    private var dialects: [Int: Dialect] = [:]
    private var dynamicNames: [ByteString: Int32] = [:]
    private var touched: Set<Int32> = []
    /// The instructions of the block being compiled.
    private var current: [Op] = []
    private(set) var schema: JSONValue
    private(set) var block: Block

    init(library: SchemaLibrary, formats: SchemaFormats, nulls: SchemaNulls) {
        self.library = library
        self.formats = formats
        self.nulls = nulls
        schema = JSONValue(tape: library.documents[0], index: 0)
        block = Block(resource: 0, document: 0, node: 0)
    }

    mutating func compile(_ uri: String) throws(SchemaError) -> Program {
        let (document, node) = try find(SchemaURI(uri), from: uri)
        let root = try require(document: document, node: node)
        while let next = waiting.popLast() { try compileBlock(next) }
        try linkDynamicTargets()
        let program = Program(self, root: root)
        try refuseEndlessReferences(program)
        return program
    }

    /// The block of a schema; it is compiled now or later.
    mutating func require(document: Int, node: Int) throws(SchemaError) -> Int32 {
        let source = Source(document: document, node: node)
        if let known = blockBySource[source] { return known }
        guard blocks.count < 100_000 else {
            throw SchemaError(
                code: .tooLarge, location: library.location(of: node, in: document),
                sentence: "It refers to more than 100,000 schemas.")
        }
        let resource = library.resource(holding: node, in: document) ?? 0
        let index = Int32(blocks.count)
        blocks.append(
            Block(resource: Int32(resource), document: Int32(document), node: Int32(node)))
        blockBySource[source] = index
        waiting.append(index)
        touched.insert(Int32(resource))
        return index
    }

    /// The block of a schema inside the one being compiled; ``Block/anything`` costs no block.
    mutating func require(_ value: JSONValue, for keyword: Keyword) throws(SchemaError) -> Int32 {
        if value.bool == true || value.kind == .object && value.count == 0 {
            return Block.anything
        }
        guard value.kind == .object || value.kind == .boolean else {
            throw bad(keyword.rawValue, "is a schema: an object or a truth value.")
        }
        return try require(document: Int(block.document), node: value.index)
    }

    /// Adds an instruction to the block being compiled.
    mutating func emit(
        _ code: Op.Code, _ keyword: Keyword, kinds: UInt8, a: Int32 = -1, b: Int32 = -1,
        c: Int32 = -1
    ) {
        current.append(Op(code: code, kinds: kinds, keyword: keyword, a: a, b: b, c: c))
    }

    mutating func allow(types: UInt8) { block.types = types }

    /// A fault of the schema being compiled.
    func bad(_ keyword: String, _ rest: String) -> SchemaError {
        SchemaError(
            code: .badKeyword,
            location: library.location(
                of: schema.index, in: Int(block.document), keyword: keyword),
            sentence: "The value of \(keyword) \(rest)")
    }

    private mutating func compileBlock(_ index: Int32) throws(SchemaError) {
        block = blocks[Int(index)]
        schema = JSONValue(
            tape: library.documents[Int(block.document)], index: Int(block.node))
        current = []
        switch schema.kind {
        case .boolean: if schema.bool == false { block.types = 0 }
        case .object:
            let dialect = try dialect(of: Int(block.resource))
            try compileReferences()
            if dialect.hasApplicators { try compileApplicators(dialect) }
            if dialect.hasValidation { try compileValidation() }
            try compileObject(dialect)
            if dialect.hasUnevaluated { try compileUnevaluated() }
            if formats == .asserted || dialect.assertsFormats { try compileFormat() }
        case .null, .number, .string, .array:
            throw SchemaError(
                code: .badKeyword,
                location: library.location(of: schema.index, in: Int(block.document)),
                sentence: "A schema is an object or a truth value.")
        }
        current.sort { $0.code.rawValue < $1.code.rawValue }
        block.firstOp = Int32(ops.count)
        block.opCount = Int32(current.count)
        ops += current
        blocks[Int(index)] = block
    }

    private mutating func dialect(of resource: Int) throws(SchemaError) -> Dialect {
        if let known = dialects[resource] { return known }
        var dialect = Dialect.standard
        if let uri = library.resources[resource].metaschema {
            if let known = Dialect.known(uri) {
                dialect = known
            } else if let index = library.resource(at: SchemaURI(uri).text(withFragment: false)) {
                let source = library.resources[index]
                let value = JSONValue(tape: library.documents[source.document], index: source.node)
                dialect = try Dialect.declared(by: value, at: uri)
            } else {
                throw SchemaError(
                    code: .unknownVocabulary, location: library.resources[resource].uri,
                    sentence: "Its $schema, \(uri), is not registered.")
            }
        } else if let outer = outerResource(of: resource) {
            dialect = try self.dialect(of: outer)
        }
        dialects[resource] = dialect
        return dialect
    }

    private func outerResource(of resource: Int) -> Int? {
        let inner = library.resources[resource]
        guard inner.node > 0 else { return nil }
        return library.resource(holding: inner.node - 1, in: inner.document)
    }

    /// The number of a dynamic anchor's name.
    mutating func dynamicName(_ name: ByteString) -> Int32 {
        if let known = dynamicNames[name] { return known }
        let number = Int32(dynamicNames.count)
        dynamicNames[name] = number
        return number
    }

    /// Compiles every anchor that a dynamic reference may reach, until no new one is found.
    private mutating func linkDynamicTargets() throws(SchemaError) {
        guard !dynamicNames.isEmpty else { return }
        var targets: [[Int32: Int32]] = []
        var before = (-1, -1)
        while before != (touched.count, dynamicNames.count) {
            before = (touched.count, dynamicNames.count)
            targets = Array(repeating: [:], count: dynamicNames.count)
            for resource in touched.sorted() {
                let source = library.resources[Int(resource)]
                for (name, node) in source.dynamicAnchors {
                    guard let number = dynamicNames[name] else { continue }
                    targets[Int(number)][resource] = try require(
                        document: source.document, node: node)
                }
            }
            while let next = waiting.popLast() { try compileBlock(next) }
        }
        dynamicTargets = targets
    }
}
