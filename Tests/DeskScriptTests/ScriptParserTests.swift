import DeskJSON
import DeskMessages
import DeskModel
import DeskScript
import TestSupport
import Testing

/// A script with everything in it; the tests below change it.
let wholeScript = """
    # Everything that a script can say.
    seed=7
    customer=Aki locale=ja_JP intent=order group="shoes and more"
    customer=Bo

    Aki says Hello there
    Aki says "two\\nlines"
    Bo: Good morning
    Aki expects a text containing "your order" within 20 s
    Aki expects message matching "^Order [0-9]+$" at /interactiveData/data/version is "1.0"
    Aki expects at /v is 1 within 500 ms
    Aki picks blue, "red, dark"
    Aki fills
      colour = Blue | Dark red
      "page two" = "a = b"
    Aki pays
    Bo pays and gets STATUS_PIN_LOCKOUT
    Bo cancels the payment
    Aki signs in
    Aki signs in as Aki Tanaka
    Bo refuses to sign in
    Bo cancels the sign-in
    Aki attaches note.txt saying Thank you
    Aki reacts liked to "Good morning"
    Bo reacts 🎉
    Aki waits 1.5 hours
    bot: Welcome!
    [Delay=3000]
    Bo goes silent for 2 days
    Aki deletes the conversation
    Bo goes silent
    """

struct ScriptParserTests {
    private func read(_ text: String) throws -> CustomerScript {
        try CustomerScript(parsing: Array(text.utf8))
    }

    @Test func `a whole script is read as it is meant`() throws {
        let script = try read(wholeScript)
        #expect(script.seed == 7)
        #expect(
            script.customers == [
                ScriptedPerson(
                    name: "Aki", locale: "ja_JP", intent: "order", group: "shoes and more"),
                ScriptedPerson(name: "Bo"),
            ])
        let version = ExpectedMessage.Place(
            pointer: try #require(JSONPointer(parsing: "/interactiveData/data/version")),
            value: Array("\"1.0\"".utf8))
        let one = ExpectedMessage.Place(
            pointer: try #require(JSONPointer(parsing: "/v")), value: Array("1".utf8))
        let expected: [(Int, Int, ScriptStep.Action)] = [
            (6, 0, .says("Hello there")), (7, 0, .says("two\nlines")),
            (8, 1, .says("Good morning")),
            (
                9, 0,
                .expects(
                    ExpectedMessage(kind: .text, contained: "your order"), within: .seconds(20))
            ),
            (
                10, 0,
                .expects(
                    ExpectedMessage(pattern: "^Order [0-9]+$", place: version), within: nil
                )
            ),
            (11, 0, .expects(ExpectedMessage(place: one), within: .milliseconds(500))),
            (12, 0, .picks(["blue", "red, dark"])),
            (
                13, 0,
                .fills([
                    .init(page: "colour", values: ["Blue", "Dark red"]),
                    .init(page: "page two", values: ["a = b"]),
                ])
            ),
            (16, 0, .pays(status: nil)), (17, 1, .pays(status: "STATUS_PIN_LOCKOUT")),
            (18, 1, .cancelsPayment),
            (19, 0, .signsIn(.granted, name: "")), (20, 0, .signsIn(.granted, name: "Aki Tanaka")),
            (21, 1, .signsIn(.refused, name: "")), (22, 1, .signsIn(.canceled, name: "")),
            (23, 0, .attaches(name: "note.txt", text: "Thank you")),
            (24, 0, .reacts(.word(.liked), to: "Good morning")),
            (25, 1, .reacts(.emoji("🎉"), to: nil)), (26, 0, .waits(.seconds(5_400))),
            (
                27, 0,
                .expects(ExpectedMessage(kind: .text, text: "Welcome!"), within: nil)
            ),
            (28, 0, .waits(.seconds(3))), (29, 1, .goesSilent(.seconds(2 * 86_400))),
            (30, 0, .deletes), (31, 1, .goesSilent(nil)),
        ]
        #expect(script.steps.count == expected.count)
        for (step, (line, person, action)) in zip(script.steps, expected) {
            #expect(step == ScriptStep(line: line, person: person, action: action))
        }
    }

    @Test func `names need no list, and lines may end as on Windows`() throws {
        let script = try read("\r\nAki says Hello \r\n  \r\nBo says Hi\r\n")
        #expect(script.customers.map(\.name) == ["Aki", "Bo"])
        #expect(script.steps.map(\.line) == [2, 4])
        #expect(script.steps.first?.action == .says("Hello"))
    }

