public import DeskModel
public import DeskStore

/// The rows of runs of scripts.
enum ScriptRunRows {
    private static let columns =
        "SELECT id, started_at, ended_at, document, skipped_line, is_stop_wanted FROM script_runs"

    static func find(
        _ id: ScriptRunID, on sql: any SQLSession
    ) throws(StoreError) -> ScriptRunRow? {
        let statement = try sql.statement("\(columns) WHERE id = ?")
        try statement.bind(id.value)
        return try statement.first { row throws(StoreError) in try read(row) }
    }

    /// All of them, those that began last first.
    static func all(on sql: any SQLSession) throws(StoreError) -> [ScriptRunRow] {
        try sql.statement("\(columns) ORDER BY number DESC")
            .all { row throws(StoreError) in try read(row) }
    }

    /// The customers of each run that has not ended.
    static func customersOfRunning(
        on sql: any SQLSession
    ) throws(StoreError) -> [Set<[UInt8]>] {
        try sql.statement(literal: "SELECT customers FROM script_runs WHERE ended_at IS NULL")
            .all { row in
                // A name has no line break: a line of a script holds it.
                Set(row.bytes().split(separator: 0x0A).map { Array($0) })
            }
    }

    static func add(
        _ run: ScriptRunRow, of customers: [String], on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO script_runs (id, started_at, customers, document, is_stop_wanted) \
                VALUES (?, ?, ?, ?, FALSE)
                """)
        try statement.bind(run.id.value)
        try statement.bind(run.start)
        try statement.bind(Array(customers.joined(separator: "\n").utf8))
        try statement.bind(run.document)
        try statement.run()
    }

    static func update(
        _ id: ScriptRunID, to document: [UInt8], on sql: any SQLSession
    ) throws(StoreError) -> Bool {
        let statement = try sql.statement(
            literal: "UPDATE script_runs SET document = ? WHERE id = ? AND ended_at IS NULL")
        try statement.bind(document)
        try statement.bind(id.value)
        return try statement.runCounting() == 1
    }

    static func end(
        _ id: ScriptRunID, as document: [UInt8], at time: Timestamp, on sql: any SQLSession
    ) throws(StoreError) -> Bool {
        let statement = try sql.statement(
            literal: """
                UPDATE script_runs SET document = ?, ended_at = ? \
                WHERE id = ? AND ended_at IS NULL
                """)
        try statement.bind(document)
        try statement.bind(time)
        try statement.bind(id.value)
        return try statement.runCounting() == 1
    }

    /// Forgets all that ended but the last ones that began.
    static func prune(keeping kept: Int, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                DELETE FROM script_runs WHERE ended_at IS NOT NULL AND number NOT IN \
                (SELECT number FROM script_runs WHERE ended_at IS NOT NULL \
                ORDER BY number DESC LIMIT ?)
                """)
        try statement.bind(Int64(kept))
        try statement.run()
    }

    static func ask(
        _ id: ScriptRunID, for wish: ScriptRunWish, on sql: any SQLSession
    ) throws(StoreError) -> Bool {
        let statement: any SQLStatement
        switch wish {
        case .skip(let line):
            statement = try sql.statement(
                literal: """
                    UPDATE script_runs SET skipped_line = ? WHERE id = ? AND ended_at IS NULL
                    """)
            try statement.bind(Int64(line))
        case .stop:
            statement = try sql.statement(
                literal: """
                    UPDATE script_runs SET is_stop_wanted = TRUE \
                    WHERE id = ? AND ended_at IS NULL
                    """)
        }
        try statement.bind(id.value)
        return try statement.runCounting() == 1
    }

    private static func read(_ row: any SQLStatement) throws(StoreError) -> ScriptRunRow {
        ScriptRunRow(
            id: ScriptRunID(try row.id()), start: row.time(), end: row.timeIfAny(),
            document: row.bytes(), skippedLine: row.integerIfAny().map { Int($0) },
            isStopWanted: row.bool())
    }
}

extension SQLRegistries {
    /// Adds a run that is played from now on.
    public func beginScriptRun(
        _ run: ScriptRunRow, of customers: [String], atMost most: Int, under lease: Lease
    ) async throws(StoreError) -> ScriptRunBeginning {
        try await change(
            .contents(.changeScriptRun(run.id)), author: .server, where: { $0 == .begun }
        ) { sql throws(StoreError) -> ScriptRunBeginning in
            try requireCurrent(lease, on: sql)
            let running = try ScriptRunRows.customersOfRunning(on: sql)
            guard running.count < most else { return .tooMany }
            let busy = customers.first { customer in
                running.contains { $0.contains(Array(customer.utf8)) }
            }
            if let busy { return .isBusy(busy) }
            try ScriptRunRows.add(run, of: customers, on: sql)
            return .begun
        }
    }

    /// Stores what is shown of a run, unless it has ended.
    public func updateScriptRun(
        _ id: ScriptRunID, to document: [UInt8], under lease: Lease
    ) async throws(StoreError) {
        _ = try await change(
            .contents(.changeScriptRun(id)), author: .server, where: { $0 }
        ) { sql throws(StoreError) -> Bool in
            try requireCurrent(lease, on: sql)
            return try ScriptRunRows.update(id, to: document, on: sql)
        }
    }

    /// Ends a run, and forgets all but the last ones that ended.
    public func endScriptRun(
        _ id: ScriptRunID, as document: [UInt8], at time: Timestamp, keeping kept: Int,
        under lease: Lease
    ) async throws(StoreError) {
        _ = try await change(
            .contents(.changeScriptRun(id)), author: .server, where: { $0 }
        ) { sql throws(StoreError) -> Bool in
            try requireCurrent(lease, on: sql)
            guard try ScriptRunRows.end(id, as: document, at: time, on: sql) else { return false }
            try ScriptRunRows.prune(keeping: kept, on: sql)
            return true
        }
    }

    /// Asks the node that plays a run for something; false when it has ended, or is not there.
    public func askScriptRun(
        _ id: ScriptRunID, for wish: ScriptRunWish
    ) async throws(StoreError) -> Bool {
        try await change(
            .contents(.changeScriptRun(id)), author: .server, where: { $0 }
        ) { sql throws(StoreError) -> Bool in
            try ScriptRunRows.ask(id, for: wish, on: sql)
        }
    }

    /// Finds a run.
    public func findScriptRun(_ id: ScriptRunID) async throws(StoreError) -> ScriptRunRow? {
        try await readRegistry { sql throws(StoreError) in try ScriptRunRows.find(id, on: sql) }
    }

    /// Lists the runs, those that began last first.
    public func scriptRuns() async throws(StoreError) -> [ScriptRunRow] {
        try await readRegistry { sql throws(StoreError) in try ScriptRunRows.all(on: sql) }
    }
}
