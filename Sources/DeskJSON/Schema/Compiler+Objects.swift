import DeskBytes

extension Compiler {
    /// Compiles everything about an object's members into one plan, so that one pass validates them.
    mutating func compileObject(_ dialect: Dialect) throws(SchemaError) {
        var plan = ObjectPlan()
        var names = MemberNames()
        if dialect.hasApplicators {
            if let value = schema["properties"] {
                guard value.kind == .object else { throw bad("properties", "is an object.") }
                for member in value.members {
                    names.set(member.keyBytes, block: try require(member.value, for: .properties))
                }
            }
            try compilePatterns(&plan)
            if let value = schema["additionalProperties"] {
                plan.additional = try require(value, for: .additionalProperties)
            }
            if let value = schema["propertyNames"] {
                plan.names = try require(value, for: .propertyNames)
            }
        }
        if dialect.hasValidation, let value = schema["required"] {
            guard value.kind == .array else { throw bad("required", "is a list of keys.") }
            for element in value.elements {
                guard let name = element.stringBytes else { throw bad("required", "names keys.") }
                names.require(name)
            }
        }
        guard
            !names.entries.isEmpty || plan.patternCount > 0 || plan.additional != Block.none
                || plan.names != Block.none
        else { return }
        add(names, to: &plan)
        emit(.object, .properties, kinds: Compiler.objectKind, a: Int32(plans.count))
        plans.append(plan)
    }

    /// Adds a name that members are compared with.
    mutating func addName(_ bytes: [UInt8]) -> Program.Name {
        let probe = TextProbe(bytes, at: nameBytes.count)
        nameBytes += bytes
        return Program.Name(text: String(decoding: bytes, as: UTF8.self), probe: probe)
    }

    private mutating func compilePatterns(_ plan: inout ObjectPlan) throws(SchemaError) {
        guard let value = schema["patternProperties"] else { return }
        guard value.kind == .object else { throw bad("patternProperties", "is an object.") }
        var pairs: [Int32] = []
        for member in value.members {
            pairs.append(try addPattern(member.key, keyword: "patternProperties"))
            pairs.append(try require(member.value, for: .patternProperties))
        }
        plan.firstPattern = addList(pairs)
        plan.patternCount = Int32(pairs.count / 2)
    }

    private mutating func add(_ names: MemberNames, to plan: inout ObjectPlan) {
        plan.firstEntry = Int32(entries.count)
        plan.entryCount = Int32(names.entries.count)
        plan.required = names.required
        plan.hasMoreRequired = names.hasMoreRequired
        var size = 1
        while size < names.entries.count * 2 { size *= 2 }
        var table = [NameSlot](repeating: .empty, count: size)
        for (name, var entry) in names.entries {
            entry.firstByte = Int32(nameBytes.count)
            nameBytes += name
            let probe = TextProbe(name, at: nameBytes.count - name.count)
            let hash = probe.words.hash(count: name.count)
            plan.filter |= 1 << UInt64(hash >> 26)
            var slot = Int(hash) & (size - 1)
            while !table[slot].isEmpty { slot = (slot + 1) & (size - 1) }
            table[slot] = NameSlot(
                probe: probe, isEmpty: false, hash: hash, block: entry.block,
                entry: Int32(entries.count), bit: entry.bit)
            entries.append(entry)
        }
        plan.firstSlot = Int32(slots.count)
        plan.slotMask = UInt32(size - 1)
        slots += table
    }
}

/// The names a plan knows, while it is built.
private struct MemberNames {
    private(set) var entries: [(name: [UInt8], value: NameEntry)] = []
    private(set) var required: UInt64 = 0
    private(set) var hasMoreRequired = false
    private var placeByName: [ByteString: Int] = [:]

    mutating func set(_ name: [UInt8], block: Int32) {
        let place = place(of: name)
        entries[place].value.block = block
    }

    mutating func require(_ name: [UInt8]) {
        let place = place(of: name)
        guard !entries[place].value.isRequired else { return }
        entries[place].value.isRequired = true
        if required == .max {
            hasMoreRequired = true
        } else {
            let bit = required &+ 1
            entries[place].value.bit = bit
            required |= bit
        }
    }

    private mutating func place(of name: [UInt8]) -> Int {
        if let known = placeByName[ByteString(name)] { return known }
        let entry = NameEntry(
            firstByte: 0, byteCount: Int32(name.count), block: Block.none, isRequired: false,
            bit: 0)
        entries.append((name, entry))
        placeByName[ByteString(name)] = entries.count - 1
        return entries.count - 1
    }
}
