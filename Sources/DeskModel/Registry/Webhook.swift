/// An endpoint of a business to which events are posted, as Standard Webhooks 1.0 says.
public struct Webhook: Hashable, Sendable {
    /// Most endpoints of a business.
    public static let most = 100
    /// Longest address in bytes.
    public static let maximumURLBytes = 2_048
    /// Longest description in bytes.
    public static let maximumDescriptionBytes = 500
    /// Most types of events that an endpoint names.
    public static let mostTypes = 100
    /// Most labels of a filter.
    public static let mostLabels = 20
    /// Most attempts to one endpoint at once.
    public static let mostAttemptsAtOnce = 4
    /// Seconds of failures alone after which an endpoint is disabled: five days.
    public static let failingSeconds: Int64 = 5 * 86_400
    /// For how long one process has seen it fail before it disables it: what an earlier process stored is
    /// known by the wall clock alone, which may have been set since.
    public static let seenFailingSeconds: Int64 = 3_600

    /// How a delivery is signed.
    public enum Signing: String, Sendable, CaseIterable {
        /// HMAC-SHA-256 with a secret that both sides have.
        case v1
        /// Ed25519: the receiver has the public key alone.
        case v1a
    }

    /// Whether a delivery has the event's data.
    public enum Payload: String, Sendable, CaseIterable {
        /// The event as in streams.
        case full
        /// The event without its data.
        case thin
    }

    /// What a failing delivery holds.
    public enum Order: String, Sendable, CaseIterable {
        /// Its conversation's later ones.
        case conversation
        /// Nothing.
        case none
    }

    /// Why nothing is delivered to an endpoint.
    public enum DisabledReason: String, Sendable, CaseIterable {
        /// A member or a key disabled it.
        case member
        /// It answered 410.
        case gone
        /// It failed for five days.
        case failing
    }

    /// Its name for ever; its outbox has the same UUID.
    public let id: WebhookID
    /// Whose events it receives.
    public let business: BusinessID
    /// When it was made.
    public let createdAt: Timestamp
    /// It receives events behind this position: the newest when it was made or enabled.
    public var beginning: Position
    /// How its deliveries are signed; it never changes.
    public let signing: Signing
    /// Where events are posted.
    public var url: String
    /// Scheme, host and port of that address, which say nothing of a secret in the rest.
    public var origin: String {
        var slashes = 0
        let bytes = url.utf8.prefix { byte in
            slashes += byte == UInt8(ascii: "/") ? 1 : 0
            return slashes < 3 && byte != UInt8(ascii: "?")
        }
        return String(bytes) ?? ""
    }
    /// What people call it.
    public var description: String
    /// The types that it receives; empty for all.
    public var types: [EventType]
    /// Whose messages it receives; nil for those of both sides.
    public var direction: Direction?
    /// It receives events of conversations with one of these labels; empty for all.
    public var labels: [LabelID]
    /// Whether a delivery has the event's data.
    public var payload: Payload
    /// What a failing delivery holds.
    public var order: Order
    /// Most attempts at once: 1 to 4.
    public var concurrency: Int
    /// Fields that every delivery has; values may be secret.
    public var headers: [WebhookHeader]
    /// What deliveries are signed with now: 24 to 64 bytes for v1, a seed of 32 for v1a.
    public var secret: [UInt8] {
        didSet { if secret != oldValue { isSecretUnreadable = false } }
    }
    /// Whether the stored secrets could not be decrypted: `secret` and `headers` are empty then, and nothing is
    /// posted until another secret is made.
    public var isSecretUnreadable = false
    /// What they were signed with before, and until when it is used beside the other.
    public var formerSecret: FormerSecret?
    /// Why nothing is delivered, and since when; nil while it is enabled.
    public var disabled: Disabled?
    /// Since when every attempt failed; nil after one that succeeded.
    public var failingSince: Timestamp?
    /// So many pending deliveries are counted in what is listed; of more it is said that there are so many.
    public static let mostCounted = 1_000

    /// What the last handshake found.
    public var handshake: WebhookHandshake?

    /// A secret that was replaced.
    public struct FormerSecret: Hashable, Sendable {
        /// Its bytes.
        public let bytes: [UInt8]
        /// Until when deliveries are signed with it too.
        public let until: Timestamp

        /// Puts the two together.
        public init(bytes: [UInt8], until: Timestamp) {
            self.bytes = bytes
            self.until = until
        }
    }

    /// That nothing is delivered.
    public struct Disabled: Hashable, Sendable {
        /// Why.
        public let reason: DisabledReason
        /// Since when.
        public let time: Timestamp

        /// Puts the two together.
        public init(_ reason: DisabledReason, at time: Timestamp) {
            self.reason = reason
            self.time = time
        }
    }

