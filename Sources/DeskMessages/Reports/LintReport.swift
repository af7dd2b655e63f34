public import DeskJSON

/// A judgement of a file as lint's JSON has it; docs/lint.md describes the members.
public enum LintReport {
    /// One file's object, without line ends in it.
    public static func json(_ judgement: Judgement, in text: [UInt8], file: String) -> JSON {
        var members: [(String, JSON)] = [
            ("file", .string(file)), ("isRefused", .bool(judgement.isRefused)),
        ]
        if let fault = judgement.fault {
            members.append(
                (
                    "fault",
                    [
                        "rule": .string(LintRemark.malformedJSON),
                        "code": .string(fault.code.rawValue), "line": .integer(fault.line),
                        "column": .integer(fault.column), "start": .integer(fault.offset),
                        "detail": .string(fault.sentence),
                    ]
                ))
        }
        members.append(("findings", .array(judgement.findings.map(\.json))))
        return .object(members)
    }
}
