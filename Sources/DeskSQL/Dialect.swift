/// The dialect table: what differs between the engines in the SQL that the registries share.
///
/// All other SQL is written so that both engines accept it: `ON CONFLICT` instead of `INSERT OR`,
/// `IS NOT DISTINCT FROM` instead of `IS`, `TRUE` and `FALSE` for claims, `RETURNING`.
public struct Dialect: Sendable {
    /// How an engine writes parameters.
    public enum Parameters: Sendable {
        /// `?` for the next, `?1` for a stated one.
        case questionMark
        /// `$1` for a stated one; there is no next.
        case dollar
    }

    /// How parameters are written.
    public let parameters: Parameters
    /// The type of bytes.
    public let bytes: String
    /// The type of numbers of 64 bits, and of moments in milliseconds since 1970.
    public let integer: String
    /// The type of claims.
    public let claim: String
    /// The type of text, which is compared as bytes.
    public let text: String
    /// What a column is that counts a table's rows and never gives a number again.
    public let rowNumber: String
    /// What an INSERT says before its values so that a row keeps the number that it had elsewhere.
    let givenNumbers: String
    /// How a table's rows are read from a stated index, with `%` for its name.
    ///
    /// Empty where the engine chooses from what it knows of the rows.
    let indexChoice: String
    /// A join whose tables are read in the order in which they are written, where the engine lets a
    /// statement say so.
    let orderedJoin: String
    /// The rows of a list of numbers, bound as a JSON text; their column is `value`.
    let boundNumbers: String
    /// The rows of a column's JSON list of texts, with `%` for the column; theirs is `value`.
    let listedTexts: String
    /// The language of a locale in lower case, with `%` for the column, as the index on it says it.
    let language: String
    /// Bytes as hexadecimal digits in lower case, with `%` for the column.
    let hexadecimal: String
    /// What is read in place of a secret's digest, which no reader needs.
    let noDigest: String
    /// What an INSERT says between its columns and its values when it states a row's number.
    let statedNumber: String
    /// Has a transaction wait until those that numbered a record of the audit are committed; empty where one
    /// process writes.
    let auditTurn: String

    /// SQLite 3.39 or newer.
    public static let sqlite = Dialect(
        parameters: .questionMark, bytes: "BLOB", integer: "INTEGER", claim: "INTEGER",
        text: "TEXT", rowNumber: "INTEGER PRIMARY KEY AUTOINCREMENT", givenNumbers: "",
        indexChoice: " INDEXED BY %", orderedJoin: "CROSS JOIN", boundNumbers: "json_each(?)",
        listedTexts: "json_each(%)",
        language: "lower(substr(%, 1, instr(replace(%, '-', '_') || '_', '_') - 1))",
        hexadecimal: "lower(hex(%))", noDigest: "zeroblob(32)", statedNumber: "", auditTurn: "")

    /// PostgreSQL 15 or newer.
    public static let postgreSQL = Dialect(
        parameters: .dollar, bytes: "bytea", integer: "bigint", claim: "boolean",
        text: "text COLLATE \"C\"",
        rowNumber: "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
        givenNumbers: " OVERRIDING SYSTEM VALUE",
        indexChoice: "", orderedJoin: "JOIN",
        boundNumbers: """
            (SELECT CAST(j.value AS bigint) AS value \
            FROM json_array_elements_text(CAST(? AS json)) AS j(value))
            """,
        listedTexts: "json_array_elements_text(CAST(% AS json))",
        language: "lower(split_part(replace(%, '-', '_'), '_', 1))",
        hexadecimal: "encode(%, 'hex')", noDigest: "decode(repeat('00', 32), 'hex')",
        statedNumber: "OVERRIDING SYSTEM VALUE ",
        auditTurn: """
            SELECT pg_advisory_xact_lock(hashtextextended('frontdesk audit ' || \
            current_schema(), 0))
            """)

    /// What makes a table of a FROM clause be read from an index.
    func indexed(by index: String) -> String { Self.fill(indexChoice, with: index) }

    /// The rows of a column's JSON list of texts; their column is `value`.
    func texts(of column: String) -> String { Self.fill(listedTexts, with: column) }

    /// The language of a column's locale in lower case.
    package func language(of column: String) -> String { Self.fill(language, with: column) }

    /// An id as its digits, without the dashes of its text.
    func digits(of column: String) -> String { Self.fill(hexadecimal, with: column) }

    private static func fill(_ template: String, with name: String) -> String {
        template.split(separator: "%", omittingEmptySubsequences: false).joined(separator: name)
    }

    /// As many parameters as a statement of so many columns has.
    package static func parameters(_ count: Int) -> String {
        Array(repeating: "?", count: count).joined(separator: ", ")
    }

    /// A statement in the engine's syntax; in our statements a question mark is always a parameter.
    public func statement(_ sql: String) -> String {
        switch parameters {
        case .questionMark: return sql
        case .dollar: break
        }
        var text = ""
        text.reserveCapacity(sql.utf8.count + 16)
        var highest = 0
        var rest = Substring(sql)
        while let mark = rest.firstIndex(of: "?") {
            text += rest[..<mark]
            rest = rest[rest.index(after: mark)...]
            let digits = rest.prefix { ("0"..."9").contains($0) }
            rest = rest.dropFirst(digits.count)
            let number = Int(digits) ?? highest + 1
            highest = max(highest, number)
            text += "$\(number)"
        }
        return text + rest
    }
}
