import DeskModel

/// Parses a script line by line, and continues after an error so that all are reported at once.
struct ScriptParser {
    /// Longest text of a message in bytes of UTF-8, the same as for a phone's.
    static let maximumTextBytes = 16 * 1_024
    /// Longest name of a customer.
    static let maximumNameBytes = 32

    var script = CustomerScript()
    private var faults: [ScriptFault] = []
    /// Whether the script lists its customers; then an unlisted name is an error.
    private var areListed = false
    /// The customer names of `bot:` lines and of `user:` lines.
    private var business = "bot"
    private var user: String?
    /// The customers who have left, with the line where they did.
    private var silent: [Int: Int] = [:]
    /// The indentation of the first line, and of all lines that are no answers.
    private var margin: Int?

    /// Parses the whole text.
    mutating func read(_ text: String) throws(ScriptError) {
        for (place, line) in Self.lines(of: text).enumerated() {
            guard faults.count < ScriptError.maximumFaults else { break }
            do throws(ScriptFault) {
                try read(line: ScriptLine(line, number: place + 1))
            } catch {
                faults.append(error)
            }
        }
        checkForms()
        if script.steps.isEmpty, faults.isEmpty {
            faults.append(
                ScriptFault(
                    line: 1, column: 1, found: "no step", allowed: "at least one",
                    fix: "Write one, such as: Aki says Hello"))
        }
        guard faults.isEmpty else { throw ScriptError(faults) }
    }

    private mutating func read(line: ScriptLine) throws(ScriptFault) {
        var line = line
        line.skipSpaces()
        if line.isEmpty || line.next == "#" { return }
        // A script embedded in a program's source is indented as a whole.
        let margin = margin ?? line.place
        self.margin = margin
        let isIndented = line.place > margin
        guard script.steps.count < CustomerScript.maximumSteps else {
            throw line.fault(
                at: line.start, "one step more", allowed: "\(CustomerScript.maximumSteps) steps",
                "Make two scripts of it.")
        }
        if isIndented { return try readAnswer(&line) }
        if line.next == "[" { return try readCommand(&line) }
        let name = line.takeName()
        switch line.next {
        case "=" where !name.isEmpty: try readHeader(name, &line)
        case ":" where !name.isEmpty: try readTurn(name, &line)
        case " " where !name.isEmpty, "\t" where !name.isEmpty:
            let person = try person(name, line)
            line.skipSpaces()
            try add(try readAction(&line), of: person, line)
        case nil where !name.isEmpty:
            throw line.fault(
                at: line.column, "the end of the line", allowed: "what \(name) does",
                "Go on with one of \(Self.verbs).")
        default:
            throw line.fault(
                at: line.column, Quoted.text(line.rest),
                allowed: "a customer's name, a header such as seed=7, or # and a remark",
                "Begin the line with a name of letters, digits, - and _.")
        }
    }

    // MARK: Who

    private mutating func person(_ name: String, _ line: ScriptLine) throws(ScriptFault) -> Int {
        if let known = find(name) { return known }
        let names = script.customers.map(\.name).joined(separator: ", ")
        guard !areListed else {
            throw line.fault(
                at: line.start, "\"\(name)\"", allowed: "a listed customer: \(names)",
                "Correct the name, or add the line customer=\(name).")
        }
        return try add(ScriptedPerson(name: name), line, at: line.start)
    }

    private func find(_ name: String) -> Int? {
        script.customers.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
    }

    private mutating func add(
        _ person: ScriptedPerson, _ line: ScriptLine, at column: Int
    ) throws(ScriptFault) -> Int {
        guard (1...Self.maximumNameBytes).contains(person.name.utf8.count) else {
            throw line.fault(
                at: column, person.name.isEmpty ? "no name" : "a long name",
                allowed: "1 to \(Self.maximumNameBytes) letters, digits, - and _",
                "Give a short name.")
        }
        guard script.customers.count < CustomerScript.maximumCustomers else {
            throw line.fault(
                at: column, "one customer more",
                allowed: "\(CustomerScript.maximumCustomers) customers", "Make two scripts of it.")
        }
        script.customers.append(person)
        return script.customers.count - 1
    }

