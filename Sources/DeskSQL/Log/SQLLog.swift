public import DeskModel
public import DeskStore

/// A store whose log lies in SQL tables; it brings sessions and the newest position, and gets all
/// reading of the log for it.
public protocol SQLLog: SQLRegistries, EventLog, MessageSource, AgedContent, ConversationViews,
    OverdueViews, SatisfactionViews, ErasureViews
{
    /// The conversations whose rows lack their newest messages.
    ///
    /// A reader that asks before it reads rows, and uses these instead of the rows of the same name,
    /// misses nothing that was acknowledged before.
    func unflushedRows() -> UnflushedRows

    /// The same of one conversation.
    func unflushedRow(of id: ConversationID) -> UnflushedRows

    /// Has the rows of conversations written whose newest messages they lack.
    func flushRows() async throws(StoreError)
}

/// Conversations that are ahead of their rows.
public struct UnflushedRows: Sendable {
    private let rows: [ConversationID: ConversationRow]

    /// Those of some names.
    package init(_ rows: [ConversationID: ConversationRow] = [:]) { self.rows = rows }

    /// The conversation as its newest messages leave it; nil when its row says so.
    package subscript(_ id: ConversationID) -> ConversationRow? { rows[id] }
}

/// A store that writes a conversation's row with each message has nothing that is ahead of it.
extension SQLLog {
    /// None.
    public func unflushedRows() -> UnflushedRows { UnflushedRows() }

    /// None.
    public func unflushedRow(of id: ConversationID) -> UnflushedRows { UnflushedRows() }

    /// Nothing to do.
    public func flushRows() async throws(StoreError) {}
}
