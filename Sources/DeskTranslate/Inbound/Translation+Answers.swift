public import DeskJSON

/// The answers of a question in WhatsApp's form: which of ours each stands for, and what it is called there.
extension Translation {
    /// The places in ours that the identifiers of the answers come from, in the order of the answers.
    private var places: [(answer: JSONPointer, source: JSONPointer?)] {
        guard to == .whatsapp, let action = result["interactive"]?["action"] else { return [] }
        let base = JSONPointer(["interactive", "action"])
        var found: [JSONPointer] = []
        for place in (action["buttons"]?.elements ?? []).indices {
            found.append(
                base.appending("buttons").appending(place).appending("reply").appending("id"))
        }
        for (place, section) in (action["sections"]?.elements ?? []).enumerated() {
            for row in (section["rows"]?.elements ?? []).indices {
                found.append(
                    base.appending("sections").appending(place).appending("rows").appending(row)
                        .appending("id"))
            }
        }
        return found.map { ($0, origins[$0]?.first) }
    }

    /// The identifiers in ours of the answers, in their order; nil where an answer has none.
    public var answerIdentifiers: [String?] {
        places.map { place in place.source.flatMap { source.find($0)?.string } }
    }

    /// The result with another identifier for each answer, by its place among them.
    public func naming(_ name: (Int) -> String) -> JSON {
        var names: [JSONPointer: String] = [:]
        for (place, one) in places.enumerated() { names[one.answer] = name(place) }
        return names.isEmpty ? result : Self.replaced(result, at: JSONPointer(), names)
    }

    private static func replaced(
        _ value: JSON, at place: JSONPointer, _ names: [JSONPointer: String]
    ) -> JSON {
        switch value {
        case .object(let members):
            .object(members.map { ($0.0, replaced($0.1, at: place.appending($0.0), names)) })
        case .array(let elements):
            .array(
                elements.enumerated().map { replaced($1, at: place.appending($0), names) })
        case .string: names[place].map { JSON.string($0) } ?? value
        case .integer, .number, .bool, .null, .raw: value
        }
    }
}

extension JSON {
    fileprivate subscript(name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.0 == name }?.1
    }

    fileprivate var elements: [JSON] {
        if case .array(let elements) = self { elements } else { [] }
    }
}
