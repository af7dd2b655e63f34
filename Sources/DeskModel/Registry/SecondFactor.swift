/// The second factor of an account, as far as it may be shown: without its secret.
public struct SecondFactor: Hashable, Sendable {
    /// Recovery codes that an account is given at once.
    public static let recoveryCodes = 10

    /// Whose it is.
    public let agent: AgentID
    /// When setting it up began.
    public let createdAt: Timestamp
    /// Since when it is asked for; nil while it is being set up.
    public let confirmedAt: Timestamp?
    /// Recovery codes that were not used.
    public let recoveryLeft: Int
    /// Whether its secret can be read; without it recovery codes alone are accepted.
    public let isReadable: Bool

    /// Describes a second factor.
    public init(
        agent: AgentID, createdAt: Timestamp, confirmedAt: Timestamp?, recoveryLeft: Int,
        isReadable: Bool
    ) {
        self.agent = agent
        self.createdAt = createdAt
        self.confirmedAt = confirmedAt
        self.recoveryLeft = recoveryLeft
        self.isReadable = isReadable
    }
}

/// What a person shows of a second factor.
public enum SecondFactorProof: Hashable, Sendable {
    /// The digits that an authenticator app shows.
    case code(String)
    /// The digest of a recovery code.
    case recovery(Digest)
}

/// How a proof of a second factor was judged.
public enum SecondFactorOutcome: Hashable, Sendable {
    /// It is right, and is used up.
    case accepted
    /// It is wrong, or was used before.
    case wrong
    /// The secret cannot be read, so that no code of an app can be right.
    case unreadable
    /// The account has no second factor in this state.
    case missing
}

/// What came of asking that a business's members have a second factor.
public enum RequirementOutcome: Hashable, Sendable {
    /// It is asked from now on, or no longer.
    case changed
    /// It was so before.
    case unchanged
    /// The owner who asks has none.
    case withoutFactor
}
