package import DeskHTTP
import DeskJSON
import DeskModel
import DeskScript

/// A fault of a query parameter, without a position: a query is no text with lines.
package struct ParameterFinding: Sendable {
    package let rule: RequestFinding.Rule
    /// The parameter's name as it was sent.
    package let parameter: String
    package let found: String
    package let allowed: String
    package let fix: String

    /// What was found and what is allowed.
    package var sentence: String {
        "The parameter \(Quoted.text(parameter)): found \(found); allowed: \(allowed)."
    }
}

extension JSONWriter {
    package mutating func parameterFinding(_ finding: ParameterFinding) {
        object {
            $0.member("rule", finding.rule.rawValue)
            $0.member("severity", "error")
            $0.member("parameter", finding.parameter)
            $0.member("found", finding.found)
            $0.member("allowed", finding.allowed)
            $0.member("fix", finding.fix)
            $0.member("docs", "/docs/rules/\(finding.rule.rawValue)")
        }
    }
}

extension Problem {
    /// The refusal of a query, with everything that is wrong with it.
    package init(_ code: ProblemCode, _ findings: [ParameterFinding]) {
        self.init(
            code,
            findings.count == 1
                ? "\(findings[0].sentence) \(findings[0].fix)" : "Several parameters are wrong.")
        errors = JSONWriter.array(findings) { $0.parameterFinding($1) }
    }

    /// The refusal of one parameter's value.
    package init(
        parameter: String, in query: Query, allowed: String,
        fix: String = "Send one of these, or leave the parameter out."
    ) {
        let value = query[parameter]
        self.init(
            .invalid,
            [
                ParameterFinding(
                    rule: value == nil ? .missing : .value, parameter: parameter,
                    found: value.map(Quoted.text) ?? "nothing", allowed: allowed, fix: fix)
            ])
    }
}

extension RouteTable.QueryRule {
    /// Refuses a query with parameters that the route does not know, or that cannot be read.
    ///
    /// If a misspelt filter were ignored, the answer would hold everything, and a program could
    /// write to the wrong customer.
    package func check(_ query: Query) throws(Problem) {
        guard case .known(let names) = self else { return }
        guard !query.isCut else {
            throw Problem(
                .badRequest,
                "The query has a percent sign without two hexadecimal digits after it, or bytes that "
                    + "are no UTF-8.")
        }
        var findings: [ParameterFinding] = []
        for (place, item) in query.items.enumerated() where findings.count < Self.mostFindings {
            if !names.contains(where: { Self.isSame($0, item.name) }) {
                findings.append(Self.unknown(item.name, among: names))
            } else if query.items[..<place].contains(where: { Self.isSame($0.name, item.name) }) {
                findings.append(
                    ParameterFinding(
                        rule: .value, parameter: item.name, found: "the parameter twice",
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

    private static func unknown(_ name: String, among names: [String]) -> ParameterFinding {
        let near = Nearest.find(name, among: names)
        return ParameterFinding(
            rule: .unknown, parameter: Quoted.cut(name), found: "an unknown parameter",
            allowed: names.isEmpty ? "no parameter" : names.joined(separator: ", "),
            fix: near.map { "Did you mean \($0)?" } ?? "Take the parameter out.")
    }
}
