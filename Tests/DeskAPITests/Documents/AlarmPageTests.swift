import DeskWeb
import TestSupport
import Testing

/// docs/operations.md against the code, both ways: every line that needs an operator is explained.
struct AlarmPageTests {
    /// An alarm as the code writes it or the page explains it.
    struct Alarm: Hashable {
        let event: String
        let level: String
    }

    @Test func `every alarm that the code can write is on the page, and no other`() throws {
        let written = try Self.written()
        let explained = try Self.explained()
        #expect(written.count > 5)
        #expect(written.subtracting(explained).map { "\($0)" }.sorted() == [])
        #expect(explained.subtracting(written).map { "\($0)" }.sorted() == [])
    }

    /// The events of every `.warning("…"` and `.error("…"` below Sources.
    private static func written() throws -> Set<Alarm> {
        var alarms: Set<Alarm> = []
        for name in TestFiles.names("Sources") {
            guard name.hasSuffix(".swift"), !name.hasPrefix("Sources/DeskLog/"),
                let text = TestFiles.text(name)
            else { continue }
            for level in ["warning", "error"] {
                let parts = text.split(separator: "og.\(level)(", omittingEmptySubsequences: false)
                for part in parts.dropFirst() {
                    let rest = part.drop { $0.isWhitespace }
                    try #require(rest.first == "\"", "\(name): an alarm's event is a literal")
                    alarms.insert(
                        Alarm(
                            event: String(rest.dropFirst().prefix { $0 != "\"" }), level: level))
                }
            }
        }
        return alarms
    }

    /// The rows under the heading Alarms.
    private static func explained() throws -> Set<Alarm> {
        let page = try #require(TestFiles.text("docs/operations.md"))
        let section = try #require(
            page.split(separator: "\n## ").first { $0.hasPrefix("Alarms\n") })
        var alarms: Set<Alarm> = []
        for row in section.split(separator: "\n") where row.hasPrefix("| `") {
            let cells = row.split(separator: "|").map { cell in
                cell.replacing("`", with: "").split(separator: " ").joined(separator: " ")
            }
            try #require(cells.count == 4, "\(row)")
            alarms.insert(Alarm(event: cells[0], level: cells[1]))
        }
        return alarms
    }
}
