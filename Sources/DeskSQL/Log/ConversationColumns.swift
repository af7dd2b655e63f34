import DeskModel
package import DeskStore

/// The statements about rows of conversations, made from `ConversationColumn.all`, and how they are read.
package enum ConversationColumns {
    /// The business's id, the row's number, the columns that the checksum covers, the checksum, then the metadata,
    /// and until when the customer's channel accepts answers.
    package static let list = """
        b.id, c.number, \(RowLayout.conversations.list(of: "c")), c.seal, \(ConversationMetadata.column), \
        \(GatewayRows.freeFormColumn)
        """

    /// How many columns `list` has.
    package static let count = ConversationColumn.all.count + 5

    // A row whose business is missing is damage, and not a row that does not exist.
    package static let source = "conversations c LEFT JOIN businesses b ON b.number = c.business"

    package static let byID = "SELECT \(list) FROM \(source) WHERE c.id = ?"
    package static let byNumber = "SELECT \(list) FROM \(source) WHERE c.number = ?"

    /// The columns that a message changes.
    package static let withMessages = ConversationColumn.all.filter { $0.writing == .withMessages }
    /// The columns that may change.
    package static let changing = ConversationColumn.all.filter { $0.writing != .once }

    /// Binds `withMessages`, the checksum and the number.
    package static let updateActivity = update(withMessages)
    /// Binds `changing`, the checksum and the number.
    package static let updateWhole = update(changing)
    /// The same for some rows by one statement, which binds what `updateActivity` binds for each.
    package static func updateActivity(of rows: Int, in dialect: Dialect) -> String {
        let names = withMessages.map(\.name)
        let types =
            withMessages.map { type(of: $0.kind, in: dialect) } + [
                dialect.integer, dialect.integer,
            ]
        let row = types.map { "CAST(? AS \($0))" }.joined(separator: ", ")
        let settings = names.map { "\($0) = v.\($0)" }.joined(separator: ", ")
        return """
            UPDATE conversations AS c SET \(settings), seal = v.seal \
            FROM (VALUES \(Array(repeating: "(\(row))", count: rows).joined(separator: ", "))) \
            AS v(\(names.joined(separator: ", ")), seal, number) WHERE c.number = v.number
            """
    }

    /// Binds `ConversationColumn.all` and the checksum.
    package static let insert = """
        INSERT INTO conversations (\(RowLayout.conversations.columns.joined(separator: ", ")), seal) \
        VALUES (\(Dialect.parameters(ConversationColumn.all.count + 1))) RETURNING number
        """

    private static func update(_ columns: [ConversationColumn]) -> String {
        let settings = columns.map { "\($0.name) = ?" }.joined(separator: ", ")
        return "UPDATE conversations SET \(settings), seal = ? WHERE number = ?"
    }

    private static func type(of kind: RowValue.Kind, in dialect: Dialect) -> String {
        switch kind {
        case .integer, .claim, .time: dialect.integer
        case .text: "TEXT"
        case .id, .digest: dialect.bytes
        }
    }

    /// The checksum of a row that is written now.
    package static func checksum(of row: ConversationRow) -> Int64 {
        var sum = RowChecksum()
        for column in ConversationColumn.all { sum.add(column.value(row)) }
        return RowLayout.conversations.stored(sum)
    }

    /// Reads a conversation and verifies its row.
    ///
    /// - Throws: `damaged`.
    package static func read(_ row: any SQLStatement) throws(StoreError) -> ConversationRow {
        let owner = row.idIfAny()
        let number = row.integer()
        guard let covered = row.verifiedColumns(.conversations), let owner else {
            throw StoreError(.damaged, "the row of conversation \(number)")
        }
        let first = row.column
        row.skip(ConversationColumn.all.count + 1)
        let metadata = try ConversationMetadata.read(row)
        let freeFormUntil = row.timeIfAny()
        var found = try ConversationRow(number: number, of: BusinessID(owner)) { place in
            place < covered
                ? row.value(at: first + place, ConversationColumn.all[place].kind) : .null
        }
        if !metadata.isEmpty { found.conversation.metadata = metadata }
        if let freeFormUntil { found.conversation.freeFormUntil = freeFormUntil }
        return found
    }
}
