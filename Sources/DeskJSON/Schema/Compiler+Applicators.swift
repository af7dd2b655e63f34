extension Compiler {
    static let numberKind: UInt8 = 1 << 3
    static let stringKind: UInt8 = 1 << 4
    static let arrayKind: UInt8 = 1 << 5
    static let objectKind: UInt8 = 1 << 6

    mutating func compileApplicators(_ dialect: Dialect) throws(SchemaError) {
        try compileList("allOf", .allOf, .allOf)
        try compileList("anyOf", .anyOf, .anyOf)
        try compileList("oneOf", .oneOf, .oneOf)
        if let value = schema["not"] {
            emit(.negation, .not, kinds: Block.everyType, a: try require(value, for: .not))
        }
        // An `if` alone decides nothing, but `unevaluated…` depends on what it has evaluated.
        if let test = schema["if"] {
            var branches: [Int32] = [try require(test, for: .if), Block.anything, Block.anything]
            if let value = schema["then"] { branches[1] = try require(value, for: .then) }
            if let value = schema["else"] { branches[2] = try require(value, for: .else) }
            emit(
                .condition, .if, kinds: Block.everyType, a: branches[0], b: branches[1],
                c: branches[2])
        }
        try compileItems(dialect)
        try compileContains()
        try compileDependentSchemas()
    }

    mutating func compileUnevaluated() throws(SchemaError) {
        if let value = schema["unevaluatedItems"] {
            emit(
                .unevaluatedItems, .unevaluatedItems, kinds: Compiler.arrayKind,
                a: try require(value, for: .unevaluatedItems))
        }
        if let value = schema["unevaluatedProperties"] {
            emit(
                .unevaluatedProperties, .unevaluatedProperties, kinds: Compiler.objectKind,
                a: try require(value, for: .unevaluatedProperties))
        }
    }

    /// Adds a list of blocks and returns where it starts.
    mutating func addList(_ blocks: [Int32]) -> Int32 {
        let first = Int32(lists.count)
        lists += blocks
        return first
    }

    private mutating func compileList(
        _ name: String, _ code: Op.Code, _ keyword: Keyword
    ) throws(SchemaError) {
        guard let value = schema[name] else { return }
        guard value.kind == .array, value.count > 0 else {
            throw bad(name, "is a list of one schema or more.")
        }
        var blocks: [Int32] = []
        for element in value.elements { blocks.append(try require(element, for: keyword)) }
        emit(
            code, keyword, kinds: Block.everyType, a: addList(blocks), b: Int32(blocks.count))
    }

    private mutating func compileItems(_ dialect: Dialect) throws(SchemaError) {
        var first: [Int32] = []
        var rest = Block.none
        var keyword = Keyword.items
        let items = schema["items"]
        let prefix =
            dialect.isHistoric ? (items?.kind == .array ? items : nil) : schema["prefixItems"]
        if let prefix {
            guard prefix.kind == .array, prefix.count > 0 else {
                throw bad("prefixItems", "is a list of one schema or more.")
            }
            for element in prefix.elements {
                first.append(try require(element, for: .prefixItems))
            }
            if dialect.isHistoric {
                keyword = .additionalItems
                if let value = schema["additionalItems"] {
                    rest = try require(value, for: .additionalItems)
                }
            }
        }
        if let items, items.kind != .array {
            rest = try require(items, for: .items)
        } else if items != nil, !dialect.isHistoric {
            throw bad("items", "is a schema; lists are called prefixItems.")
        }
        guard !first.isEmpty || rest != Block.none else { return }
        emit(
            .items, keyword, kinds: Compiler.arrayKind, a: addList(first), b: Int32(first.count),
            c: rest)
    }

    private mutating func compileContains() throws(SchemaError) {
        guard let value = schema["contains"] else { return }
        let least = try count("minContains") ?? 1
        let most = try count("maxContains") ?? .max
        emit(
            .contains, .contains, kinds: Compiler.arrayKind, a: try require(value, for: .contains),
            b: least, c: most)
    }

    private mutating func compileDependentSchemas() throws(SchemaError) {
        var found: [Program.Dependency] = []
        for keyword in ["dependentSchemas", "dependencies"] {
            guard let value = schema[keyword] else { continue }
            guard value.kind == .object else { throw bad(keyword, "is an object of schemas.") }
            for member in value.members where member.value.kind != .array {
                found.append(
                    Program.Dependency(
                        trigger: addName(member.keyBytes),
                        block: try require(member.value, for: .dependentSchemas)))
            }
        }
        guard !found.isEmpty else { return }
        emit(
            .dependentSchemas, .dependentSchemas, kinds: Compiler.objectKind,
            a: Int32(dependencies.count), b: Int32(found.count))
        dependencies += found
    }

    /// The value of a keyword that counts something.
    func count(_ keyword: String) throws(SchemaError) -> Int32? {
        guard let value = schema[keyword] else { return nil }
        guard value.kind == .number, let number = value.int, number >= 0 else {
            throw bad(keyword, "is a whole number from 0.")
        }
        return Int32(clamping: number)
    }
}
