import DeskBytes
public import DeskJSON

extension Diagnosis {
    /// The diagnosis as the API and `frontdesk doctor --format json` report it.
    public func json(file: String? = nil) -> JSON {
        var members: [(String, JSON)] = []
        if let file { members.append(("file", .string(file))) }
        members.append(("isHealthy", .bool(isHealthy)))
        members.append(("isRepairedWhole", .bool(isRepairedWhole)))
        members.append(("defects", .array(defects.map(\.json))))
        if let repaired {
            // What was packed need not be text.
            if let text = UTF8Text.text(repaired) {
                members.append(("repaired", .string(text)))
            } else {
                members.append(("repairedBase64", .string(Base64.encode(repaired))))
            }
        }
        return .object(members)
    }
}

extension Defect {
    /// The defect as JSON.
    public var json: JSON {
        var members: [(String, JSON)] = [("id", .string(id))]
        if let pointer { members.append(("pointer", .string(pointer))) }
        members += [
            ("line", .integer(place.line)), ("column", .integer(place.column)),
            ("start", .integer(place.range.lowerBound)), ("end", .integer(place.range.upperBound)),
            ("found", .string(found)),
        ]
        if let repaired { members.append(("repaired", .string(repaired))) }
        members.append(("isNote", .bool(isNote)))
        members.append(("sentence", .string(sentence)))
        return .object(members)
    }
}
