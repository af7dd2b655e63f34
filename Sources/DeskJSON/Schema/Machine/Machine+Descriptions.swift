extension Machine {
    /// A finding of a keyword that concerns one value only.
    mutating func simpleFinding(_ op: Op, _ block: Int32, _ node: Int, _ entry: Node) -> RawFinding
    {
        var finding = RawFinding(
            node: node, block: block, keyword: op.keyword, found: excerpt(node), allowed: "")
        switch op.code {
        case .constant, .enumeration: describeAllowed(op, node, &finding)
        case .minimum: describeBound(op, entry, "at least", &finding)
        case .maximum: describeBound(op, entry, "at most", &finding)
        case .exclusiveMinimum: describeBound(op, entry, "more than", &finding)
        case .exclusiveMaximum: describeBound(op, entry, "less than", &finding)
        case .multipleOf: describeBound(op, entry, "a multiple of", &finding)
        case .minLength, .maxLength:
            let unit = op.code == .maxLength ? LengthUnit(number: op.b) : nil
            describeCount(op, length(op, node, entry), unit?.noun ?? "character", &finding)
        case .minItems, .maxItems: describeCount(op, entry.count, "element", &finding)
        case .minProperties, .maxProperties: describeCount(op, entry.count, "member", &finding)
        case .pattern:
            finding.allowed = "a text that matches \(program.patterns[Int(op.a)].source)"
        case .format: finding.allowed = Format.byNumber[Int(op.a)].description
        default: finding.allowed = "a value that does not fit the schema under \"not\""
        }
        return finding
    }

    /// The value in a few words: its kind, or its text when that is short.
    func described(_ node: Int) -> String {
        let kind = unsafe nodes[node].kind
        switch kind {
        case Node.Kind.array: return "an array"
        case Node.Kind.object: return "an object"
        case Node.Kind.string, Node.Kind.key: return "the string \(excerpt(node))"
        case Node.Kind.number: return "the number \(excerpt(node))"
        default: return excerpt(node)
        }
    }

    /// The value's text, cut after 60 scalars.
    func excerpt(_ node: Int) -> String {
        let entry = unsafe nodes[node]
        if entry.kind == Node.Kind.array { return "an array" }
        if entry.kind == Node.Kind.object { return "an object" }
        let length = Int(entry.end - entry.start)
        let start = Int(entry.start)
        if length <= 60 {
            return unsafe String(decoding: text[start..<start + length], as: UTF8.self)
        }
        var end = start + 57
        while unsafe end > start && text[end] & 0xC0 == 0x80 { end -= 1 }
        return unsafe String(decoding: text[start..<end], as: UTF8.self) + "…"
    }

    /// The values a `const` or `enum` allows, as text; strings in quotes.
    func allowedTexts(_ op: Op) -> [String] {
        (Int(op.a)..<Int(op.a + op.b)).map { place in
            let value = program.allowed[place]
            let document = program.library.documents[Int(value.document)]
            return JSONValue(tape: document, index: Int(value.node)).rawText
        }
    }

    private func describeAllowed(_ op: Op, _ node: Int, _ finding: inout RawFinding) {
        let texts = allowedTexts(op)
        finding.found = described(node)
        finding.allowed = texts.count == 1 ? "only \(texts[0])" : "one of \(Words.joined(texts))"
        let entry = unsafe nodes[node]
        guard entry.kind == Node.Kind.string || entry.kind == Node.Kind.key else { return }
        let names = (Int(op.a)..<Int(op.a + op.b)).compactMap { place -> String? in
            let value = program.allowed[place]
            return value.text.map { nameText($0.firstByte, $0.byteCount) }
        }
        finding.suggestion = Words.closest(to: tape.text(of: node), among: names)
    }

    private func describeBound(
        _ op: Op, _ entry: Node, _ words: String, _ finding: inout RawFinding
    ) {
        let source = program.source(of: finding.block)
        let limit = source[op.keyword.rawValue]
        finding.allowed = "\(words) \(limit?.rawText ?? "the limit")"
        finding.limit = limit?.double
        finding.actual = JSONValue(tape: tape, index: finding.node).double
    }

    private func describeCount(
        _ op: Op, _ count: Int, _ noun: String, _ finding: inout RawFinding
    ) {
        let isLeast =
            op.code == .minLength || op.code == .minItems || op.code == .minProperties
        finding.found = Words.count(count, noun)
        finding.allowed = "at \(isLeast ? "least" : "most") \(Words.count(Int(op.a), noun))"
        finding.limit = Double(op.a)
        finding.actual = Double(count)
    }
}
