public import DeskModel

/// What needs a second person's approval, and the requests for one.
public protocol ApprovalRegistry: Sendable {
    /// What a business chose; nil where nothing needs a second person.
    func approvalRules(of business: BusinessID) async throws(StoreError) -> ApprovalRules?
    /// Keeps a choice instead of the one before; where members are guarded from then on, open invitations of owners end.
    ///
    /// Order: one commit, and only over the choice that the caller knows.
    func saveApprovalRules(
        _ rules: ApprovalRules, over before: ApprovalRules?, author: Author
    ) async throws(StoreError) -> ApprovalRulesOutcome
    /// Finds out whether a request may be carried out, and adds it to those that wait where a second person has to
    /// look at it first.
    ///
    /// Order: decided in one commit. An approval is used by one request; with `repeats` the same request may come
    /// again for `Approval.repeats`. One of a person who is no owner any more counts no longer. No approval is used
    /// before there is one for each business that wants one.
    ///
    /// Limit: `Approval.mostWaiting` wait at a time, of one author `mostOfPerson` or `mostOfKey`; what changes the choice
    /// itself waits in any case.
    /// - Parameter requests: the request as it would wait, once for each business that it is about.
    func useApprovals(
        _ requests: [Approval], repeats: Bool
    ) async throws(StoreError) -> ApprovalUse
    /// Finds a request.
    func approval(
        _ id: ApprovalID, of business: BusinessID
    ) async throws(StoreError) -> Approval?
    /// Lists requests, newest first, in pages by their numbers.
    ///
    /// - Parameter states: in which states; all where it is empty.
    func approvals(
        of business: BusinessID, in states: Set<ApprovalState>, at edge: PageEdge<Int64>,
        limit: Int
    ) async throws(StoreError) -> Page<Approval>
    /// Counts those that wait at a moment, and that a person can decide on.
    func approvalsWaiting(
        for person: AgentID, of business: BusinessID, at time: Timestamp
    ) async throws(StoreError) -> Int
    /// Says why a waiting request is asked for; false where its author is another or it waits no more.
    func explainApproval(
        _ id: ApprovalID, of business: BusinessID, reason: String, author: Author
    ) async throws(StoreError) -> Bool
    /// Decides on a request.
    ///
    /// Order: decided in one commit; of several persons the first decides. What is approved and not carried out yet can
    /// still be refused.
    /// - Throws: `refused` when the person has no permitted role in the business now.
    func decide(
        _ decision: ApprovalDecision, on id: ApprovalID, of business: BusinessID,
        by person: AgentID, comment: String, permitted: Set<Role>, at time: Timestamp
    ) async throws(StoreError) -> ApprovalOutcome
    /// Forgets requests from before a moment.
    func pruneApprovals(before time: Timestamp) async throws(StoreError)
}
