import DeskJSON
import DeskModel
import DeskStore
import DeskWeb

/// What became of the lines of an import.
struct ImportReport {
    /// Most findings of one request; further ones are only counted.
    static let mostFindings = 100

    /// How many lines of one type came to what.
    struct Counts {
        var added = 0
        var updated = 0
        var known = 0
        var refused = 0
    }

    /// Where a line stands, and what it is as far as that is known.
    struct Place {
        /// Counted from 1 in the request's body.
        let line: Int
        var kind: ImportLine.Kind?
        var name: String?
    }

    private(set) var lines = 0
    private(set) var counts: [ImportLine.Kind: Counts] = [:]
    /// Lines that are of no known type.
    private(set) var unknown = 0
    private var findings: [(line: Int, text: [UInt8])] = []
    private(set) var leftOut = 0
    /// What became of each line that is not empty, by its number.
    private var outcomes: [Int: String] = [:]

    /// Counts a line.
    mutating func noteLine() { lines += 1 }

    /// Counts what became of a line.
    mutating func note(_ outcome: ImportOutcome, at place: Place) {
        guard let kind = place.kind else { return }
        outcomes[place.line] = outcome.rawValue
        switch outcome {
        case .added: counts[kind, default: Counts()].added += 1
        case .updated: counts[kind, default: Counts()].updated += 1
        case .known: counts[kind, default: Counts()].known += 1
        }
    }

    /// Counts a line that was not imported, and says why.
    mutating func refuse(_ problem: Problem, at place: Place) {
        outcomes[place.line] = "refused"
        if let kind = place.kind {
            counts[kind, default: Counts()].refused += 1
        } else {
            unknown += 1
        }
        add(place, "error", problem.code.rawValue, problem.detail, problem.errors)
    }

    /// Says what of a line was not imported as it is.
    mutating func warn(_ finding: RequestFinding, at place: Place) {
        add(
            place, "warning", ProblemCode.invalid.rawValue, finding.sentence,
            JSONWriter.array([finding]) { $0.requestFinding($1) })
    }

    private mutating func add(
        _ place: Place, _ severity: String, _ code: String, _ detail: String, _ errors: [UInt8]
    ) {
        guard findings.count < Self.mostFindings else {
            leftOut += 1
            return
        }
        let finding = JSONWriter.object { text in
            text.member("line", place.line)
            text.member("type", place.kind?.rawValue)
            text.member("name", place.name)
            text.member("severity", severity)
            text.member("code", code)
            text.member("detail", detail)
            text.member("errors", raw: errors.isEmpty ? Array("[]".utf8) : errors)
        }
        findings.append((place.line, finding))
    }

    /// The answer's body.
    func json(system: String, isDryRun: Bool) -> [UInt8] {
        // What a commit refused is known behind what was wrong with the lines themselves.
        let findings = findings.enumerated().sorted {
            ($0.element.line, $0.offset) < ($1.element.line, $1.offset)
        }.map(\.element.text)
        return JSONWriter.object(capacity: 1_024 + findings.reduce(0) { $0 + $1.count }) { text in
            text.member("source", system)
            text.member("dryRun", isDryRun)
            text.member("lines", lines)
            text.member("unknown", unknown)
            text.member("counts") { text in
                text.object { text in
                    for kind in ImportLine.Kind.allCases {
                        let one = counts[kind] ?? Counts()
                        text.key(text: kind.rawValue)
                        text.object {
                            $0.member("added", one.added)
                            $0.member("updated", one.updated)
                            $0.member("known", one.known)
                            $0.member("refused", one.refused)
                        }
                    }
                }
            }
            if isDryRun {
                text.member("outcomes") { text in
                    text.array { text in
                        for line in 0..<lines {
                            if let outcome = outcomes[line + 1] {
                                text.string(outcome)
                            } else {
                                text.null()
                            }
                        }
                    }
                }
            }
            text.member("findings") { text in
                text.array { text in for finding in findings { text.raw(finding) } }
            }
            text.member("findingsLeftOut", leftOut)
        }
    }
}
