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

    /// SQLite 3.39 or newer.
    public static let sqlite = Dialect(
        parameters: .questionMark, bytes: "BLOB", integer: "INTEGER", claim: "INTEGER",
        text: "TEXT", rowNumber: "INTEGER PRIMARY KEY AUTOINCREMENT")

    /// PostgreSQL 15 or newer.
    public static let postgreSQL = Dialect(
        parameters: .dollar, bytes: "bytea", integer: "bigint", claim: "boolean",
        text: "text COLLATE \"C\"",
        rowNumber: "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY")

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
