import DeskJSON
import DeskMessages

extension Step {
    /// The way on from here, with the places of the first source.
    func followed(by next: Step) -> Step {
        var losses = Losses()
        for loss in self.losses { losses.repeatLoss(loss, at: [loss.pointer]) }
        let sources = Sources(origins)
        for loss in next.losses {
            losses.repeatLoss(loss, at: sources.places(of: loss))
        }
        return Step(
            to: next.to, made: next.made, losses: losses.settled,
            origins: next.origins.mapValues { places in places.flatMap { origins[$0] ?? [] } })
    }

    /// An error of the way on from here, at the place of the first source.
    func placed(_ error: TranslationError, in source: JSONDocument) -> TranslationError {
        switch error {
        case .sameShape: return error
        case .fault(let fault):
            return .fault(
                TranslationFault(
                    at: origin(of: fault.pointer, in: source), found: fault.found,
                    allowed: fault.allowed, fix: fault.fix))
        case .refused(let judgement):
            let first = judgement.errors.first
            return .fault(
                TranslationFault(
                    at: origin(of: first?.pointer ?? "", in: source),
                    found: first?.found ?? "a message that becomes none of \(to.name)",
                    allowed: first?.allowed ?? "a message that \(to.name) has too",
                    fix: first?.fix ?? "Make the message smaller, and translate that."))
        }
    }

    /// The first value of the source that a place of the result comes from; where it comes from none, that of
    /// the part which holds it.
    private func origin(of pointer: String, in source: JSONDocument) -> JSONValue {
        let sources = Sources(origins)
        var steps = JSONPointer(parsing: pointer)?.tokens ?? []
        while true {
            let found = (sources.ofParts[JSONPointer(steps)] ?? []).compactMap { source.find($0) }
            if let first = found.min(by: { $0.range.lowerBound < $1.range.lowerBound }) {
                return first
            }
            guard !steps.isEmpty else { return source.root }
            steps.removeLast()
        }
    }
}

/// Where what a step made comes from, for values and for the parts that hold them.
private struct Sources {
    /// The places of the source that each part of the result comes from.
    private(set) var ofParts: [JSONPointer: [JSONPointer]] = [:]
    private let origins: [JSONPointer: [JSONPointer]]
    /// How many places that something comes from are in each part of the source.
    private let counts: [JSONPointer: Int]

    init(_ origins: [JSONPointer: [JSONPointer]]) {
        self.origins = origins
        for (place, sources) in origins where !sources.isEmpty {
            for part in Self.parts(of: place) { ofParts[part, default: []] += sources }
        }
        counts = Self.counts(of: Set(origins.values.joined()))
    }

    /// Where in the source a finding about the result is.
    ///
    /// Of a part it is the part of the source that holds what the part comes from and nothing else that is kept,
    /// rather than each value in it.
    func places(of loss: Loss) -> [JSONPointer] {
        if let own = origins[loss.pointer], !own.isEmpty { return own }
        guard let all = ofParts[nearest(loss)] else { return [] }
        let values = Set(all)
        let counts = Self.counts(of: values)
        // The whole message is never dropped.
        func isCovered(_ part: JSONPointer) -> Bool {
            (loss.kind != .dropped || !part.tokens.isEmpty) && counts[part] == self.counts[part]
        }
        let common = all.first.flatMap { value in
            Self.parts(of: value).last { counts[$0] == values.count }
        }
        if let common, isCovered(common) { return [common] }
        var seen: Set<JSONPointer> = []
        return all.compactMap { value in
            let part = Self.parts(of: value).first { isCovered($0) } ?? value
            return seen.insert(part).inserted ? part : nil
        }
    }

    /// The part of the result that a finding is about.
    ///
    /// A value that was changed may come from nowhere, as the kind of a message does: then the part that holds it
    /// is another. What came from nowhere and is dropped or cut is missed by no one.
    private func nearest(_ loss: Loss) -> JSONPointer {
        guard loss.kind == .changed else { return loss.pointer }
        return Self.parts(of: loss.pointer).last { ofParts[$0] != nil } ?? loss.pointer
    }

    /// The place and all parts that hold it, from the whole on.
    private static func parts(of place: JSONPointer) -> [JSONPointer] {
        var parts = [JSONPointer()]
        for step in place.tokens { parts.append(parts[parts.count - 1].appending(step)) }
        return parts
    }

    private static func counts(of places: Set<JSONPointer>) -> [JSONPointer: Int] {
        var counts: [JSONPointer: Int] = [:]
        for place in places {
            for part in parts(of: place) { counts[part, default: 0] += 1 }
        }
        return counts
    }
}
