/// What a business can choose to have wait for a second person's approval.
public enum ApprovalArea: String, CaseIterable, Sendable {
    /// Exports of whole tables.
    case exports
    /// Erasing messages, conversations and persons, after how many days content is erased, and releasing legal holds.
    case erasures
    /// Inviting people, changing roles, and whether members need a second factor.
    case members
    /// Making and replacing API keys and the secrets of the widget.
    case keys
    /// Webhook endpoints, and links to providers, upstreams and WhatsApp.
    case connections
    /// These choices themselves; guarded wherever another area is, and no choice of their own.
    case approvals

    /// The areas that can be chosen.
    public static let choices: [ApprovalArea] = [
        .exports, .erasures, .members, .keys, .connections,
    ]
}

/// What a business chose to have approved.
public struct ApprovalRules: Hashable, Sendable {
    /// Whose choice it is.
    public let business: BusinessID
    /// What needs a second person; empty where nothing does.
    public let areas: Set<ApprovalArea>
    /// When it was chosen.
    public let changedAt: Timestamp

    /// Describes a choice.
    public init(of business: BusinessID, areas: Set<ApprovalArea>, changedAt: Timestamp) {
        self.business = business
        self.areas = areas
        self.changedAt = changedAt
    }

    /// Whether an area needs a second person.
    public func guards(_ area: ApprovalArea) -> Bool {
        area == .approvals ? !areas.isEmpty : areas.contains(area)
    }
}

/// What became of a choice of what needs an approval.
public enum ApprovalRulesOutcome: Hashable, Sendable {
    /// It is kept.
    case saved
    /// The business has no second owner who can sign in.
    case tooFewOwners
    /// The choice before is another one by now: nothing was changed.
    case changed
}

/// How far a request for approval has come.
public enum ApprovalState: String, CaseIterable, Sendable {
    /// A second person has to look at it.
    case waiting
    /// The one who asked may send the request again.
    case approved
    /// A second person said no.
    case refused
    /// The one who asked needs it no longer.
    case withdrawn
    /// The request was carried out.
    case used
}

/// A request that needs a second person, and what that one said.
public struct Approval: Hashable, Sendable {
    /// How long it waits for a second person.
    public static let wait = Duration.seconds(72 * 3_600)
    /// How long the request can be sent again once it is approved.
    public static let life = Duration.seconds(24 * 3_600)
    /// How long one that does the same each time can be repeated after it was first carried out.
    public static let repeats = Duration.seconds(3_600)
    /// Requests of a business that may wait at a time.
    public static let mostWaiting = 100
    /// Requests of one person that may wait at a time, so that one does not use up what is there for all.
    public static let mostOfPerson = 20
    /// Requests of one key that may wait at a time.
    public static let mostOfKey = 5
    /// Bytes of a reason, and of a comment, in UTF-8.
    public static let textBytes = 1_000
    /// Bytes of the JSON that says what is asked for.
    public static let detailBytes = 8_192

    /// Its name.
    public let id: ApprovalID
    /// Whose data it is about.
    public let business: BusinessID
    /// Why it needs a second person.
    public let area: ApprovalArea
    /// The operation of the API.
    public let operation: String
    /// What is asked for, as a JSON object without secrets.
    public let details: [UInt8]
    /// SHA-256 of the request: another one is another request.
    public let digest: Digest
    /// Who asked.
    public let author: Author
    /// The person behind it, who cannot approve it: the agent, or who answers for the key.
    public let person: AgentID?
    /// Why it is asked for, in the words of the one who asked.
    public var reason: String
    /// How far it has come.
    public var state: ApprovalState
    /// When it was asked for.
    public let madeAt: Timestamp
    /// From when on it can be approved, or carried out, no longer.
    public var expiresAt: Timestamp
    /// Who decided; nil before.
    public var decider: AgentID?
    /// When that was.
    public var decidedAt: Timestamp?
    /// What that one said.
    public var comment: String
    /// When the request was carried out first.
    public var usedAt: Timestamp?
    /// Its place in the list, which rises; 0 before it is stored.
    public var number: Int64 = 0

    /// Describes a request that waits.
    public init(
        id: ApprovalID, business: BusinessID, area: ApprovalArea, operation: String,
        details: [UInt8], digest: Digest, author: Author, person: AgentID?, reason: String = "",
        state: ApprovalState = .waiting, madeAt: Timestamp, expiresAt: Timestamp? = nil,
        decider: AgentID? = nil, decidedAt: Timestamp? = nil, comment: String = "",
        usedAt: Timestamp? = nil
    ) {
        self.id = id
        self.business = business
        self.area = area
        self.operation = operation
        self.details = details
        self.digest = digest
        self.author = author
        self.person = person
        self.reason = reason
        self.state = state
        self.madeAt = madeAt
        self.expiresAt = expiresAt ?? madeAt.advanced(by: Self.wait)
        self.decider = decider
        self.decidedAt = decidedAt
        self.comment = comment
        self.usedAt = usedAt
    }

    /// Whether a second person can still decide, or the request still be carried out.
    public func isOpen(at now: Timestamp) -> Bool {
        (state == .waiting || state == .approved) && now < expiresAt
    }
}

/// What became of a request that may need a second person.
public enum ApprovalUse: Hashable, Sendable {
    /// It needs none, or has one: it may be carried out.
    case granted
    /// It waits; `isNew` where it was not known before.
    case waiting(Approval, isNew: Bool)
    /// So many requests of the business wait that no further one is added.
    case tooMany
}

/// What a person says of a request for approval.
public enum ApprovalDecision: String, CaseIterable, Sendable {
    /// It may be carried out; said by a second person.
    case approve
    /// It may not, or no longer; said by a second person.
    case refuse
    /// It is needed no longer; said by the one who asked.
    case withdraw
}

/// What became of a decision.
public enum ApprovalOutcome: Hashable, Sendable {
    /// It counts.
    case decided(Approval)
    /// There is no such request.
    case notFound
    /// It has ended: decided otherwise, carried out, or too old. This is what it is.
    case ended(Approval)
    /// The person who asked, or who answers for the key that did, is no second one.
    case ownRequest
    /// Only the person who asked withdraws it.
    case othersRequest
}
