public import DeskModel
public import DeskStore

/// The rows of retention by age, one for each business that has chosen it.
package enum Retentions {
    package static let columns = """
        SELECT business, days, changed_at, begins_at, position, note, erased_through \
        FROM retentions
        """

    package static func read(_ row: any SQLStatement) throws(StoreError) -> Retention {
        Retention(
            of: BusinessID(try row.id()), days: Int(row.integer()), changedAt: row.time(),
            beginsAt: row.time(),
            progress: Retention.Progress(
                position: Position(max(0, row.integer())), note: row.integer(),
                through: row.timeIfAny()))
    }

    static func find(
        of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> Retention? {
        let statement = try sql.statement("\(columns) WHERE business = ?")
        try statement.bind(business.value)
        return try statement.first { row throws(StoreError) in try read(row) }
    }

    /// Keeps a choice with its progress instead of the one before.
    package static func put(_ one: Retention, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO retentions \
                (business, days, changed_at, begins_at, position, note, erased_through) \
                VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (business) DO UPDATE SET \
                days = excluded.days, changed_at = excluded.changed_at, \
                begins_at = excluded.begins_at, position = excluded.position, \
                note = excluded.note, erased_through = excluded.erased_through
                """)
        try statement.bind(one.business.value)
        try statement.bind(Int64(one.days))
        try statement.bind(one.changedAt)
        try statement.bind(one.beginsAt)
        try statement.bind(one.progress.position.value)
        try statement.bind(one.progress.note)
        try statement.bind(one.progress.through)
        try statement.run()
    }

    static func remove(
        of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> Bool {
        let statement = try sql.statement(literal: "DELETE FROM retentions WHERE business = ?")
        try statement.bind(business.value)
        return try statement.runCounting() > 0
    }
}

extension SQLRegistries {
    /// Finds what a business chose; nil where content is kept for ever.
    public func retention(of business: BusinessID) async throws(StoreError) -> Retention? {
        try await readRegistry { sql throws(StoreError) in
            try Retentions.find(of: business, on: sql)
        }
    }

    /// Lists what businesses chose, in the order of their ids.
    public func retentions() async throws(StoreError) -> [Retention] {
        try await readRegistry { sql throws(StoreError) in
            try sql.statement("\(Retentions.columns) ORDER BY business")
                .all { row throws(StoreError) in try Retentions.read(row) }
        }
    }

    /// Keeps a choice instead of the one before, and goes on behind what that one erased; returns it as it is then.
    public func setRetention(
        ofDays days: Int, of business: BusinessID, at time: Timestamp, author: Author
    ) async throws(StoreError) -> Retention {
        try await change(
            as: { before, after in
                before?.days == after.days
                    ? nil : (.contents(.setRetention(of: business)), author)
            },
            { sql throws(StoreError) -> (Retention?, Retention) in
                let before = try Retentions.find(of: business, on: sql)
                if let before, before.days == days { return (before, before) }
                var after = Retention(
                    of: business, days: days, changedAt: time,
                    beginsAt: Retention.beginning(ofDays: days, at: time, after: before),
                    progress: before?.progress ?? .start)
                after.progress.through = nil
                try Retentions.put(after, on: sql)
                return (before, after)
            }
        ).1
    }

    /// Has content kept for ever; returns whether it was not.
    public func removeRetention(
        of business: BusinessID, author: Author
    ) async throws(StoreError) -> Bool {
        try await change(
            .contents(.removeRetention(of: business)), author: author, where: { $0 }
        ) { sql throws(StoreError) in
            try Retentions.remove(of: business, on: sql)
        }
    }

    /// Notes how far the erasing by a choice has come; nothing where another was made meanwhile.
    public func advanceRetention(
        _ retention: Retention, under lease: Lease
    ) async throws(StoreError) {
        _ = try await change(
            .contents(.advanceRetention(of: retention.business)), author: .server, where: { $0 }
        ) { sql throws(StoreError) in
            try requireCurrent(lease, on: sql)
            let statement = try sql.statement(
                literal: """
                    UPDATE retentions SET position = ?, note = ?, erased_through = ? \
                    WHERE business = ? AND changed_at = ?
                    """)
            try statement.bind(retention.progress.position.value)
            try statement.bind(retention.progress.note)
            try statement.bind(retention.progress.through)
            try statement.bind(retention.business.value)
            try statement.bind(retention.changedAt)
            return try statement.runCounting() > 0
        }
    }
}
