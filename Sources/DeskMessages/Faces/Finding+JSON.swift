public import DeskJSON

extension Finding {
    /// The finding as the API and the event stream tell it.
    public var json: JSON {
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
        return .object(members)
    }
}

extension Judgement {
    /// The warnings as the JSON array that is stored with the message; empty when there are none.
    public var warningsText: [UInt8] {
        let warnings = warnings
        return warnings.isEmpty ? [] : JSON.array(warnings.map(\.json)).bytes()
    }
}
