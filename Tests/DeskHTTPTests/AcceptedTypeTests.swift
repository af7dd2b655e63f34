import DeskHTTP
import Testing

struct AcceptedTypeTests {
    @Test(arguments: [
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true),
        ("application/json, TEXT/HTML;level=1", true), ("text/html;q=0.1", true),
        ("text/html;q=0", false), ("text/html ; q=0.000", false), ("*/*", false),
        ("text/*", false), ("application/json", false), ("", false), (",;,", false),
    ])
    func `a type is accepted by name where the list has it and does not forbid it`(
        accept: String, isNamed: Bool
    ) {
        #expect(AcceptedType.isNamed("text/html", by: ["Accept": accept]) == isNamed)
    }

    @Test func `without a list no type is accepted by name`() {
        #expect(!AcceptedType.isNamed("text/html", by: [:]))
    }
}
