public import DeskModel

/// What a route or a credential says a message's envelope must say; nil members are not compared.
public struct ExpectedEnvelope: Hashable, Sendable {
    /// The message id, where a header or an idempotent repeat fixes it.
    public var id: String?
    /// The sender: outbound the business, inbound the customer.
    public var sourceID: String?
    /// The receiver: outbound the customer, inbound the business.
    public var destinationID: String?

    /// Puts the expectations together.
    public init(id: String? = nil, sourceID: String? = nil, destinationID: String? = nil) {
        self.id = id
        self.sourceID = sourceID
        self.destinationID = destinationID
    }
}

/// Whether a sender has said that answers over 10 KB, which come by reference, reach it.
public enum ReferenceIntake: String, Sendable, CaseIterable {
    /// They do: large messages may be sent, and the judgement announces how they are answered.
    case taken
    /// They do not: a message whose answer would come by reference breaks a rule.
    case refused
}

/// Everything a judgement depends on beside the text; the same text and context give the same
/// findings everywhere.
public struct JudgementContext: Hashable, Sendable {
    /// Which way the message travels.
    public var direction: Direction
    /// How strict the judgement is.
    public var profile: Profile
    /// Whether the business is live or a test business; in the latter plain http to payment
    /// endpoints is a warning.
    public var mode: Mode
    /// What the customer's devices can show; nil when unknown, then nothing is asked of them.
    public var capabilities: CapabilityList?
    /// The moment of judgement, against which slots are past.
    public var now: Timestamp
    /// What the envelope has to agree with.
    public var envelope: ExpectedEnvelope
    /// Whether v, id, sourceId and destinationId may be left out, because they are filled in.
    public var mayOmitEnvelope: Bool
    /// How many attachments go with the text, when others than the payload's own count.
    public var attachmentCount: Int?
    /// Whether the receiver of the answers accepts them by reference.
    public var references: ReferenceIntake

    /// The server's own origin where it speaks plain http: the endpoints of its test merchant are there, and
    /// a test business that names them is not asked to serve them otherwise.
    public var plainOrigin: String?

    /// The currency of a merchant's answer, which it does not name itself; nil when unknown.
    public var currency: String?

    /// Sets what is known; the defaults are those of the console and the API.
    public init(
        direction: Direction, now: Timestamp, profile: Profile = .strict, mode: Mode = .live,
        capabilities: CapabilityList? = nil, envelope: ExpectedEnvelope = ExpectedEnvelope(),
        mayOmitEnvelope: Bool = true, attachmentCount: Int? = nil,
        references: ReferenceIntake = .taken, plainOrigin: String? = nil,
        currency: String? = nil
    ) {
        self.direction = direction
        self.now = now
        self.profile = profile
        self.mode = mode
        self.capabilities = capabilities
        self.envelope = envelope
        self.mayOmitEnvelope = mayOmitEnvelope
        self.attachmentCount = attachmentCount
        self.references = references
        self.plainOrigin = plainOrigin
        self.currency = currency
    }
}
