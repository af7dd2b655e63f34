import DeskJSON
import DeskMessages
import Testing

struct EditsTests {
    // With its type, or the compiler tries every type for every number.
    private static let cases: [([[(Int, Int, String)]], String)] = [
        // One finding's edits, in any order.
        ([[(0, 1, "A"), (3, 3, "-")]], "Abc-d"),
        ([[(3, 4, ""), (0, 1, "")]], "bc"),
        // The earlier finding wins, and a finding is applied whole or not at all.
        ([[(1, 3, "X")], [(2, 4, "Y")]], "aXd"),
        ([[(1, 3, "X")], [(2, 4, "Y"), (0, 1, "Z")]], "aXd"),
        // Neighbours do not touch, two texts for one place do.
        ([[(1, 2, "X")], [(2, 3, "Y")]], "aXYd"),
        ([[(2, 2, "X")], [(2, 2, "Y")]], "abXcd"),
        ([[(2, 2, "X")], [(1, 2, "Y")]], "aYXcd"),
        // Edits of another text change nothing.
        ([[(3, 9, "X")], [(0, 1, "A")]], "Abcd"),
        ([], "abcd"),
    ]

    @Test(arguments: cases)
    func `edits are applied finding by finding`(
        _ findings: [[(Int, Int, String)]], _ result: String
    ) {
        let told = findings.map { edits in
            Finding(
                rule: .unknownKey, severity: .error, pointer: "", line: 1, column: 1, start: 0,
                end: 1, found: "", allowed: "", fix: "",
                edits: edits.map { Edit(start: $0.0, end: $0.1, replacement: $0.2) })
        }
        #expect(Edits.apply(told, to: Array("abcd".utf8)) == Array(result.utf8))
    }

    @Test func `a finding tells its edits in JSON`() throws {
        let finding = Finding(
            rule: .unknownKey, severity: .error, pointer: "", line: 1, column: 1, start: 0,
            end: 1, found: "a", allowed: "b", fix: "c",
            edits: [Edit(start: 4, end: 7, replacement: "\"v\"")])
        #expect(
            finding.json.text().hasSuffix(
                #""edits":[{"start":4,"end":7,"replacement":"\"v\""}]}"#))
    }
}
