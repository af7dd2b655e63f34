public import DeskModel

/// The saved views; they are made, changed and removed through the log.
public protocol SavedViewRegistry: Sendable {
    /// Lists an agent's own views and those that some businesses share, by their order, then by name.
    ///
    /// An agent's views of other businesses are left out. Limit: `SavedView.most` of the agent and of
    /// each business.
    func savedViews(
        of agent: AgentID?, in businesses: Set<BusinessID>
    ) async throws(StoreError) -> [SavedView]
}

/// Makes a view, or replaces one; what members share is an event, what an agent has alone is none.
///
/// Refused as `notFound` without the business and for a view that is another agent's or gone, and as
/// `unusable` for one view too many.
public struct SaveView: WriteStep {
    let view: SavedView
    let isNew: Bool
    let author: Author
    let time: Timestamp

    /// Says who saves what; of one that is there everything is replaced.
    public init(_ view: SavedView, isNew: Bool, by author: Author, at time: Timestamp) {
        self.view = view
        self.isNew = isNew
        self.author = author
        self.time = time
    }

    /// Answers with the view as it was; nil for a new one.
    public func decide(by decision: inout GroupDecision) throws(Undecided) -> SavedView? {
        try decision.save(self)
    }
}

/// Removes a view for good.
///
/// Refused as `notFound` for a view that is another agent's or gone.
public struct RemoveView: WriteStep {
    let id: SavedViewID
    let author: Author
    let time: Timestamp

    /// Says who removes which.
    public init(_ id: SavedViewID, by author: Author, at time: Timestamp) {
        self.id = id
        self.author = author
        self.time = time
    }

    /// Answers with the view that was removed.
    public func decide(by decision: inout GroupDecision) throws(Undecided) -> SavedView {
        try decision.remove(self)
    }
}
