public import DeskHTTP
public import DeskModel

/// Whose requests are counted together.
public enum RateSubject: Hashable, Sendable {
    /// One agent.
    case agent(AgentID)
    /// One API key.
    case key(KeyID)
    /// One customer.
    case customer(ConversationID)
    /// The sandbox of one business.
    case sandbox(BusinessID)
    /// The requests without a credential of one address, or one IPv6 /64.
    case address(ClientNetwork)
    /// One customer, muting and deleting.
    case settings(ConversationID)
    /// A caller that has payloads checked without sending them.
    indirect case validation(RateSubject)
    /// A caller that searches.
    indirect case search(RateSubject)

    /// The principal, or the peer's address when there is none.
    public init(_ principal: Principal?, peer: Peer) {
        switch principal {
        case .agent(let agent): self = .agent(agent.agent.id)
        case .key(let key): self = .key(key.id)
        case .sandbox(let sandbox): self = .sandbox(sandbox.business)
        case .customer(let customer): self = .customer(customer.conversation)
        case nil: self = .address(peer.network)
        }
    }
}

extension RateSubject {
    /// What the subject is called in counters; those that one counter counts differ.
    package var counted: CounterSubject {
        switch self {
        case .agent(let id): CounterSubject(sort: 1, id.value)
        case .key(let id): CounterSubject(sort: 2, id.value)
        case .customer(let id), .settings(let id): CounterSubject(sort: 3, id.value)
        case .sandbox(let id): CounterSubject(sort: 4, id.value)
        case .address(let network): network.counted
        case .validation(let subject), .search(let subject): subject.counted
        }
    }
}

extension ClientNetwork {
    /// What the network is called in counters.
    package var counted: CounterSubject {
        let (version, value) = number
        return CounterSubject(sort: 16 + version, low: value)
    }
}

/// How much a bucket still holds.
public struct RateState: Sendable {
    /// Whether the bucket had too little.
    public let isRefused: Bool
    /// What is left.
    public let remaining: Int
    /// What a full bucket holds.
    public let burst: Int
    /// Whole seconds in which an empty bucket fills.
    public let windowSeconds: Int
    /// Whole seconds until the bucket holds the requested count, or one.
    public let waitSeconds: Int

    /// Adds the fields of the RateLimit draft.
    package func addHeaders(to response: inout Response) {
        // Both fields are in every answer, so they are built as bytes.
        var field: [UInt8] = []
        field.reserveCapacity(64)
        field.append(contentsOf: Self.quota)
        Self.append(burst, to: &field)
        field.append(contentsOf: Self.window)
        Self.append(windowSeconds, to: &field)
        response.headers.append("RateLimit-Policy", field)
        field.removeAll(keepingCapacity: true)
        field.append(contentsOf: Self.rest)
        Self.append(remaining, to: &field)
        field.append(contentsOf: Self.time)
        Self.append(waitSeconds, to: &field)
        response.headers.append("RateLimit", field)
        if response.status == .tooManyRequests, !response.headers.contains("retry-after") {
            response.headers.append("Retry-After", "\(waitSeconds)")
        }
    }

    private static let quota = Array("\"writes\";q=".utf8)
    private static let window = Array(";w=".utf8)
    private static let rest = Array("\"writes\";r=".utf8)
    private static let time = Array(";t=".utf8)

    /// Writes a number that is not negative, in decimal.
    private static func append(_ number: Int, to bytes: inout [UInt8]) {
        if number >= 10 { append(number / 10, to: &bytes) }
        bytes.append(0x30 + UInt8(number % 10))
    }
}

/// The rate limits of all callers.
public final class RateBuckets: Sendable {
    private enum Kind: Int, CaseIterable {
        case agent, key, customer, address, settings, validation, search
    }

    private let counters: [any RateCounter]
    private let time: TimeSource

    /// Makes full buckets.
    package init(limits: WebLimits, time: TimeSource, counters: any CounterSource) {
        self.time = time
        self.counters = Kind.allCases.map { kind in
            let (perSecond, burst) =
                switch kind {
                case .agent: (limits.agentMessagesPerSecond, limits.agentMessagesBurst)
                case .key: (limits.keyMessagesPerSecond, limits.keyMessagesBurst)
                case .customer: (limits.customerMessagesPerSecond, limits.customerMessagesBurst)
                case .address: (limits.addressRequestsPerSecond, limits.addressRequestsBurst)
                case .settings: (limits.customerSettingsPerSecond, limits.customerSettingsBurst)
                case .validation: (limits.validationsPerSecond, limits.validationsBurst)
                case .search: (limits.searchesPerSecond, limits.searchesBurst)
                }
            return counters.rate(
                "requests \(kind)", Rate(perSecond: Double(perSecond), burst: Double(burst)))
        }
    }

    /// Removes several tokens from a bucket, all or none; zero only looks.
    public func take(_ count: Int, from subject: RateSubject) -> RateState {
        let kind: Kind =
            switch subject {
            case .agent, .sandbox: .agent
            case .key: .key
            case .customer: .customer
            case .address: .address
            case .settings: .settings
            case .validation: .validation
            case .search: .search
            }
        let counter = counters[kind.rawValue]
        let verdict = counter.take(Double(count), by: subject.counted, at: time.instant())
        let rate = counter.rate
        return RateState(
            isRefused: !verdict.isAllowed, remaining: verdict.remaining, burst: Int(rate.burst),
            windowSeconds: max(1, Int((rate.burst / rate.perSecond).rounded(.up))),
            waitSeconds: verdict.retryAfter.wholeSeconds)
    }
}