    @Test func `a mark of UTF-8 before a script is none of it`() throws {
        #expect(try read("\u{FEFF}Aki says Hello").steps == read("Aki says Hello").steps)
    }

    @Test func `a script that is indented as a whole means the same`() throws {
        let indented = wholeScript.split(separator: "\n", omittingEmptySubsequences: false)
            .map { "\t  " + $0 }.joined(separator: "\n")
        let meant = try read(wholeScript).steps.map(\.action)
        #expect(try read("\n" + indented).steps.map(\.action) == meant)
        let error = #expect(throws: ScriptError.self) {
            try read("  A says x\n  B sings\n   C says y")
        }
        #expect(error?.faults.map { [$0.line, $0.column] } == [[2, 5], [3, 4]])
    }

    struct Slip: Sendable {
        let script: String
        let line: Int
        let column: Int
        let found: String
        let fix: String
    }

    @Test(arguments: [
        Slip(script: "Aki sayz Hello", line: 1, column: 5, found: "\"sayz\"", fix: "Use one"),
        Slip(script: "\nAki", line: 2, column: 4, found: "the end of the line", fix: "says"),
        Slip(script: "Aki says   ", line: 1, column: 9, found: "no words", fix: "Say"),
        Slip(script: "Aki says \"Hi", line: 1, column: 10, found: "a quote", fix: "Close"),
        Slip(script: "Aki says \"a\\q\"", line: 1, column: 10, found: "\"a\\q\"", fix: "\\\\"),
        Slip(script: "Aki says \"Hi\" you", line: 1, column: 15, found: "\"you\"", fix: "Take"),
        Slip(
            script: "customer=Aki\nAky says Hi", line: 2, column: 1, found: "\"Aky\"",
            fix: "customer=Aky"),
        Slip(
            script: "customer=A\ncustomer=A\nA says Hi", line: 2, column: 10, found: "A a second",
            fix: "Take"),
        Slip(
            script: "customer=A colour=red\nA says x", line: 1, column: 12, found: "\"colour=red\"",
            fix: "locale="),
        Slip(script: "sead=7\nA says x", line: 1, column: 1, found: "the header sead=", fix: "one"),
        Slip(script: "seed=-1\nA says x", line: 1, column: 6, found: "\"-1\"", fix: "seed=1"),
        Slip(
            script: "seed=1\nseed=2\nA says x", line: 2, column: 6, found: "a second", fix: "once"),
        Slip(script: "A says x\nseed=1", line: 2, column: 1, found: "the header", fix: "top"),
        Slip(script: "A waits soon", line: 1, column: 9, found: "\"soon\"", fix: "5 minutes"),
        Slip(script: "A waits 1001 days", line: 1, column: 9, found: "1001", fix: "5 minutes"),
        Slip(script: "A goes away", line: 1, column: 8, found: "\"away\"", fix: "goes silent"),
        Slip(
            script: "A goes silent\nA says x", line: 2, column: 1, found: "a step of A, who went",
            fix: "for 1 hour"),
        Slip(script: "A picks blue,", line: 1, column: 14, found: "no item", fix: "Name"),
        Slip(script: "A pays late", line: 1, column: 8, found: "\"late\"", fix: "STATUS_"),
        Slip(script: "A fills", line: 1, column: 1, found: "\"fills\" without", fix: "Add"),
        Slip(script: "A fills\n  colour", line: 2, column: 3, found: "\"colour\"", fix: "= "),
        Slip(script: "A says x\n  b = c", line: 2, column: 3, found: "an indented", fix: "spaces"),
        Slip(script: "A reacts happily", line: 1, column: 10, found: "\"happily\"", fix: "one of"),
        Slip(script: "A expects gold", line: 1, column: 11, found: "\"gold\"", fix: "words"),
        Slip(
            script: "A expects text holding x", line: 1, column: 16, found: "\"holding\"",
            fix: "containing"),
        Slip(
            script: "A expects text matching \"(\"", line: 1, column: 25, found: "\"(\"",
            fix: "Correct"),
        Slip(
            script: "A expects text at v is 1", line: 1, column: 19, found: "\"v\"", fix: "slash"),
        Slip(
            script: "A expects text at /v is one", line: 1, column: 25, found: "one",
            fix: "double quotes"),
        Slip(
            script: "A expects text within 5 minutes", line: 1, column: 23, found: "\"5 minutes\"",
            fix: "20 s"),
        Slip(script: "A attaches a.png", line: 1, column: 12, found: "\"a.png\"", fix: "note.txt"),
        Slip(script: "A signs up", line: 1, column: 9, found: "\"up\"", fix: "signs in"),
        Slip(script: "A signs in by A", line: 1, column: 12, found: "\"by A\"", fix: "as Aki"),
        Slip(script: "[Typing]", line: 1, column: 1, found: "\"[Typing]\"", fix: "sentence"),
        Slip(script: "bot: Hi", line: 1, column: 1, found: "a turn", fix: "before"),
        Slip(script: "= 7", line: 1, column: 1, found: "\"= 7\"", fix: "Begin"),
        Slip(script: "# nothing\n\n", line: 1, column: 1, found: "no step", fix: "Aki says"),
    ])
    func `a slip is named with its place and its fixing`(slip: Slip) {
        let error = #expect(throws: ScriptError.self) { try read(slip.script) }
        let fault = error?.faults.first
        #expect(fault?.line == slip.line)
        #expect(fault?.column == slip.column)
        let sentence = fault?.description ?? ""
        let hasFound = fault?.found.contains(slip.found) ?? false
        let hasFix = fault?.fix.contains(slip.fix) ?? false
        #expect(hasFound && hasFix, "\(sentence)")
        #expect(fault?.allowed.isEmpty == false)
    }

    @Test func `all slips are reported at once, up to twenty`() {
        let two = #expect(throws: ScriptError.self) { try read("A sings\nA says x\nA dances") }
        #expect(two?.faults.map(\.line) == [1, 3])
        let many = Array(repeating: "A sings", count: 30).joined(separator: "\n")
        let error = #expect(throws: ScriptError.self) { try read(many) }
        #expect(error?.faults.count == ScriptError.maximumFaults)
    }

    @Test func `bytes that are no UTF-8 are found at their place`() {
        let bytes = Array("A says x\nA says \u{e9}".utf8) + [0xFF, 0x0A]
        let error = #expect(throws: ScriptError.self) { try CustomerScript(parsing: bytes) }
        #expect(error?.faults.map { [$0.line, $0.column] } == [[2, 9]])
    }

    @Test(arguments: [
        (String(repeating: "#", count: CustomerScript.maximumBytes), 0),
        (Array(repeating: "A says x", count: 1_001).joined(separator: "\n"), 1_000),
        ((0...100).map { "c\($0) says x" }.joined(separator: "\n"), 100),
        ("A says " + String(repeating: "x", count: 16 * 1_024 + 1), 0),
    ])
    func `what is too much is refused, and one less is not`(script: String, steps: Int) throws {
        #expect(throws: ScriptError.self) { try read(script + "\n#") }
        guard steps > 0 else { return }
        let lines = script.split(separator: "\n").dropLast().joined(separator: "\n")
        #expect(try read(lines).steps.count == steps)
    }

    @Test func `whatever is done to a script, it is read or refused`() {
        var random = SystemRandomNumberGenerator()
        let seed = random.next()
        var generator = SeededRandom(seed: seed)
        let original = Array(wholeScript.utf8)
        for round in 0..<500 {
            var bytes = original
            for _ in 0...Int.random(in: 0..<6, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(bytes[bytes.count / 2], at: place)
                default: bytes.removeSubrange(place...)
                }
                if bytes.isEmpty { break }
            }
            do throws(ScriptError) {
                let script = try CustomerScript(parsing: bytes)
                #expect(!script.steps.isEmpty, "seed \(seed), round \(round)")
            } catch {
                let places = error.faults.map { ($0.line, $0.column) }
                let areSound = places.allSatisfy { $0.0 >= 1 && $0.1 >= 1 }
                #expect(areSound, "seed \(seed), round \(round)")
            }
        }
    }

    @Test func `a script cut at any byte is read or refused`() {
        let bytes = Array(wholeScript.utf8)
        for end in 0...bytes.count {
            do throws(ScriptError) {
                _ = try CustomerScript(parsing: Array(bytes[..<end]))
            } catch {
                #expect(!error.faults.isEmpty)
            }
        }
    }
}
