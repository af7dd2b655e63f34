public import DeskModel
public import DeskStore

/// The rows of the readers of the log.
enum Readers {
    static func cursor(
        of reader: ReaderName, on sql: any SQLSession
    ) throws(StoreError) -> EventID? {
        let statement = try sql.statement(
            literal: "SELECT epoch, position FROM readers WHERE name = ?")
        try statement.bind(reader.text)
        return try statement.first { row in
            EventID(
                epoch: Epoch(UInt64(bitPattern: row.integer())),
                position: Position(max(0, row.integer())))
        }
    }

    static func set(
        _ cursor: EventID, of reader: ReaderName, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO readers (name, epoch, position) VALUES (?, ?, ?) \
                ON CONFLICT (name) DO UPDATE SET epoch = excluded.epoch, \
                position = excluded.position
                """)
        try statement.bind(reader.text)
        try statement.bind(Int64(bitPattern: cursor.epoch.value))
        try statement.bind(cursor.position.value)
        try statement.run()
    }
}

extension SQLRegistries {
    /// How far a reader has come; nil for one that has not begun.
    public func findCursor(of reader: ReaderName) async throws(StoreError) -> EventID? {
        try await readRegistry { sql throws(StoreError) in
            try Readers.cursor(of: reader, on: sql)
        }
    }

    /// Moves a reader's cursor and stores what it made of the events in between, both or neither.
    public func advance(
        _ reader: ReaderName, from before: EventID?, to after: EventID,
        storing writes: ReaderWrites, under lease: Lease
    ) async throws(StoreError) {
        try await change(.contents(.advanceReader(reader)), author: .server) {
            sql throws(StoreError) in
            try requireCurrent(lease, on: sql)
            guard try Readers.cursor(of: reader, on: sql) == before else {
                throw StoreError(.superseded, "the reader \(reader) is at another place")
            }
            switch writes {
            case .nothing: break
            case .reports(let change): try Reports.store(change, on: sql)
            case .rules(let businesses):
                for business in businesses { try Rules.pruneActs(of: business, on: sql) }
            case .webhooks(let deliveries): try Webhooks.note(deliveries, on: sql)
            }
            try Readers.set(after, of: reader, on: sql)
        }
    }

    /// Forgets how far a reader has come.
    public func forgetCursor(
        of reader: ReaderName, author: Author
    ) async throws(StoreError) {
        try await change(.contents(.replayReader(reader)), author: author) {
            sql throws(StoreError) in
            let statement = try sql.statement(literal: "DELETE FROM readers WHERE name = ?")
            try statement.bind(reader.text)
            try statement.run()
        }
    }
}
