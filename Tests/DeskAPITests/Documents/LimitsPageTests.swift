import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStoreSQLite
import DeskWeb
import TestSupport
import Testing

@testable import DeskAPI
@testable import DeskMessages

/// docs/limits.md against the code, both ways.
struct LimitsPageTests {
    /// The rows under a heading, their values as the backticks hold them.
    private static func rows(under heading: String) throws -> [LimitRow] {
        let page = try #require(TestFiles.text("docs/limits.md"))
        let parts = page.split(separator: "\n## ").filter { $0.hasPrefix(heading + "\n") }
        let section = try #require(parts.first)
        return try section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { row in
            let cells = row.split(separator: "|").map { cell in
                String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            }
            try #require(cells.count == 4, "\(row)")
            let value = cells[1].split(separator: "`", omittingEmptySubsequences: false)
            try #require(value.count == 3, "\(row)")
            return LimitRow(
                cells[0].replacing("`", with: ""), String(value[1]), bounds: cells[2],
                beyond: cells[3])
        }
    }

    @Test(arguments: ["Connections and requests", "The API", "Fixed"])
    func `the page lists the limits as the server does`(title: String) throws {
        let limits = Limits(store: SQLiteStore.limits)
        let section = try #require(limits.sections.first { $0.title == title })
        let stated = try Self.rows(under: title)
        #expect(stated.map(\.name) == section.rows.map(\.name))
        for (stated, row) in zip(stated, section.rows) { #expect(stated == row) }
        #expect(Set(section.rows.map(\.name)).count == section.rows.count)
    }

    @Test func `the page lists the highest value of each limit that has one of its own`() throws {
        let page = try #require(TestFiles.text("docs/limits.md"))
        let section = try #require(page.split(separator: "\n## Highest values\n").last)
        let stated = section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { row in
            let cells = row.split(separator: "|").prefix(2).map { $0.filter { !" `".contains($0) } }
            return "\(cells[0])=\(cells[1])"
        }
        let units = ["-days", "-hours", "-minutes", "-seconds"]
        let api = APILimits.entries.filter { entry in
            entry.isSettable && entry.most != 1 << 31
                && !units.contains { entry.name.hasSuffix($0) }
        }.map { "\($0.name)=\($0.most)" }
        #expect(stated == api)
    }

    @Test func `a limit accepts its highest value and not one more`() {
        for entry in APILimits.entries where entry.isSettable {
            var limits = APILimits()
            let isTaken = limits.set(entry.name, to: entry.most)
            let isTakenBeyond = limits.set(entry.name, to: entry.most + 1)
            #expect(isTaken && !isTakenBeyond, "\(entry.name)")
            #expect(limits[keyPath: entry.place] == entry.most, "\(entry.name)")
            #expect(APILimits()[keyPath: entry.place] <= entry.most, "\(entry.name)")
        }
    }

    @Test func `every member of every table is in the list`() {
        let names = Set(Limits().sections.flatMap(\.rows).map(\.name))
        #expect(Limits().sections.map(\.title) == ["Connections and requests", "The API", "Fixed"])
        #expect(ServerLimits.entries.count == Mirror(reflecting: ServerLimits()).children.count)
        // One member of the API's table is the framework's.
        let members =
            Mirror(reflecting: APILimits()).children.count - 1
            + Mirror(reflecting: WebLimits()).children.count
        #expect(APILimits.entries.count == members)
        // What these hold is listed whole, so that a new member needs a row.
        let whole: [(name: String, value: Any)] = [
            ("JSONLimits", JSONLimits.standard), ("StreamLimits", StreamLimits()),
        ]
        for (name, value) in whole {
            for child in Mirror(reflecting: value).children {
                #expect(names.contains("\(name).\(child.label ?? "")"))
            }
        }
    }
}