    private mutating func add(
        _ action: ScriptStep.Action, of person: Int, _ line: ScriptLine
    ) throws(ScriptFault) {
        if let last = silent[person] {
            let name = script.customers[person].name
            throw line.fault(
                at: line.start, "a step of \(name), who went silent in line \(last)",
                allowed: "nothing more of \(name)",
                "Say for how long in line \(last), such as: \(name) goes silent for 1 hour")
        }
        if case .goesSilent(nil) = action { silent[person] = line.number }
        script.steps.append(ScriptStep(line: line.number, person: person, action: action))
    }

    // MARK: Lines that are no sentences

    private static let headers = "seed, customer, user, bot"

    private mutating func readHeader(
        _ name: String, _ line: inout ScriptLine
    ) throws(ScriptFault) {
        guard script.steps.isEmpty else {
            throw line.fault(
                at: line.start, "the header \(name)=", allowed: "headers before the first step",
                "Move the line to the top.")
        }
        _ = line.take("=")
        let column = line.column
        switch name {
        case "seed":
            let text = line.takeRest()
            guard let seed = UInt64(text), !script.hasOwnSeed else {
                throw line.fault(
                    at: column, script.hasOwnSeed ? "a second seed" : Quoted.text(text),
                    allowed: "one whole number from 0 on", "Write seed=1, once.")
            }
            script.seed = seed
            script.hasOwnSeed = true
        case "customer", "user": try readCustomer(&line, isUser: name == "user")
        case "bot": business = line.takeName()
        default:
            throw line.fault(
                at: line.start, "the header \(name)=", allowed: Self.headers, "Use one of these.")
        }
        guard line.isEmpty else {
            throw line.fault(
                at: line.column, Quoted.text(line.rest), allowed: "the end of the line",
                "Take it out.")
        }
    }

    private mutating func readCustomer(
        _ line: inout ScriptLine, isUser: Bool
    ) throws(ScriptFault) {
        let begin = line.column
        var person = ScriptedPerson(name: line.takeName())
        line.skipSpaces()
        while !line.isEmpty {
            let column = line.column
            let key = line.takeName()
            guard ["locale", "intent", "group"].contains(key), line.take("=") else {
                throw line.fault(
                    at: column, Quoted.text(key + line.rest),
                    allowed: "locale=, intent= and group=",
                    "Write for example: customer=Aki locale=ja_JP intent=order")
            }
            let value = line.next == "\"" ? try line.takeQuoted() : line.takeWord()
            guard (1...256).contains(value.utf8.count) else {
                throw line.fault(
                    at: column, "\(key)= with \(value.utf8.count) bytes",
                    allowed: "1 to 256 bytes", "Give it a value.")
            }
            switch key {
            case "locale": person.locale = value
            case "intent": person.intent = value
            default: person.group = value
            }
            line.skipSpaces()
        }
        guard find(person.name) == nil else {
            throw line.fault(
                at: begin, "\(person.name) a second time", allowed: "each customer once",
                "Take the line out.")
        }
        _ = try add(person, line, at: begin)
        areListed = true
        if isUser { user = person.name }
    }

    /// A turn as Chatdown writes it: `user: words`, `bot: words`.
    private mutating func readTurn(
        _ name: String, _ line: inout ScriptLine
    ) throws(ScriptFault) {
        _ = line.take(":")
        line.skipSpaces()
        let text = try readText(&line)
        if name == "bot" || name.utf8.elementsEqual(business.utf8) {
            guard let last = script.steps.last else {
                throw line.fault(
                    at: line.start, "a turn of the business's", allowed: "a customer's turn first",
                    "Let a customer write before.")
            }
            let expectation = ExpectedMessage(kind: .text, text: text)
            return try add(.expects(expectation, within: nil), of: last.person, line)
        }
        let person = try person(name == "user" ? user ?? name : name, line)
        try add(.says(text), of: person, line)
    }

