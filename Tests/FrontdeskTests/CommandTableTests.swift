import DeskCommandLine
import DeskLint
import Testing

@testable import frontdesk

/// What is made from the table of commands beside the help pages, and what a check of a configuration reads.
struct CommandTableTests {
    @Test(arguments: Catalogue.all.map(\.name))
    func `every choice of a flag is named on the help page`(name: String) throws {
        let command = try #require(Catalogue.all.first { $0.name == name })
        let page = HelpPage.page(of: command)
        for flag in command.flags {
            // The names of limits are in a list of their own.
            for choice in flag.choices where !choice.hasSuffix("=") {
                #expect(page.contains(choice), "\(flag.name)")
            }
        }
    }

    @Test func `every choice of the flags of lint is accepted`() throws {
        for flag in Catalogue.lint.flags {
            for choice in flag.choices {
                _ = try LintSettings(Parsed(values: [flag.name: [choice]]))
            }
        }
    }

    @Test(arguments: [
        ("key list", true), ("verify", true), ("gateway", false), ("explain", false),
        ("version", false),
    ])
    func `a command that reads variables names a misspelt one`(name: String, isNear: Bool) throws {
        let command = try #require(Catalogue.all.first { $0.name == name })
        let found = StrayVariables.all(
            in: ["FRONTDESK_DTA": "x", "FRONTDESK_LISTEN": "x", "HOME": "x"], of: command)
        let readsAny = command.flags.contains(where: \.isConfiguration)
        #expect(found.count == (readsAny ? 1 : 0))
        #expect(found.contains { $0.hint == "did you mean FRONTDESK_DATA?" } == isNear)
    }

    @Test func `all that is wrong with a command line is named, each thing once`() {
        let parsed = Parsed(
            values: [
                "listen": ["nowhere"], "log-level": ["loud"], "limit": ["requets=1", "nothing"],
                "metrics-from": ["10.0.0.0/8", "monitor"],
            ])
        let errors = ServeConfiguration.errors(in: parsed)
        #expect(errors.count == 5)
        #expect(
            errors.contains {
                $0.message == "--metrics-from takes ADDRESS or ADDRESS/BITS, not \"monitor\""
            })
        #expect(errors.first?.message == "--listen takes HOST:PORT, not \"nowhere\"")
        #expect(ServeConfiguration.errors(in: Parsed()).isEmpty)
    }

    @Test(arguments: [
        ("127.0.0.1:80", "127.0.0.1:80", true), ("127.0.0.1:80", "127.0.0.1:81", false),
        ("0.0.0.0:80", "192.0.2.1:80", true), ("192.0.2.1:80", "[::]:80", true),
        ("192.0.2.1:80", "192.0.2.2:80", false), ("[::1]:80", "127.0.0.1:80", false),
    ])
    func `two addresses overlap where two servers could not listen`(
        one: String, other: String, isSo: Bool
    ) throws {
        let (one, other) = (try #require(Address(one)), try #require(Address(other)))
        #expect(one.overlaps(other) == isSo && other.overlaps(one) == isSo)
    }

    @Test func `the manual page escapes what roff would read`() {
        let command = CommandDescription(
            "odd", summary: "odd", about: ".begins with a dot\n'and a quote',\na-b \\ …")
        let page = ManualPage(
            of: [command], version: "1", variables: [], files: [], exits: [], others: []
        ).text.split(separator: "\n")
        #expect(page.contains("\\&.begins with a dot"))
        #expect(page.contains("\\(aqand a quote\\(aq,"))
        #expect(page.contains("a\\-b \\e \\[u2026]"))
    }
}
