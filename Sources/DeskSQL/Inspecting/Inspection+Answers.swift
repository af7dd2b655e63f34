import DeskModel
import DeskStore

extension Inspection {
    private static let answers = """
        SELECT \(Answers.covered), a.seal, a.scope FROM answers a \
        WHERE a.scope > ? ORDER BY a.scope LIMIT 200
        """

    /// Reads some first answers: their checksums.
    mutating func readAnswers(on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(Self.answers)
        let start = lastScope
        let rows = try Self.unlessDamaged(on: sql) { () throws(StoreError) in
            try statement.bind(start)
            return try statement.all { row in
                let isWhole = row.isVerified(CheckedRow(.answers))
                row.skip(RowLayout.answers.count + 1)
                return (isWhole, row.text())
            }
        }
        guard let rows else {
            note(Damage("answer", reason: "rows cannot be read"))
            return go(on: .attachments)
        }
        guard !rows.isEmpty else { return go(on: .attachments) }
        for (isWhole, scope) in rows {
            lastScope = scope
            counts.answers += 1
            // The scope holds a key that a client chose: the sum of it names the row.
            guard !isWhole else { continue }
            note(
                Damage(
                    "answer", name: Digest.sha256(Array(scope.utf8)).text, reason: "check sum"))
        }
    }
}
