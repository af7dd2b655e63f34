public import DeskModel

/// The rules of businesses and the log of what they did; rules are made and changed through the log.
public protocol RuleRegistry: Sendable {
    /// Lists a business's rules in the order in which they act.
    ///
    /// Limit: `TeamRule.most`.
    func rules(of business: BusinessID) async throws(StoreError) -> [TeamRule]

    /// Lists what rules of a business made of events, newest first.
    ///
    /// Limit: 1 to 300.
    /// - Parameter rule: a rule that alone is asked for.
    /// - Parameter edge: the number of an entry.
    func ruleActs(
        of business: BusinessID, by rule: TeamRuleID?, at edge: PageEdge<Int64>, limit: Int
    ) async throws(StoreError) -> Page<NumberedRuleAct>

    /// The last event of which rules made something, and those rules.
    func lastRuleActs() async throws(StoreError) -> (event: Position, rules: Set<TeamRuleID>)?

    /// How many entries of the log an event that no rule made has led to.
    func countRuleActs(of root: Position) async throws(StoreError) -> Int
}

/// Makes a rule of a business, or replaces what may change of it.
///
/// Refused as `notFound` without the business or the rule, and as `unusable` for one rule too many.
public struct SaveRule: WriteStep {
    let rule: TeamRule
    let isNew: Bool
    let author: Author
    let time: Timestamp

    /// Says who makes or changes what.
    public init(_ rule: TeamRule, isNew: Bool, by author: Author, at time: Timestamp) {
        self.rule = rule
        self.isNew = isNew
        self.author = author
        self.time = time
    }

    /// A change to what it is already has no event.
    public func decide(by decision: inout GroupDecision) throws(Undecided) {
        try decision.save(self)
    }
}

/// Removes a rule of a business; what it did stays.
///
/// Refused as `notFound` without it.
public struct RemoveRule: WriteStep {
    let rule: TeamRuleID
    let business: BusinessID
    let author: Author
    let time: Timestamp

    /// Says who removes what.
    public init(
        _ rule: TeamRuleID, of business: BusinessID, by author: Author, at time: Timestamp
    ) {
        self.rule = rule
        self.business = business
        self.author = author
        self.time = time
    }

    /// It acts on no further event.
    public func decide(by decision: inout GroupDecision) throws(Undecided) {
        try decision.remove(self)
    }
}
