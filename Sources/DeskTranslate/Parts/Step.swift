import DeskJSON
import DeskMessages

/// One way between two shapes, one of which is ours.
struct Step: Sendable {
    let to: Shape
    let made: Made
    let losses: [Loss]
    let origins: [JSONPointer: [JSONPointer]]

    private init(
        to: Shape, made: Made, losses: [Loss], origins: [JSONPointer: [JSONPointer]]
    ) {
        self.to = to
        self.made = made
        self.losses = losses
        self.origins = origins
    }

    init(
        _ root: JSONValue, from: Shape, to: Shape, _ requestIdentifier: String
    ) throws(TranslationError) {
        var reading = Reading(root, from)
        let card = try Self.read(&reading)
        var writing = Writing(to)
        self.to = to
        made = Self.write(card, &writing, requestIdentifier)
        origins = made.origins
        var losses = reading.losses
        for loss in writing.losses.list { losses.repeatLoss(loss, at: [loss.pointer]) }
        let account = Account(
            root: root, implied: reading.implied, carried: Set(origins.values.joined()),
            noted: Set(losses.list.map(\.pointer)),
            dropped: Set(losses.list.filter { $0.kind == .dropped }.map(\.pointer)),
            reasons: Reasons(from: from, to: to))
        for (place, reason) in account.missing() {
            losses.note(.dropped, at: [place], reason)
        }
        self.losses = losses.list
    }

    /// The way on from here, with the places of the first source.
    func followed(by next: Step) -> Step {
        var losses = Losses()
        for loss in self.losses { losses.repeatLoss(loss, at: [loss.pointer]) }
        let sources = sourcesOfParts()
        for loss in next.losses { losses.repeatLoss(loss, at: sources[loss.pointer] ?? []) }
        return Step(
            to: next.to, made: next.made, losses: losses.list,
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
        let sources = sourcesOfParts()
        var steps = JSONPointer(parsing: pointer)?.tokens ?? []
        while true {
            let found = (sources[JSONPointer(steps)] ?? []).compactMap { source.find($0) }
            if let first = found.min(by: { $0.range.lowerBound < $1.range.lowerBound }) {
                return first
            }
            guard !steps.isEmpty else { return source.root }
            steps.removeLast()
        }
    }

    /// The places of the source that each part of the result comes from.
    private func sourcesOfParts() -> [JSONPointer: [JSONPointer]] {
        var sources: [JSONPointer: [JSONPointer]] = [:]
        for (place, origins) in origins where !origins.isEmpty {
            let steps = place.tokens
            for length in 0...steps.count {
                sources[JSONPointer(Array(steps.prefix(length))), default: []] += origins
            }
        }
        return sources
    }

    private static func read(_ reading: inout Reading) throws(TranslationError) -> Card {
        switch reading.shape {
        case .messagesForBusiness: try MessagesForBusinessShape.read(&reading)
        case .whatsapp: try WhatsAppShape.read(&reading)
        case .rcs: try RCSShape.read(&reading)
        case .line: try LINEShape.read(&reading)
        case .slack: try SlackShape.read(&reading)
        case .telegram: try TelegramShape.read(&reading)
        }
    }

    private static func write(
        _ card: Card, _ writing: inout Writing, _ requestIdentifier: String
    ) -> Made {
        switch writing.shape {
        case .messagesForBusiness:
            MessagesForBusinessShape.write(card, &writing, requestIdentifier)
        case .whatsapp: WhatsAppShape.write(card, &writing)
        case .rcs: RCSShape.write(card, &writing)
        case .line: LINEShape.write(card, &writing)
        case .slack: SlackShape.write(card, &writing)
        case .telegram: TelegramShape.write(card, &writing)
        }
    }
}
