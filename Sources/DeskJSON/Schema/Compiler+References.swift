import DeskBytes

extension Compiler {
    /// The schema a URI leads to.
    func find(_ uri: SchemaURI, from text: String) throws(SchemaError) -> (Int, Int) {
        let bare = uri.text(withFragment: false)
        guard let index = library.resource(at: bare) else {
            throw SchemaError(
                code: .unknownSchema, location: text, sentence: "Nothing is registered at \(bare).")
        }
        let resource = library.resources[index]
        guard let fragment = uri.decodedFragment else {
            throw SchemaError(
                code: .unresolvedReference, location: text,
                sentence: "The fragment has a wrong percent escape.")
        }
        guard !fragment.isEmpty else { return (resource.document, resource.node) }
        if fragment.utf8.first == 0x2F {
            let root = JSONValue(
                tape: library.documents[resource.document], index: resource.node)
            if let pointer = JSONPointer(parsing: fragment), let value = root.find(pointer) {
                return (resource.document, value.index)
            }
        } else if let node = resource.anchors[ByteString(fragment)] {
            return (resource.document, node)
        }
        throw SchemaError(
            code: .unresolvedReference, location: text,
            sentence: "There is no #\(fragment) in \(bare).")
    }

    mutating func compileReferences() throws(SchemaError) {
        if let reference = schema["$ref"] {
            let (document, node) = try target(of: reference, keyword: "$ref")
            emit(
                .reference, .ref, kinds: Block.everyType,
                a: try require(document: document, node: node))
        }
        if let reference = schema["$dynamicRef"] {
            let (document, node) = try target(of: reference, keyword: "$dynamicRef")
            let block = try require(document: document, node: node)
            // Only an anchor that is dynamic itself makes the reference dynamic.
            if let name = dynamicAnchor(of: reference, document: document, node: node) {
                emit(
                    .dynamicReference, .dynamicRef, kinds: Block.everyType, a: block,
                    b: dynamicName(name))
            } else {
                emit(.reference, .dynamicRef, kinds: Block.everyType, a: block)
            }
        }
    }

    private func dynamicAnchor(
        of reference: JSONValue, document: Int, node: Int
    ) -> ByteString? {
        guard let text = reference.string,
            let fragment = SchemaURI(text).decodedFragment, !fragment.isEmpty,
            fragment.utf8.first != 0x2F,
            let resource = library.resource(holding: node, in: document),
            library.resources[resource].dynamicAnchors[ByteString(fragment)] == node
        else { return nil }
        return ByteString(fragment)
    }

    private func target(of reference: JSONValue, keyword: String) throws(SchemaError) -> (Int, Int)
    {
        guard let text = reference.string else { throw bad(keyword, "is a text.") }
        let base = SchemaURI(library.resources[Int(block.resource)].uri)
        let place = library.location(
            of: schema.index, in: Int(block.document), keyword: keyword)
        return try find(SchemaURI(text).resolved(against: base), from: place)
    }

    /// Refuses a schema that applies itself to the same value: validation would never end.
    func refuseEndlessReferences(_ program: Program) throws(SchemaError) {
        var state = [UInt8](repeating: 0, count: program.blocks.count)
        for start in program.blocks.indices where state[start] == 0 {
            var path: [(block: Int, next: [Int])] = [(start, inPlace(start, program))]
            state[start] = 1
            while var top = path.popLast() {
                guard let next = top.next.popLast() else {
                    state[top.block] = 2
                    continue
                }
                path.append(top)
                guard state[next] != 1 else {
                    throw SchemaError(
                        code: .endlessReference,
                        location: program.location(of: nil, in: Int32(next)),
                        sentence: "The schema refers to itself for the same value.")
                }
                if state[next] == 0 {
                    state[next] = 1
                    path.append((next, inPlace(next, program)))
                }
            }
        }
    }

    /// The blocks that a block applies to its own value.
    private func inPlace(_ index: Int, _ program: Program) -> [Int] {
        let block = program.blocks[index]
        var targets: [Int32] = []
        for op in program.ops[Int(block.firstOp)..<Int(block.firstOp + block.opCount)] {
            switch op.code {
            case .reference, .negation: targets.append(op.a)
            case .condition: targets += [op.a, op.b, op.c]
            case .allOf, .anyOf, .oneOf:
                targets += program.lists[Int(op.a)..<Int(op.a + op.b)]
            case .dependentSchemas:
                targets += program.dependencies[Int(op.a)..<Int(op.a + op.b)].map { $0.block }
            case .constant, .enumeration, .minimum, .maximum, .exclusiveMinimum,
                .exclusiveMaximum, .multipleOf, .minLength, .maxLength, .format, .pattern,
                .minItems, .maxItems, .minProperties, .maxProperties, .object,
                .dependentRequired, .items, .dynamicReference, .contains, .uniqueItems,
                .unevaluatedItems, .unevaluatedProperties:
                break
            }
        }
        return targets.filter { $0 >= 0 }.map { Int($0) }
    }
}
