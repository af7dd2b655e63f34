import DeskJSON

/// What the server said of all requests of an import together.
struct ImportTotals {
    /// The outcomes in the order in which they are printed.
    static let outcomes = ["added", "updated", "known", "refused"]
    /// Findings that are printed one by one.
    static let mostPrinted = 200

    private(set) var counts: [String: [String: Int]] = [:]
    private(set) var lines = 0
    private(set) var unknown = 0
    private(set) var warnings = 0
    private(set) var findings = 0
    /// Lines that were not sent, since a server reads none of their length.
    var tooLong = 0

    /// Lines that were not imported.
    var refused: Int { counts.values.reduce(unknown + tooLong) { $0 + ($1["refused"] ?? 0) } }

    /// Adds an answer, and returns what to print of its findings.
    ///
    /// - Parameter place: says of a line of the request how the file calls it.
    mutating func add(_ answer: JSONValue, place: (Int) -> String?) -> [String] {
        lines += answer["lines"]?.int ?? 0
        unknown += answer["unknown"]?.int ?? 0
        if let all = answer["counts"] {
            for member in all.members {
                for outcome in Self.outcomes {
                    counts[member.key, default: [:]][outcome, default: 0] +=
                        member.value[outcome]?.int ?? 0
                }
            }
        }
        let found = answer["findings"].map { Array($0.elements) } ?? []
        var texts: [String] = []
        for finding in found {
            if finding["severity"]?.string == "warning" { warnings += 1 }
            if findings < Self.mostPrinted { texts.append(Self.text(of: finding, place)) }
            findings += 1
        }
        findings += answer["findingsLeftOut"]?.int ?? 0
        return texts
    }

    /// Counts a line as what it is that the server counted as the first of its thing.
    mutating func correct(_ correction: RepeatWatch.Correction) {
        counts[correction.type, default: [:]]["added", default: 0] -= 1
        counts[correction.type, default: [:]][correction.outcome, default: 0] += 1
    }

    private static func text(of finding: JSONValue, _ place: (Int) -> String?) -> String {
        var text = finding["line"]?.int.flatMap(place) ?? ""
        if let type = finding["type"]?.string {
            text += (text.isEmpty ? "" : ", ") + type
            if let name = finding["name"]?.string { text += " \(name)" }
        }
        let severity = finding["severity"]?.string ?? "error"
        let errors = finding["errors"].map { Array($0.elements) } ?? []
        let parts = errors.prefix(5).map { error in
            let pointer = error["pointer"]?.string ?? ""
            return (pointer.isEmpty ? "" : "\(pointer): ")
                + "found \(error["found"]?.string ?? "?"); allowed: \(error["allowed"]?.string ?? "?")"
        }
        let reason = parts.isEmpty ? finding["detail"]?.string ?? "" : parts.joined(separator: "; ")
        return "\(text): \(severity): \(reason)"
    }

    /// The counts, a line for each type that occurred.
    func text(types: [String]) -> String {
        var rows: [String] = []
        for type in types {
            guard let one = counts[type], one.values.contains(where: { $0 > 0 }) else { continue }
            let parts = Self.outcomes.map { "\(one[$0] ?? 0) \($0)" }
            rows.append("\(type): " + parts.joined(separator: ", "))
        }
        if unknown > 0 { rows.append("of no known type: \(unknown) refused") }
        if tooLong > 0 { rows.append("too long: \(tooLong) refused") }
        let left = findings - Self.mostPrinted
        if left > 0 { rows.append("\(left) further findings are not printed") }
        return rows.isEmpty ? "nothing to import" : rows.joined(separator: "\n")
    }
}
