public import DeskJSON
public import DeskMessages

/// A message in another shape, and what that cost.
public struct Translation: Sendable {
    /// The shape of the source.
    public let from: Shape
    /// The shape of the result.
    public let to: Shape
    /// The message.
    public let result: JSON
    /// What the result does not have, or has otherwise, in the order of the source.
    public let losses: [Loss]
    /// Where each value of the result was read in the source; none where the shape needed a value that the
    /// source does not have.
    public let origins: [JSONPointer: [JSONPointer]]
    /// What the rulebook says of the result.
    public let findings: [Finding]
    /// The source.
    public let source: JSONDocument

    /// The places of the result that the source says nothing for, in order.
    public var additions: [JSONPointer] {
        origins.filter(\.value.isEmpty).map(\.key).sorted { $0.description < $1.description }
    }
}

extension Translation {
    /// The members of the translation as the API writes it.
    public var members: [(String, JSON)] {
        [
            ("from", .string(from.rawValue)), ("to", .string(to.rawValue)), ("message", result),
            ("losses", .array(losses.map(json))),
            ("additions", .array(additions.map { .string($0.description) })),
            ("findings", .array(findings.map(\.json))),
        ]
    }

    private func json(_ loss: Loss) -> JSON {
        var members: [(String, JSON)] = [
            ("kind", .string(loss.kind.rawValue)), ("pointer", .string(loss.pointer.description)),
            ("line", .integer(loss.line)), ("column", .integer(loss.column)),
            ("reason", .string(loss.reason)),
        ]
        if let limit = loss.limit { members.append(("limit", .integer(limit))) }
        if let actual = loss.actual { members.append(("actual", .integer(actual))) }
        return .object(members)
    }

    /// What is lost, a line each, as a compiler prints it.
    public func lossLines(file: String) -> [String] {
        losses.map { loss in
            let place = loss.pointer.description.isEmpty ? "the message" : "\(loss.pointer)"
            return "\(file):\(loss.line):\(loss.column): \(loss.kind.rawValue): \(place): "
                + loss.reason
        }
    }
}
