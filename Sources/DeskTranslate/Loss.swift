public import DeskJSON

/// One thing of the source that the translation does not have, or has otherwise.
public struct Loss: Hashable, Sendable {
    /// What happened to it.
    public enum Kind: String, Sendable, CaseIterable {
        /// It is not in the result.
        case dropped
        /// The result has the beginning of it.
        case shortened
        /// The result has it in another form.
        case changed
    }

    /// What happened.
    public let kind: Kind
    /// Where in the source.
    public let pointer: JSONPointer
    /// Why, as a sentence.
    public let reason: String
    /// The limit that was passed, where there is one.
    public let limit: Int?
    /// The number that passed the limit.
    public let actual: Int?
    /// Where in the source, as a line counted from 1.
    public internal(set) var line = 0
    /// Where in the source, as a column counted from 1.
    public internal(set) var column = 0
}

/// What was lost so far; a place is noted once for each kind.
struct Losses: Sendable {
    private(set) var list: [Loss] = []
    private var seen: Set<Loss> = []

    mutating func note(
        _ kind: Loss.Kind, at places: [JSONPointer], _ reason: String, limit: Int? = nil,
        actual: Int? = nil
    ) {
        for place in places {
            let loss = Loss(
                kind: kind, pointer: place, reason: reason, limit: limit, actual: actual)
            if seen.insert(loss).inserted { list.append(loss) }
        }
    }

    /// The findings without those about what another one says is not there: of a part that is dropped it is no
    /// matter how else it would have been changed or cut.
    var settled: [Loss] {
        let dropped = Set(list.filter { $0.kind == .dropped }.map(\.pointer))
        guard !dropped.isEmpty else { return list }
        var said: Set<JSONPointer> = []
        return list.filter { loss in
            var part = JSONPointer()
            for step in loss.pointer.tokens {
                if dropped.contains(part) { return false }
                part = part.appending(step)
            }
            guard dropped.contains(part) else { return true }
            return loss.kind == .dropped && said.insert(part).inserted
        }
    }

    /// Notes the same about other places.
    mutating func repeatLoss(_ loss: Loss, at places: [JSONPointer]) {
        note(loss.kind, at: places, loss.reason, limit: loss.limit, actual: loss.actual)
    }
}
