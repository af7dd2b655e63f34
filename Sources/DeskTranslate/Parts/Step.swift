import DeskJSON

/// One way between two shapes, one of which is ours.
struct Step: Sendable {
    let to: Shape
    let made: Made
    let losses: [Loss]
    let origins: [JSONPointer: [JSONPointer]]

    init(
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
        let carried = Set(origins.values.joined())
        for loss in reading.lossesOfKept.list where carried.contains(loss.pointer) {
            losses.repeatLoss(loss, at: [loss.pointer])
        }
        let account = Account(
            root: root, implied: reading.implied, carried: carried.union(reading.kept),
            noted: Set(losses.list.map(\.pointer)),
            dropped: Set(losses.list.filter { $0.kind == .dropped }.map(\.pointer)),
            reasons: Reasons(from: from, to: to))
        for (place, reason) in account.missing() {
            losses.note(.dropped, at: [place], reason)
        }
        self.losses = losses.settled
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
