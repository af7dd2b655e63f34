import DeskHTTP
import DeskJSON
import DeskSCIM
import DeskWeb

/// Which of the found resources an answer has (RFC 7644, section 3.4.2.4), counted from 1.
struct SCIMPage {
    /// The parameters that say it.
    static let names = ["filter", "startIndex", "count"]
    /// Most resources of an answer; a larger `count` counts as this.
    static let most = SCIMSchemas.maximumResults
    /// How many an answer has where `count` is missing.
    static let usual = 100

    /// The place of the first.
    let start: Int
    private let count: Int
    private let filter: SCIMFilter?

    /// - Throws: a problem for a filter that cannot be read, and for a number that is none.
    init(_ query: Query) throws(Problem) {
        start = max(1, try Self.number("startIndex", of: query) ?? 1)
        count = min(Self.most, max(0, try Self.number("count", of: query) ?? Self.usual))
        do throws(SCIMFault) {
            filter = if let text = query["filter"] { try SCIMFilter(parsing: text) } else { nil }
        } catch {
            throw Problem(error)
        }
    }

    /// The page, and how many there are on all.
    func part(of found: [JSON]) -> (resources: ArraySlice<JSON>, total: Int) {
        let fitting = if let filter { found.filter { filter.matches($0) } } else { found }
        guard start <= fitting.count else { return ([], fitting.count) }
        return (fitting[(start - 1)...].prefix(count), fitting.count)
    }

    private static func number(_ name: String, of query: Query) throws(Problem) -> Int? {
        guard let text = query[name] else { return nil }
        guard text.utf8.count <= 9, let number = Int(text) else {
            throw .scim(.invalidValue, "\(name) is a whole number, such as \(name)=1.")
        }
        return number
    }
}
