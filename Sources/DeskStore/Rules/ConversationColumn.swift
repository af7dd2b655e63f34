package import DeskModel

/// A column of the table of conversations: the one place that says how it is written, read, summed
/// and archived.
///
/// A new column is appended to `all`, `coverages` gets one more number, and a migration adds it to the
/// table: nothing else names columns.
package struct ConversationColumn: Sendable {
    /// When a row's column is written.
    package enum Writing: Sendable {
        /// With the row itself, and never again.
        case once
        /// When something changes that only the row has.
        case withState
        /// Also when a message changes it.
        case withMessages
    }

    /// Where an archive's line has it: a member of the line, or of an object in the line.
    package struct Member: Sendable {
        /// The object's name; nil for the line itself.
        package let object: String?
        /// The member's name.
        package let name: StaticString
        /// Whether every archive has it; a column that came later is missing in earlier ones.
        package let isRequired: Bool
    }

    /// The name in the table.
    package let name: String
    /// What its values are.
    package let kind: RowValue.Kind
    /// When it is written.
    package let writing: Writing
    /// Where archives have it; nil for what they spell out otherwise.
    package let member: Member?
    /// Its value in a row.
    package let value: @Sendable (ConversationRow) -> RowValue
    /// Puts a value that is not absent into a row.
    package let set: @Sendable (RowValue, inout ConversationDraft) throws(StoreError) -> Void
}

/// A conversation's row while its columns are read.
package struct ConversationDraft: Sendable {
    /// What the columns say so far.
    package var row: ConversationRow
    var newest = SequenceNumber.start
    var lastID: MessageID?
    var lastDirection: Direction?
    var lastKind: MessageKind?
    var lastTime: Timestamp?
    var lastSummary = ""
    var lastErasedAt: Timestamp?
    var lastAuthorKind: String?
    var lastAuthorName: String?

    /// Begins with a row whose conversation was just opened.
    package init(_ row: ConversationRow) { self.row = row }

    fileprivate func last() throws(StoreError) -> LastMessage? {
        guard newest > .start else { return nil }
        guard let lastID, let lastDirection, let lastKind, let lastTime, let lastAuthorKind,
            let lastAuthorName, let author = Author(kind: lastAuthorKind, name: lastAuthorName)
        else { throw StoreError(.damaged, "a conversation's last message") }
        return LastMessage(
            id: lastID, sequence: newest, direction: lastDirection, kind: lastKind,
            author: author, time: lastTime, summary: lastSummary, erasedAt: lastErasedAt)
    }
}

extension ConversationRow {
    /// Reads a row from its columns' values, by their places in `ConversationColumn.all`.
    ///
    /// - Throws: `damaged` when a value is none that a row has.
    package init(
        number: Int64, of owner: BusinessID, _ value: (Int) -> RowValue
    ) throws(StoreError) {
        guard case .id(let id) = value(ConversationColumn.idPlace),
            case .integer(let business) = value(ConversationColumn.businessPlace),
            case .text(let name) = value(ConversationColumn.customerPlace),
            let customer = CustomerID(name),
            case .integer(let opened) = value(ConversationColumn.openedPlace)
        else { throw StoreError(.damaged, "the row of conversation \(number)") }
        var draft = ConversationDraft(
            ConversationRow(
                number: number, business: business,
                conversation: Conversation(
                    id: ConversationID(id), business: owner, customer: Customer(id: customer),
                    openedAt: Timestamp(milliseconds: opened)), head: nil))
        for (place, column) in ConversationColumn.all.enumerated() where column.writing != .once {
            let found = value(place)
            if found != .null { try column.set(found, &draft) }
        }
        draft.row.conversation.last = try draft.last()
        self = draft.row
    }
}
