extension Compiler {
    mutating func compileValidation() throws(SchemaError) {
        try compileType()
        if let value = schema["const"] {
            emit(
                .constant, .const, kinds: Block.everyType, a: Int32(allowed.count), b: 1)
            addAllowed(value)
        }
        if let value = schema["enum"] {
            guard value.kind == .array else { throw bad("enum", "is a list of values.") }
            emit(
                .enumeration, .enum, kinds: Block.everyType, a: Int32(allowed.count),
                b: Int32(value.count))
            for element in value.elements { addAllowed(element) }
        }
        try compileBound("minimum", .minimum, .minimum)
        try compileBound("maximum", .maximum, .maximum)
        try compileBound("exclusiveMinimum", .exclusiveMinimum, .exclusiveMinimum)
        try compileBound("exclusiveMaximum", .exclusiveMaximum, .exclusiveMaximum)
        try compileBound("multipleOf", .multipleOf, .multipleOf)
        try compileCount("minLength", .minLength, .minLength, Compiler.stringKind)
        try compileMaxLength()
        try compileCount("minItems", .minItems, .minItems, Compiler.arrayKind)
        try compileCount("maxItems", .maxItems, .maxItems, Compiler.arrayKind)
        try compileCount("minProperties", .minProperties, .minProperties, Compiler.objectKind)
        try compileCount("maxProperties", .maxProperties, .maxProperties, Compiler.objectKind)
        if let value = schema["pattern"] {
            emit(
                .pattern, .pattern, kinds: Compiler.stringKind,
                a: try addPattern(value.string, keyword: "pattern"))
        }
        if let value = schema["uniqueItems"] {
            guard let isUnique = value.bool else { throw bad("uniqueItems", "is true or false.") }
            if isUnique { emit(.uniqueItems, .uniqueItems, kinds: Compiler.arrayKind) }
        }
        try compileDependentRequired()
    }

    mutating func compileFormat() throws(SchemaError) {
        guard let value = schema["format"] else { return }
        guard let name = value.string else { throw bad("format", "is a text.") }
        // JSON Schema, validation, 7.2.3: an unknown format is no assertion.
        guard let format = Format(rawValue: name) else { return }
        emit(.format, .format, kinds: Compiler.stringKind, a: format.number)
    }

    /// Adds a pattern and returns its number.
    mutating func addPattern(_ text: String?, keyword: String) throws(SchemaError) -> Int32 {
        guard let text else { throw bad(keyword, "is a text.") }
        if let known = patterns.firstIndex(where: { $0.source.utf8.elementsEqual(text.utf8) }) {
            return Int32(known)
        }
        do throws(PatternError) {
            patterns.append(try library.patterns.pattern(text))
        } catch {
            throw SchemaError(
                code: error.isUnsupported ? .unsupportedPattern : .badPattern,
                location: library.location(
                    of: schema.index, in: Int(block.document), keyword: keyword),
                sentence: error.sentence)
        }
        return Int32(patterns.count - 1)
    }

    private mutating func compileType() throws(SchemaError) {
        guard let value = schema["type"] else { return }
        let names = value.kind == .array ? value.elements.map { $0.string } : [value.string]
        guard !names.isEmpty else { throw bad("type", "names one type or more.") }
        var types: UInt8 = 0
        for name in names {
            switch name {
            case "null": types |= 1
            case "boolean": types |= 6
            case "number": types |= Compiler.numberKind
            case "integer": types |= Block.wholeBit
            case "string": types |= Compiler.stringKind
            case "array": types |= Compiler.arrayKind
            case "object": types |= Compiler.objectKind
            default: throw bad("type", "is the name of a type, or a list of such names.")
            }
        }
        allow(types: types)
    }

    private mutating func addAllowed(_ value: JSONValue) {
        var entry = AllowedValue(document: block.document, node: Int32(value.index))
        if let bytes = value.stringBytes {
            entry.text = TextProbe(bytes, at: nameBytes.count)
            nameBytes += bytes
        }
        allowed.append(entry)
    }

    private mutating func compileBound(
        _ name: String, _ code: Op.Code, _ keyword: Keyword
    ) throws(SchemaError) {
        guard let value = schema[name] else { return }
        guard value.kind == .number else { throw bad(name, "is a number.") }
        let decimal = Decimal(value.rawBytes)
        if keyword == .multipleOf {
            guard !decimal.isNegative, decimal.digitCount > 0, decimal.digitCount <= 18 else {
                throw bad(name, "is a number above 0 of at most 18 digits.")
            }
        }
        // Far from the ends of the type, so that comparing never overflows.
        let integer = decimal.int.flatMap { abs($0 / 2) < 1 << 60 ? Int64($0) : nil }
        emit(code, keyword, kinds: Compiler.numberKind, a: Int32(integers.count))
        integers.append(integer ?? .min)
        decimals.append(decimal)
    }

    private mutating func compileCount(
        _ name: String, _ code: Op.Code, _ keyword: Keyword, _ kinds: UInt8
    ) throws(SchemaError) {
        guard let limit = try count(name) else { return }
        emit(code, keyword, kinds: kinds, a: limit)
    }

    private mutating func compileMaxLength() throws(SchemaError) {
        guard let limit = try count("maxLength") else { return }
        var unit: LengthUnit?
        if let value = schema["x-unit"] {
            unit = value.string.flatMap { LengthUnit(rawValue: $0) }
            guard unit != nil else { throw bad("x-unit", "is utf-16, graphemes or bytes.") }
        }
        emit(
            .maxLength, .maxLength, kinds: Compiler.stringKind, a: limit, b: unit?.number ?? -1)
    }

    private mutating func compileDependentRequired() throws(SchemaError) {
        var found: [Program.Dependency] = []
        for keyword in ["dependentRequired", "dependencies"] {
            guard let value = schema[keyword] else { continue }
            guard value.kind == .object else { throw bad(keyword, "is an object of lists.") }
            for member in value.members {
                guard member.value.kind == .array else {
                    guard keyword == "dependencies" else { throw bad(keyword, "holds lists.") }
                    continue
                }
                let names = member.value.elements.compactMap { $0.stringBytes }
                guard names.count == member.value.count else { throw bad(keyword, "names keys.") }
                found.append(
                    Program.Dependency(
                        trigger: addName(member.keyBytes), names: names.map { addName($0) }))
            }
        }
        guard !found.isEmpty else { return }
        emit(
            .dependentRequired, .dependentRequired, kinds: Compiler.objectKind,
            a: Int32(dependencies.count), b: Int32(found.count))
        dependencies += found
    }
}
