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
        filter = try Self.filter(query["filter"])
    }

    /// Reads the body of a search (RFC 7644, section 3.4.3).
    init(_ search: SCIMFields) throws(Problem) {
        start = max(1, try search.number("startIndex") ?? 1)
        count = min(Self.most, max(0, try search.number("count") ?? Self.usual))
        filter = try Self.filter(search.text("filter", most: SCIMFilter.maximumBytes))
    }

    /// The page, and how many there are on all; of a lazy collection nothing else is held.
    func part(of found: some Collection<JSON>) -> (resources: [JSON], total: Int) {
        guard let filter else {
            return (Array(found.dropFirst(start - 1).prefix(count)), found.count)
        }
        var resources: [JSON] = []
        var total = 0
        for one in found where filter.matches(one) {
            total += 1
            if total >= start, resources.count < count { resources.append(one) }
        }
        return (resources, total)
    }

    private static func filter(_ text: String?) throws(Problem) -> SCIMFilter? {
        guard let text else { return nil }
        do throws(SCIMFault) {
            return try SCIMFilter(parsing: text)
        } catch {
            throw Problem(error)
        }
    }

    private static func number(_ name: String, of query: Query) throws(Problem) -> Int? {
        guard let text = query[name] else { return nil }
        guard text.utf8.count <= 9, let number = Int(text) else {
            throw .scim(.invalidValue, "\(name) is a whole number, such as \(name)=1.")
        }
        return number
    }
}
