package import DeskHTTP
import DeskJSON
import DeskModel

/// A fault of a query parameter, without a position: a query is no text with lines.
package struct ParameterFinding: Sendable {
    package let rule: RequestFinding.Rule
    /// The parameter's name as it was sent.
    package let parameter: String
    package let found: String
    package let allowed: String
    package let fix: String

    /// Describes a fault of a parameter.
    package init(
        rule: RequestFinding.Rule, parameter: String, found: String, allowed: String, fix: String
    ) {
        self.rule = rule
        self.parameter = parameter
        self.found = found
        self.allowed = allowed
        self.fix = fix
    }

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
    ///
    /// - Parameters:
    ///   - isRequired: whether the request cannot do without it; one that is missing is.
    ///   - fix: what to do; nil says to send what is allowed.
    package init(
        parameter: String, in query: Query, allowed: String, isRequired: Bool = false,
        fix: String? = nil
    ) {
        let value = query[parameter]
        let usual =
            isRequired || value == nil
            ? "Send one of these." : "Send one of these, or leave the parameter out."
        self.init(
            .invalid,
            [
                ParameterFinding(
                    rule: value == nil ? .missing : .value,
                    parameter: query.sentName(of: parameter),
                    found: value.map(Quoted.text) ?? "nothing", allowed: allowed, fix: fix ?? usual)
            ])
    }
}
