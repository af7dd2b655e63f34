import DeskSQL
import DeskStore

/// The schema's history: numbered from 1, forward only, one transaction each, never edited.
///
/// A step reads nothing that may change after it landed: no column list, helper or model type of the
/// program around it. What it covers, moves or sums is written out in it. Two things are shared, because
/// they are the storage format itself: `RowChecksum`, and how a column's value goes into it.
enum Migrations {
    /// All steps in order; the n-th leads from version n-1 to n.
    static let all: [Step] = [
        .sql(first), .sql(second), .sql(third), .sql(fourth),
        .work { connection throws(StoreError) in try addFirstSums(on: connection) },
        .sql(sixth), .sql(seventh),
        .work { connection throws(StoreError) in try addAnswerSums(on: connection) },
        .sql(ninth), .sql(tenth), .sql(eleventh), .sql(devices),
        .work { connection throws(StoreError) in try addRevisions(on: connection) },
        .sql(members),
        .sql(waiting), .sql(customerWords),
        .sql(uploads), .sql(prefixedCookies), .sql(selfDescribing),
        .sql(settlements), .sql(erasing), .sql(deliveryClaims), .sql(audit),
        .sql(begunAnswers), .sql(secrets), .sql(draftsAndThreadEvents),
        .sql(labelsAndAssigning), .sql(teams), .sql(dueWork + changedNotes),
        .sql(settlementsOfAnswers + erasedLast),
        .sql(readersAndReports + macros),
        .sql(
            availability + businessHours + automaticAnswers + contacts + attributes + mergedContacts
        ),
        .sql(assigning + rules + savedViews + serviceLevels + participants),
        .sql(library + contactLinks + teamDetails + satisfaction),
        .sql(scriptRuns),
        .sql(webhooks + keyLimits + intents + suggestions + widgets + bots + metadata),
        .sql(channels), .sql(deliveriesByEvent + botCounts),
        .sql(retention + secondFactors + identities),
        .sql(push),
        .sql(agentPush),
        .sql(passkeys),
        .sql(provisioning),
        .sql(approvals),
        .sql(groups),
        .sql(legalHolds),
    ]

    /// One step.
    enum Step: Sendable {
        /// Statements.
        case sql(String)
        /// What statements cannot say.
        case work(@Sendable (Connection) throws(StoreError) -> Void)
    }

    /// The version that this program writes.
    static var newest: Int64 { Int64(all.count) }

    /// Brings a database up to date, then fills what steps asked for and only this program can make.
    ///
    /// - Throws: `tooNew` when a newer program made it; nothing was touched then.
    static func run(on connection: Connection) throws(StoreError) {
        try run(on: connection, through: all)
        try CustomerWords.fillIfDue(on: connection)
        try AttributeRows.fillIfDue(on: connection)
    }

    /// Carries out the steps that a database lacks, and nothing else.
    ///
    /// - Throws: `tooNew` when a newer program made it; nothing was touched then.
    static func run(on connection: Connection, through steps: [Step]) throws(StoreError) {
        let version = try version(of: connection)
        guard version <= Int64(steps.count) else {
            throw StoreError(.tooNew, "schema \(version), known \(steps.count)")
        }
        for (place, step) in steps.enumerated() where Int64(place) >= version {
            try connection.execute("BEGIN IMMEDIATE")
            do {
                switch step {
                case .sql(let sql): try connection.execute(sql)
                case .work(let work): try work(connection)
                }
                try connection.execute("PRAGMA user_version = \(place + 1)")
                try connection.execute("COMMIT")
            } catch {
                if connection.isInTransaction { try connection.execute("ROLLBACK") }
                throw error
            }
        }
    }

    static func version(of connection: Connection) throws(StoreError) -> Int64 {
        try connection.prepare("PRAGMA user_version").first { $0.integer() } ?? 0
    }
}
