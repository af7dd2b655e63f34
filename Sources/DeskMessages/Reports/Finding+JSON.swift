import DeskDiagnosis
public import DeskJSON

extension Finding {
    /// The finding as the API writes it.
    public var json: JSON {
        var members = statement
        if !edits.isEmpty { members.append(("edits", .array(edits.map(\.json)))) }
        return .object(members)
    }

    /// The finding without its edits: a message that was sent is edited no more.
    fileprivate var statement: [(String, JSON)] {
        var members: [(String, JSON)] = [
            ("rule", .string(rule.id)), ("severity", .string(severity.rawValue)),
            ("pointer", .string(pointer)), ("line", .integer(line)), ("column", .integer(column)),
            ("start", .integer(start)), ("end", .integer(end)), ("found", .string(found)),
            ("allowed", .string(allowed)),
        ]
        if let limit { members.append(("limit", .integer(limit))) }
        if let actual { members.append(("actual", .integer(actual))) }
        members.append(("fix", .string(fix)))
        members.append(("docs", .string(docs)))
        return members
    }
}

extension Edit {
    /// The edit as the API writes it.
    fileprivate var json: JSON {
        ["start": .integer(start), "end": .integer(end), "replacement": .string(replacement)]
    }
}

extension Judgement {
    /// The warnings, without edits, as the JSON array that is stored with the message and published
    /// in the event stream; empty when there are none.
    public var warningsText: [UInt8] { Self.text(of: warnings) }

    /// All findings in the same form: of messages that are accepted whatever is wrong with them.
    public var findingsText: [UInt8] { Self.text(of: findings) }

    private static func text(of findings: [Finding]) -> [UInt8] {
        findings.isEmpty ? [] : JSON.array(findings.map { .object($0.statement) }).bytes()
    }
}
