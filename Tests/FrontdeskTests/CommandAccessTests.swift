import DeskCommandLine
import FoundationEssentials
import Testing

@testable import frontdesk

/// How commands reach the data: docs/operations.md and the help pages against the table of commands.
struct CommandAccessTests {
    private static let rows: [String: String] = {
        var url = URL(filePath: #filePath)
        for _ in 0..<3 { url.deleteLastPathComponent() }
        // Safe: without the page the tests find no rows and fail.
        let data = try? Data(contentsOf: url.appending(path: "docs/operations.md"))
        let page = data.map { String(decoding: $0, as: UTF8.self) } ?? ""
        let chapter = page.split(separator: "\n## ").first {
            $0.hasPrefix("Commands and the running server\n")
        }
        let cells = (chapter ?? "").split(separator: "\n").filter { $0.hasPrefix("| `frontdesk ") }
            .map { $0.split(separator: "|").map { $0.trimmed } }
        return Dictionary(cells.map { ($0[0], $0[1]) }, uniquingKeysWith: { first, _ in first })
    }()

    @Test func `the page says of each command that touches data how it does`() {
        let touching = Catalogue.all.filter { $0.access != .nothing }
        #expect(touching.count > 10)
        #expect(
            Self.rows
                == Dictionary(
                    uniqueKeysWithValues: touching.map {
                        ("`frontdesk \($0.name)`", $0.access.summary)
                    }))
    }

    @Test func `a command touches data when a flag says where that is`() {
        for command in Catalogue.all {
            #expect(
                (command.access == .nothing) == (command.flag(named: "data") == nil),
                "\(command.name)")
        }
    }

    @Test(arguments: Catalogue.all.filter { $0.access != .nothing }.map(\.name))
    func `a help page says how the command reaches the data`(name: String) throws {
        let command = try #require(Catalogue.all.first { $0.name == name })
        let sentence = try #require(command.access.sentence)
        #expect(HelpPage.page(of: command).contains(sentence))
    }
}

extension Substring {
    /// Without the spaces around it.
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
