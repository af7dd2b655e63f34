import DeskJSON
public import DeskMessages
public import DeskModel

/// Translates messages between shapes.
///
/// Thread: any; translating shares nothing and reads nothing but its arguments.
public struct Translator: Sendable {
    private let rulebook: Rulebook
    private let requestIdentifier: String
    private let now: Timestamp

    /// - Parameters:
    ///   - requestIdentifier: names the question of a result in our shape, since no other shape has one.
    ///   - now: the moment that the rules compare with.
    public init(rulebook: Rulebook, requestIdentifier: String, now: Timestamp) {
        self.rulebook = rulebook
        self.requestIdentifier = requestIdentifier
        self.now = now
    }

    /// Translates a message.
    ///
    /// Order: losses come in the order of the source. Limit: those of JSONLimits.
    /// - Throws: where the source is not a message of its shape, or has nothing that can be shown.
    public func translate(
        _ text: [UInt8], from: Shape, to: Shape
    ) throws(TranslationError) -> Translation {
        guard from != to else { throw .sameShape }
        let source = try judged(text, as: from)
        let isDirect = from == .messagesForBusiness || to == .messagesForBusiness
        var step = try Step(
            source.root, from: from, to: isDirect ? to : .messagesForBusiness, requestIdentifier)
        if step.to != to {
            step = try step.followed(by: following(step, to: to, source))
        }
        return Translation(
            from: from, to: to, result: step.made.json, losses: Self.sorted(step.losses, source),
            origins: step.origins, findings: findings(of: step.made.json.bytes(), to),
            source: source)
    }

    /// The way on from our shape, which the caller does not see: a refusal names the place of the source.
    private func following(
        _ step: Step, to: Shape, _ source: JSONDocument
    ) throws(TranslationError) -> Step {
        do throws(TranslationError) {
            let middle = try judged(step.made.json.bytes(), as: .messagesForBusiness)
            return try Step(middle.root, from: .messagesForBusiness, to: to, requestIdentifier)
        } catch {
            throw step.placed(error, in: source)
        }
    }

    /// The source, once it is known to be a message of its shape.
    private func judged(
        _ text: [UInt8], as shape: Shape
    ) throws(TranslationError) -> JSONDocument {
        let judgement = judge(text, shape, .lenient)
        guard !judgement.isRefused, let document = judgement.document else {
            throw .refused(judgement)
        }
        return document
    }

    private func findings(of result: [UInt8], _ shape: Shape) -> [Finding] {
        judge(result, shape, .strict).findings
    }

    private func judge(_ text: [UInt8], _ shape: Shape, _ profile: Profile) -> Judgement {
        let context = JudgementContext(direction: .outbound, now: now, profile: profile)
        if let name = shape.schema,
            let judgement = rulebook.judge(text, asDocument: name, context)
        {
            return judgement
        }
        return rulebook.judge(text, context)
    }

    /// The losses in the order of the source, each with its line.
    private static func sorted(_ losses: [Loss], _ source: JSONDocument) -> [Loss] {
        let placed = losses.map { ($0, source.find($0.pointer)?.range.lowerBound ?? 0) }
        var lines = LineIndex(source.bytes)
        return placed.sorted {
            ($0.1, $0.0.pointer.description, $0.0.kind.rawValue, $0.0.reason)
                < ($1.1, $1.0.pointer.description, $1.0.kind.rawValue, $1.0.reason)
        }.map { loss, start in
            var loss = loss
            let position = lines.position(of: start)
            (loss.line, loss.column) = (position.line, position.column)
            return loss
        }
    }
}
