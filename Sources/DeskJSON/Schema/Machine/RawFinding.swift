/// A finding as the machine notes it: numbers instead of values and places.
struct RawFinding {
    /// The entry meant: a value, or a key.
    var node: Int
    var block: Int32
    /// nil for a schema that allows nothing.
    var keyword: Keyword?
    var found: String
    var allowed: String
    var name: String?
    var limit: Double?
    var actual: Double?
    var suggestion: String?
}

/// What findings have in common that a schema makes again and again: its place and the name meant.
struct FindingGroup: Hashable {
    let block: Int32
    let keyword: Keyword?
    /// The hash of a name, or 0.
    var name: UInt32 = 0
}

extension Machine {
    /// Counts a finding of this kind; false when it is beyond the most that are reported of one
    /// kind.
    mutating func mayReport(_ block: Int32, _ keyword: Keyword?, name: UInt32 = 0) -> Bool {
        let count = reported[FindingGroup(block: block, keyword: keyword, name: name), default: 0]
        guard count < JSONSchema.mostFindingsOfAKind else { return false }
        reported[FindingGroup(block: block, keyword: keyword, name: name)] = count + 1
        return true
    }
}

extension SchemaFinding {
    init(_ raw: RawFinding, program: Program, tape: Tape) {
        let entry = tape.nodes[raw.node]
        isAboutKey = entry.kind == Node.Kind.key
        value = JSONValue(tape: tape, index: isAboutKey ? raw.node + 1 : raw.node)
        range = Int(entry.start)..<Int(entry.end)
        keyword = raw.keyword?.rawValue ?? "false"
        keywordLocation = program.location(of: raw.keyword, in: raw.block)
        found = raw.found
        allowed = raw.allowed
        name = raw.name
        limit = raw.limit
        actual = raw.actual
        suggestion = raw.suggestion
    }
}

extension JSONSchema {
    /// Most findings of one validation; further ones are not reported.
    public static let mostFindings = 2_000
    /// Most findings of one validation that the same keyword of the same place makes of the same
    /// name; further ones are passed over, so that they hide no other.
    public static let mostFindingsOfAKind = 100

    /// Every fault, in the order of the instance's text; empty exactly when the value is valid.
    ///
    /// Of alternatives that all fail, the one that the author most likely meant is reported.
    /// Limit: 2,000 findings, 100 of them of one keyword, place and name.
    public func findings(_ value: JSONValue) -> [SchemaFinding] {
        let raw = program.withMachine(over: value.tape) { machine in
            if machine.allows(program.root, value.index), !machine.isExhausted {
                return [RawFinding]()
            }
            machine.startOver()
            var found: [RawFinding] = []
            machine.collect(program.root, value.index, &found)
            if found.isEmpty {
                found.append(
                    RawFinding(
                        node: value.index, block: program.root, keyword: nil,
                        found: "a value that takes too long to judge",
                        allowed: "a value with less nesting"))
            }
            return found
        }
        var seen: Set<[Int]> = []
        let sorted = raw.filter { finding in
            var hasher = Hasher()
            hasher.combine(finding.allowed)
            hasher.combine(finding.name)
            return seen.insert([
                finding.node, finding.keyword.map { $0.hashValue } ?? 0, hasher.finalize(),
            ]).inserted
        }.sorted { ($0.node, $0.name ?? "") < ($1.node, $1.name ?? "") }
        return sorted.map { SchemaFinding($0, program: program, tape: value.tape) }
    }
}
