import FoundationEssentials

/// Which engines the contracts run on: both, unless `FRONTDESK_ENGINE` names `sqlite` or `postgres`.
///
/// A run of all tests has PostgreSQL's part by itself: its server's processes and tests that wait for an answer
/// would keep the processors from each other.
package enum TestedEngines {
    /// The cases of both parts, or of the one that is asked for.
    package static func chosen<Kept>(_ onSQLite: [Kept], _ onPostgreSQL: [Kept]) -> [Kept] {
        switch ProcessInfo.processInfo.environment["FRONTDESK_ENGINE"] {
        case nil: onSQLite + onPostgreSQL
        case "sqlite": onSQLite
        case "postgres": onPostgreSQL
        case let other?: preconditionFailure("FRONTDESK_ENGINE=\(other): sqlite or postgres")
        }
    }
}