    /// An enabled endpoint that receives everything, in the order of each conversation.
    public init(
        id: WebhookID, business: BusinessID, url: String, signing: Signing = .v1, secret: [UInt8],
        createdAt: Timestamp, beginning: Position = .start
    ) {
        self.beginning = beginning
        self.id = id
        self.business = business
        self.url = url
        self.signing = signing
        self.secret = secret
        self.createdAt = createdAt
        description = ""
        types = []
        labels = []
        payload = .full
        order = .conversation
        concurrency = Self.mostAttemptsAtOnce
        headers = []
    }

    /// The outbox of its deliveries.
    public var outbox: OutboxID { OutboxID(id.value) }

    /// Whether it receives an event of its business.
    public func wants(_ event: Event) -> Bool {
        guard event.id.position > beginning else { return false }
        return matches(event)
    }

    /// Whether an event is one of those that it receives, whenever it happened.
    public func matches(_ event: Event) -> Bool {
        guard event.business == business, event.type.isForWebhooks, !event.isImported,
            types.isEmpty || types.contains(event.type)
        else { return false }
        if let direction, case .message(let message) = event.body,
            message.facts.direction != direction
        {
            return false
        }
        guard !labels.isEmpty else { return true }
        return event.conversation?.labels.contains { labels.contains($0) } ?? false
    }
}

/// A field that every delivery to an endpoint has.
public struct WebhookHeader: Hashable, Sendable {
    /// Most fields of an endpoint.
    public static let most = 10
    /// Longest name in bytes.
    public static let maximumNameBytes = 64
    /// Longest value in bytes.
    public static let maximumValueBytes = 1_024

    /// The name, a token of HTTP.
    public let name: String
    /// The value.
    public let value: String

    /// Puts the two together.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// Whether an endpoint verifies signatures: what it answered to a signed event and to a forged one.
public struct WebhookHandshake: Hashable, Sendable {
    /// What it shows.
    public enum Result: String, Sendable, CaseIterable {
        /// The signed event got 2xx, the forged one 4xx.
        case verified
        /// The forged event got 2xx.
        case openToForgery
        /// Anything else.
        case failed
    }

    /// When it was made.
    public let time: Timestamp
    /// What the signed event led to.
    public let signed: WebhookProbe
    /// What the wrongly signed one led to.
    public let forged: WebhookProbe

    /// Puts a handshake together.
    public init(time: Timestamp, signed: WebhookProbe, forged: WebhookProbe) {
        self.time = time
        self.signed = signed
        self.forged = forged
    }

    /// What it shows.
    public var result: Result {
        if let status = forged.status, (200...299).contains(status) { return .openToForgery }
        guard let signed = signed.status, (200...299).contains(signed),
            let forged = forged.status, (400...499).contains(forged)
        else { return .failed }
        return .verified
    }
}

/// What one test event led to.
public struct WebhookProbe: Hashable, Sendable {
    /// The answer's status; nil without an answer.
    public let status: Int?
    /// What happened, in a sentence without secrets.
    public let detail: String
    /// How long it lasted.
    public let milliseconds: Int

    /// Puts a result together.
    public init(status: Int?, detail: String, milliseconds: Int) {
        self.status = status
        self.detail = detail
        self.milliseconds = milliseconds
    }
}

extension EventType {
    /// Whether endpoints of a business may receive events of this type; never those of an unknown one.
    public var isForWebhooks: Bool {
        switch self {
        // Attempts to reach other servers of the business are their operator's to see.
        case .deliveryFailed, .deliveryDead, .eventDamaged, .other: false
        case .messageAccepted, .messageScheduled, .messageUnscheduled, .messageUnsent,
            .messageErased, .messageDeliveredUpstream, .messageRefusedUpstream,
            .messageReceiptChanged,
            .conversationOpened, .conversationAssigned, .conversationTeamChanged,
            .conversationPriorityChanged, .conversationLabelsChanged,
            .conversationParticipantsChanged, .conversationWatchersChanged,
            .conversationAttributesChanged, .conversationClosed, .conversationSnoozed,
            .conversationPending, .conversationReopened, .conversationAnswerDueChanged,
            .conversationAnswerOverdue, .satisfactionSaved, .satisfactionAsked,
            .satisfactionAnswered, .customerLeft, .customerReturned, .customerBlocked,
            .customerUnblocked, .noteAdded, .noteEdited, .noteDeleted, .templatePublished,
            .templateRemoved,
            .labelSaved, .teamSaved, .hoursSaved, .automaticAnswersSaved, .ruleSaved,
            .assignmentSaved, .serviceLevelsSaved, .viewSaved, .viewRemoved, .libraryFileSaved,
            .libraryFileRemoved, .attributeSaved, .contactMerged, .contactUnmerged,
            .contactLinksChanged, .contactSaved, .suggestionAdded, .suggestionSettled,
            .assistantAsked, .botSaved, .conversationControlChanged, .conversationMetadataChanged,
            .webhookDisabled, .webhookEnabled, .keyRevoked, .keyReplaced:
            true
        }
    }
}
