import DeskCommandLine
import FoundationEssentials
import Testing

@testable import frontdesk

/// docs/configuration.md against the catalogue of commands, both ways.
struct ConfigurationPageTests {
    private static let page: String = {
        var url = URL(filePath: #filePath)
        for _ in 0..<3 { url.deleteLastPathComponent() }
        let data = try? Data(contentsOf: url.appending(path: "docs/configuration.md"))
        return data.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }()

    /// The chapters by their heading.
    private static let chapters = page.split(separator: "\n## ").dropFirst()

    /// The rows of a command: flag, variable and default.
    private static func rows(of command: CommandDescription) -> [[String]] {
        let chapter = chapters.first { $0.hasPrefix("frontdesk \(command.name)\n") }
        return (chapter ?? "").split(separator: "\n").filter { $0.hasPrefix("| `--") }.map { row in
            // A bar within a cell is written with a backslash.
            row.replacing("\\|", with: "\u{1}").split(separator: "|").prefix(3).map { cell in
                cell.replacing("\u{1}", with: "|").replacing("`", with: "")
                    .split(separator: " ").joined(separator: " ")
            }
        }
    }

    @Test(arguments: Catalogue.all.map(\.name))
    func `a command's flags and variables are on the page`(name: String) throws {
        let command = try #require(Catalogue.all.first { $0.name == name })
        let flags = command.flags.map { [$0.usage, $0.isConfiguration ? $0.variable : ""] }
        let rows = Self.rows(of: command)
        #expect(rows.map { Array($0.prefix(2)) } == flags)
        for (row, flag) in zip(rows, command.flags) {
            // The help page says a default in brackets; the page says the same one.
            guard let found = flag.summary.firstMatch(of: /\(default: (.*)\)/) else { continue }
            #expect(row[2] == found.output.1)
        }
    }

    @Test func `every command of the page exists`() {
        let named = Self.chapters.filter { $0.hasPrefix("frontdesk ") }.map { chapter in
            String(chapter.prefix { $0 != "\n" }.dropFirst("frontdesk ".count))
        }
        #expect(named == Catalogue.all.map(\.name))
    }

    @Test func `the defaults of the page are the program's`() throws {
        let command = Catalogue.serve
        let configuration = try ServeConfiguration(Parsed())
        let rows = Self.rows(of: command)
        let stated = Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[2]) })
        #expect(
            stated["--listen HOST:PORT"]
                == "\(configuration.listen.host):\(configuration.listen.port)")
        #expect(stated["--data DIR"] == configuration.data)
        #expect(stated["--name NAME"] == configuration.businessName)
        #expect(stated["--log-level LEVEL"] == configuration.logLevel)
    }
}