    /// A command as Chatdown writes it: `[Delay=3000]`.
    private mutating func readCommand(_ line: inout ScriptLine) throws(ScriptFault) {
        let text = line.takeRest()
        let lower = text.lowercased()
        let digits = lower.dropFirst("[delay=".count).dropLast()
        guard lower.hasPrefix("[delay="), lower.hasSuffix("]"),
            let wait = TimeSpan.read(digits + " ms")
        else {
            throw line.fault(
                at: line.start, Quoted.text(text), allowed: "[Delay=3000], in milliseconds",
                "Write other things as a sentence, such as: Aki waits 3 seconds")
        }
        guard let last = script.steps.last else {
            throw line.fault(
                at: line.start, "a delay before the first step", allowed: "a step first",
                "Let a customer write before.")
        }
        try add(.waits(wait), of: last.person, line)
    }

    /// An indented line: the answer to one page of the form above.
    private mutating func readAnswer(_ line: inout ScriptLine) throws(ScriptFault) {
        let begin = line.column
        guard let last = script.steps.last, case .fills(let before) = last.action else {
            throw line.fault(
                at: begin, "an indented line", allowed: "one below \"fills\"",
                "Take the spaces at its beginning out.")
        }
        let page =
            line.next == "\"" ? try line.takeQuoted() : line.takeText(upTo: ["="])
        line.skipSpaces()
        guard !page.isEmpty, line.take("=") else {
            throw line.fault(
                at: begin, Quoted.text(page + line.rest), allowed: "PAGE = ANSWER",
                "Write the page's identifier, = and the answer, or answers with | between them.")
        }
        line.skipSpaces()
        var values: [String] = []
        repeat {
            line.skipSpaces()
            values.append(
                line.next == "\"" ? try line.takeQuoted() : line.takeText(upTo: ["|"]))
            line.skipSpaces()
        } while line.take("|")
        try requireEnd(line)
        script.steps[script.steps.count - 1] = ScriptStep(
            line: last.line, person: last.person,
            action: .fills(before + [ScriptStep.PageAnswer(page: page, values: values)]))
    }

    private mutating func checkForms() {
        for step in script.steps {
            guard case .fills(let answers) = step.action, answers.isEmpty else { continue }
            faults.append(
                ScriptFault(
                    line: step.line, column: 1, found: "\"fills\" without answers",
                    allowed: "indented lines PAGE = ANSWER below it", fix: "Add them."))
        }
    }

    static func lines(of text: String) -> [Substring.UnicodeScalarView] {
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.last == "\r" ? line.dropLast() : line
        }
    }
}

extension CustomerScript {
    /// Parses a script.
    ///
    /// Limit: `maximumBytes` of UTF-8, `maximumSteps`, `maximumCustomers`.
    /// - Throws: all errors in it, up to `ScriptError.maximumFaults`.
    public init(parsing bytes: [UInt8]) throws(ScriptError) {
        guard bytes.count <= Self.maximumBytes else {
            throw ScriptError([
                ScriptFault(
                    line: 1, column: 1, found: "\(bytes.count) bytes",
                    allowed: "\(Self.maximumBytes) bytes", fix: "Make two scripts of it.")
            ])
        }
        // The mark with which some programs begin a file of UTF-8.
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let bytes = bytes.starts(with: mark) ? Array(bytes.dropFirst(3)) : bytes
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let good = String(decoding: bytes, as: UTF8.self).unicodeScalars
                .prefix { $0 != "\u{FFFD}" }
            let line = good.count { $0 == "\n" } + 1
            let column = good.reversed().prefix { $0 != "\n" }.count + 1
            throw ScriptError([
                ScriptFault(
                    line: line, column: column, found: "a byte that is no UTF-8",
                    allowed: "UTF-8", fix: "Save the file as UTF-8.")
            ])
        }
        var parser = ScriptParser()
        try parser.read(text)
        self = parser.script
    }
}
