package import DeskHTTP
import DeskModel

/// How a route treats the parameters of a query.
public enum QueryRule: Sendable, Equatable {
    /// Nothing is read, or a page reads it: unknown parameters are ignored.
    case ignored
    /// These names, each at most once; any other is refused with 400. `older`: names that a parameter had
    /// before, each with its name of today, under which it is read.
    case known([String], older: [String: String] = [:])
}

extension QueryRule {
    /// Refuses a query with parameters that the route does not know, or that cannot be read.
    ///
    /// If a misspelt filter were ignored, the answer would hold everything, and a program could
    /// write to the wrong customer.
    package func check(_ query: Query) throws(Problem) {
        guard case .known(let names, let older) = self else { return }
        guard !query.isCut else {
            throw Problem(
                .badRequest,
                "The query has a percent sign without two hexadecimal digits after it, or bytes that "
                    + "are no UTF-8.")
        }
        var findings: [ParameterFinding] = []
        for (place, item) in query.items.enumerated() where findings.count < Self.mostFindings {
            if !names.contains(where: { Self.isSame($0, item.name) }) {
                findings.append(Self.unknown(item.name, among: names, older))
            } else if query.items[..<place].contains(where: { Self.isSame($0.name, item.name) }) {
                findings.append(
                    ParameterFinding(
                        rule: .value, parameter: query.sentName(of: item.name),
                        found: "the parameter twice",
                        allowed: "the parameter once", fix: "Send it once."))
            }
        }
        guard findings.isEmpty else { throw Problem(.badRequest, findings) }
    }

    private static func isSame(_ one: String, _ other: String) -> Bool {
        one.utf8.elementsEqual(other.utf8)
    }

    /// Most findings in one refusal; a query can hold thousands of names.
    private static let mostFindings = 16

    /// The names of today by the ones that parameters had before.
    package var older: [String: String] {
        if case .known(_, let older) = self { older } else { [:] }
    }

    private static func unknown(
        _ name: String, among names: [String], _ older: [String: String]
    ) -> ParameterFinding {
        let near = Nearest.find(name, among: names + older.keys.sorted()).map { older[$0] ?? $0 }
        return ParameterFinding(
            rule: .unknown, parameter: Quoted.cut(name), found: "an unknown parameter",
            allowed: names.isEmpty ? "no parameter" : names.joined(separator: ", "),
            fix: near.map { "Did you mean \($0)?" } ?? "Take the parameter out.")
    }
}
