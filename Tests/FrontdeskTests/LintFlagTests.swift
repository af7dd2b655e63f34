import DeskCommandLine
import DeskLint
import DeskModel
import Testing

@testable import frontdesk

struct LintFlagTests {
    @Test(arguments: [
        ("--capabilities LIST,VIDEO", "there are QUICK, LIST, TIME, AUTH, AUTH2, FORM"),
        ("--capabilities LST", "did you mean LIST?"), ("--profile stric", "did you mean strict?"),
        ("--direction up", "it accepts inbound, outbound, auto"),
        ("--now noon", "write it like this: 2026-06-01T00:00:00Z"),
        ("--warnings fatal", "it accepts allow, error"),
    ])
    func `a flag that makes no sense is refused with a hint`(words: String, hint: String) throws {
        let arguments = words.split(separator: " ").map(String.init)
        let parsed = try ArgumentParser(command: Catalogue.lint).parse(arguments, environment: [:])
        let error = #expect(throws: UsageError.self) { try LintSettings(parsed) }
        #expect(error?.hint == hint)
    }

    @Test func `the mode's earlier name is still read from a flag`() throws {
        let words = ["--" + Mode.earlierName, "test"]
        let parsed = try ArgumentParser(command: Catalogue.lint).parse(words, environment: [:])
        #expect(try LintSettings(parsed).mode == .test)
    }
}
