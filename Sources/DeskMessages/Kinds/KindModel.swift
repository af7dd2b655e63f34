public import DeskJSON
public import DeskModel

/// Everything that is particular to one kind of message, declared once.
///
/// Recognition, rules, schemas, summaries, answers and the customer's copy read this model; none of
/// them lists kinds. docs/recipes/new-outbound-kind.md names every place that a new kind touches.
/// Thread: any; a model never changes.
public final class KindModel: Sendable {
    /// The kind that this declares.
    public let kind: MessageKind
    /// The name of the kind in summaries.
    let name: Wording
    /// The schemas that payloads of this kind are judged by; nil where the kind never travels that
    /// way.
    let schemas: Schemas
    /// The member of `interactiveData.data` that makes a message this kind; nil for kinds that are
    /// recognised in another way.
    let feature: Feature?
    /// Whether an answer repeats what was asked, so that a large request is answered by reference.
    let isAnsweredByReference: Bool
    /// Whether a payload of this kind may hold something that the customer's device does not get.
    let isReducedForDevice: Bool
    /// How a customer picks from a card of this kind; nil where there is nothing to pick.
    public let picking: Picking?
    /// What a device must announce before the kind is sent to it, by the `data` of the message.
    let capability: @Sendable (_ data: JSONValue) -> Capability?
    /// Judges what a schema cannot say.
    let judge: @Sendable (inout Judging) -> Void
    /// The answer that a scripted customer gives to a message; nil for silence.
    private let sample: (@Sendable (_ interactive: JSONValue) -> Choice?)?

    /// The names of a kind's schemas, without folder and `.json`.
    struct Schemas: Sendable {
        var outbound: String?
        var inbound: String?
    }

    /// Declares a kind that is one of the protocol's built-in features.
    convenience init(
        _ kind: MessageKind, name: Wording, schemas: Schemas, feature: Feature,
        picking: Picking? = nil, isAnsweredByReference: Bool = true,
        capability: @escaping @Sendable (_ data: JSONValue) -> Capability? = { _ in nil },
        sample: (@Sendable (_ interactive: JSONValue) -> Choice?)? = nil
    ) {
        self.init(
            kind, name: name, schemas: schemas, feature: feature, picking: picking,
            isAnsweredByReference: isAnsweredByReference,
            isReducedForDevice: feature.devicePart != nil, capability: capability, sample: sample
        ) { $0.judgeFeature() }
    }

    /// Declares any kind; `judge` is called with a payload that was recognised as this kind.
    init(
        _ kind: MessageKind, name: Wording, schemas: Schemas = Schemas(), feature: Feature? = nil,
        picking: Picking? = nil, isAnsweredByReference: Bool = false,
        isReducedForDevice: Bool = false,
        capability: @escaping @Sendable (_ data: JSONValue) -> Capability? = { _ in nil },
        sample: (@Sendable (_ interactive: JSONValue) -> Choice?)? = nil,
        judge: @escaping @Sendable (inout Judging) -> Void
    ) {
        self.kind = kind
        self.name = name
        self.schemas = schemas
        self.feature = feature
        self.picking = picking
        self.isAnsweredByReference = isAnsweredByReference
        self.isReducedForDevice = isReducedForDevice
        self.capability = capability
        self.sample = sample
        self.judge = judge
    }

    /// What a scripted customer answers to the `interactiveData` of a message; nil for silence.
    public func sampleAnswer(to interactive: JSONValue) -> Choice? {
        if let sample { return sample(interactive) }
        let picked = picking?.sample(interactive["data"]) ?? []
        return picked.isEmpty ? nil : .picked(kind, identifiers: picked)
    }
}

extension KindModel {
    /// All kinds, the features in the order in which findings name them.
    static let all: [KindModel] = [
        .text, .quickReply, .list, .time, .payment, .authentication, .form, .invitation, .app,
        .richLink, .reference, .interactive,
    ]
}

extension MessageKind {
    /// Everything that is particular to this kind.
    public var model: KindModel {
        switch self {
        case .text: .text
        case .quickReply: .quickReply
        case .list: .list
        case .time: .time
        case .payment: .payment
        case .app: .app
        case .richLink: .richLink
        case .form: .form
        case .authentication: .authentication
        case .invitation: .invitation
        case .reference: .reference
        case .interactive: .interactive
        }
    }
}

/// A phrase in each language that Frontdesk writes in.
struct Wording: Sendable {
    let english: String
    let japanese: String

    /// The phrase in one language.
    subscript(_ language: Language) -> String {
        switch language {
        case .english: english
        case .japanese: japanese
        }
    }
}
