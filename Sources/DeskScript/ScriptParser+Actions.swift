import DeskJSON
import DeskMessages
import DeskModel

/// Parses the sentence after a customer's name.
extension ScriptParser {
    /// The words that may begin the sentence.
    static let verbs =
        "says, picks, fills, pays, cancels, signs, refuses, attaches, reacts, deletes, waits, goes, "
        + "expects"

    func readAction(_ line: inout ScriptLine) throws(ScriptFault) -> ScriptStep.Action {
        let column = line.column
        let verb = line.takeWord()
        line.skipSpaces()
        let action: ScriptStep.Action
        switch verb {
        case "says": action = .says(try readText(&line))
        case "picks": action = .picks(try readItems(&line))
        case "fills": action = .fills([])
        case "pays": action = .pays(status: try readStatus(&line))
        case "cancels":
            let isSignIn = line.rest.utf8.elementsEqual("the sign-in".utf8)
            try require(["the payment", "the sign-in"], &line, after: verb)
            action = isSignIn ? .signsIn(.canceled, name: "") : .cancelsPayment
        case "signs": action = .signsIn(.granted, name: try readSignIn(&line))
        case "refuses":
            try require(["to sign in"], &line, after: verb)
            action = .signsIn(.refused, name: "")
        case "attaches": action = try readFile(&line)
        case "reacts": action = try readReaction(&line)
        case "deletes":
            if !line.isEmpty { try require(["the conversation"], &line, after: verb) }
            action = .deletes
        case "waits": action = .waits(try readSpan(&line))
        case "goes": action = try readSilence(&line)
        case "expects": action = try readExpectation(&line)
        default:
            throw line.fault(
                at: column, Quoted.text(verb), allowed: Self.verbs, "Use one of these words.")
        }
        try requireEnd(line)
        return action
    }

    func requireEnd(_ line: ScriptLine) throws(ScriptFault) {
        var line = line
        line.skipSpaces()
        guard line.isEmpty else {
            throw line.fault(
                at: line.column, Quoted.text(line.rest), allowed: "the end of the line",
                "Take it out, or put the whole text into double quotes.")
        }
    }

    /// The words of a message: the rest of the line, or a text in quotes.
    func readText(_ line: inout ScriptLine) throws(ScriptFault) -> String {
        let column = line.column
        let text = line.next == "\"" ? try line.takeQuoted() : line.takeRest()
        try requireEnd(line)
        guard !text.utf8.allSatisfy({ $0 <= 0x20 }) else {
            throw line.fault(at: column, "no words", allowed: "words", "Say something.")
        }
        guard text.utf8.count <= Self.maximumTextBytes else {
            throw line.fault(
                at: column, "\(text.utf8.count) bytes",
                allowed: "\(Self.maximumTextBytes) bytes", "Say it in several messages.")
        }
        return text
    }

    // MARK: Parts

    private func require(
        _ words: [String], _ line: inout ScriptLine, after verb: String
    ) throws(ScriptFault) {
        let column = line.column
        let rest = line.takeRest()
        guard words.contains(where: { $0.utf8.elementsEqual(rest.utf8) }) else {
            throw line.fault(
                at: column, rest.isEmpty ? "the end of the line" : Quoted.text(rest),
                allowed: "\(words.map(Quoted.text).joined(separator: " or ")) after \"\(verb)\"",
                "Write: \(verb) \(words[0])")
        }
    }

    private func readItems(_ line: inout ScriptLine) throws(ScriptFault) -> [String] {
        var items: [String] = []
        repeat {
            line.skipSpaces()
            let column = line.column
            let item = line.next == "\"" ? try line.takeQuoted() : line.takeText(upTo: [","])
            guard !item.isEmpty else {
                throw line.fault(
                    at: column, "no item", allowed: "an item's identifier or title",
                    "Name what is picked; several with commas between them.")
            }
            items.append(item)
            line.skipSpaces()
        } while line.take(",")
        return items
    }

    private func readStatus(_ line: inout ScriptLine) throws(ScriptFault) -> String? {
        guard !line.isEmpty else { return nil }
        let column = line.column
        let rest = line.takeRest()
        let words = rest.split(separator: " ")
        let isStatus = { (word: Substring) in
            word.hasPrefix("STATUS_")
                && word.utf8.allSatisfy { (0x41...0x5A).contains($0) || $0 == 0x5F }
        }
        guard words.count == 3, words[0] == "and", words[1] == "gets", isStatus(words[2]),
            words[2].utf8.count <= 64
        else {
            throw line.fault(
                at: column, Quoted.text(rest),
                allowed: "nothing, or \"and gets STATUS_…\" such as STATUS_PIN_LOCKOUT",
                "Write: pays, or: pays and gets STATUS_FAILURE")
        }
        return String(words[2])
    }

    private func readSignIn(_ line: inout ScriptLine) throws(ScriptFault) -> String {
        guard line.take(word: "in") else {
            throw line.fault(
                at: line.column, line.isEmpty ? "the end of the line" : Quoted.text(line.rest),
                allowed: "\"in\" after \"signs\"", "Write: signs in")
        }
        if line.isEmpty { return "" }
        guard line.take(word: "as") else {
            throw line.fault(
                at: line.column, Quoted.text(line.rest), allowed: "\"as\" and a name, or nothing",
                "Write for example: signs in as Aki Tanaka")
        }
        let column = line.column
        let name = try readText(&line)
        guard name.utf8.count <= SignIn.maximumNameBytes else {
            throw line.fault(
                at: column, "\(name.utf8.count) bytes",
                allowed: "\(SignIn.maximumNameBytes) bytes", "Give a shorter name.")
        }
        return name
    }

    private func readFile(_ line: inout ScriptLine) throws(ScriptFault) -> ScriptStep.Action {
        let column = line.column
        let name = line.next == "\"" ? try line.takeQuoted() : line.takeWord()
        line.skipSpaces()
        let isName =
            name.utf8.count <= 100 && name.hasSuffix(".txt") && name.utf8.count > 4
            && !name.utf8.contains { $0 < 0x20 || $0 == UInt8(ascii: "/") }
        guard isName else {
            throw line.fault(
                at: column, Quoted.text(name), allowed: "the name of a text file: note.txt",
                "Write for example: attaches note.txt saying Thank you")
        }
        guard line.take(word: "saying") else {
            throw line.fault(
                at: line.column, line.isEmpty ? "the end of the line" : Quoted.text(line.rest),
                allowed: "\"saying\" and what stands in the file",
                "Write for example: attaches note.txt saying Thank you")
        }
        return .attaches(name: name, text: try readText(&line))
    }

    private func readReaction(_ line: inout ScriptLine) throws(ScriptFault) -> ScriptStep.Action {
        let column = line.column
        let word = line.takeWord()
        line.skipSpaces()
        let reaction: ScriptStep.Reaction
        let known = ScriptStep.Reaction.words.first { $0.rawValue.utf8.elementsEqual(word.utf8) }
        if let known {
            reaction = .word(known)
        } else if word.count == 1, word.unicodeScalars.allSatisfy({ !$0.isASCII }) {
            reaction = .emoji(word)
        } else {
            let words = ScriptStep.Reaction.words.map(\.rawValue).joined(separator: ", ")
            throw line.fault(
                at: column, word.isEmpty ? "the end of the line" : Quoted.text(word),
                allowed: "\(words), or one emoji", "Use one of these.")
        }
        guard !line.isEmpty else { return .reacts(reaction, to: nil) }
        guard line.take(word: "to") else {
            throw line.fault(
                at: line.column, Quoted.text(line.rest), allowed: "\"to\" and words, or nothing",
                "Write for example: reacts liked to \"Good morning\"")
        }
        return .reacts(reaction, to: try readText(&line))
    }

    private func readSilence(_ line: inout ScriptLine) throws(ScriptFault) -> ScriptStep.Action {
        guard line.take(word: "silent") else {
            throw line.fault(
                at: line.column, line.isEmpty ? "the end of the line" : Quoted.text(line.rest),
                allowed: "\"silent\" after \"goes\"", "Write: goes silent")
        }
        if line.isEmpty { return .goesSilent(nil) }
        guard line.take(word: "for") else {
            throw line.fault(
                at: line.column, Quoted.text(line.rest), allowed: "\"for\" and a time, or nothing",
                "Write for example: goes silent for 2 hours")
        }
        return .goesSilent(try readSpan(&line))
    }

    private func readSpan(_ line: inout ScriptLine) throws(ScriptFault) -> Duration {
        let column = line.column
        let text = line.takeRest()
        guard let span = TimeSpan.read(text) else {
            throw line.fault(
                at: column, text.isEmpty ? "the end of the line" : Quoted.text(text),
                allowed: TimeSpan.rule, "Write for example: waits 5 minutes")
        }
        return span
    }

    // MARK: What is expected

    private static let clauses = ["saying", "containing", "matching", "at", "within"]

    private func readExpectation(
        _ line: inout ScriptLine
    ) throws(ScriptFault) -> ScriptStep.Action {
        var expectation = ExpectedMessage()
        var within: Duration?
        var seen: Set<String> = []
        _ = line.take(word: "a") || line.take(word: "an")
        if let kind = try readKind(&line) { expectation.kind = kind }
        while !line.isEmpty {
            let column = line.column
            let clause = line.takeWord()
            line.skipSpaces()
            guard Self.clauses.contains(clause), seen.insert(clause).inserted else {
                throw line.fault(
                    at: column, Quoted.text(clause),
                    allowed: "each of \(Self.clauses.joined(separator: ", ")) once",
                    "Write for example: expects text containing \"your order\" within 20 s")
            }
            switch clause {
            case "saying": expectation.text = try readValue(&line, of: clause)
            case "containing": expectation.contained = try readValue(&line, of: clause)
            case "matching": expectation.pattern = try readPattern(&line)
            case "at": expectation.place = try readPlace(&line)
            default: within = try readPatience(&line)
            }
            line.skipSpaces()
        }
        return .expects(expectation, within: within)
    }

    private func readKind(_ line: inout ScriptLine) throws(ScriptFault) -> MessageKind? {
        let column = line.column
        guard !line.isEmpty, !Self.clauses.contains(where: { starts(line, $0) }) else { return nil }
        let word = line.takeWord()
        line.skipSpaces()
        if word == "message" { return nil }
        guard let kind = MessageKind(rawValue: word) else {
            let kinds = MessageKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw line.fault(
                at: column, Quoted.text(word), allowed: "message, \(kinds)",
                "Use one of these words.")
        }
        return kind
    }

    private func starts(_ line: ScriptLine, _ word: String) -> Bool {
        var line = line
        return line.take(word: word)
    }

    /// A text in quotes, or one word.
    private func readValue(
        _ line: inout ScriptLine, of clause: String
    ) throws(ScriptFault) -> String {
        let column = line.column
        let value = line.next == "\"" ? try line.takeQuoted() : line.takeWord()
        guard !value.isEmpty else {
            throw line.fault(
                at: column, "no text", allowed: "a word, or words in double quotes",
                "Write for example: \(clause) \"your order\"")
        }
        return value
    }

    private func readPattern(_ line: inout ScriptLine) throws(ScriptFault) -> String {
        let column = line.column
        let pattern = try readValue(&line, of: "matching")
        guard ExpectedMessage.isPattern(pattern) else {
            throw line.fault(
                at: column, Quoted.text(pattern),
                allowed: "a pattern of ECMA-262 of at most 400 bytes, without look-around",
                "Correct the pattern; a backslash in quotes is written twice.")
        }
        return pattern
    }

    private func readPlace(_ line: inout ScriptLine) throws(ScriptFault) -> ExpectedMessage.Place {
        let column = line.column
        let text = line.next == "\"" ? try line.takeQuoted() : line.takeWord()
        line.skipSpaces()
        guard let pointer = JSONPointer(parsing: text) else {
            throw line.fault(
                at: column, text.isEmpty ? "the end of the line" : Quoted.text(text),
                allowed: "a JSON pointer: /interactiveData/data/version",
                "Begin it with a slash.")
        }
        guard line.take(word: "is") else {
            return ExpectedMessage.Place(pointer: pointer, value: nil)
        }
        return ExpectedMessage.Place(
            pointer: pointer, value: try line.takeJSON(before: Self.clauses))
    }

    private func readPatience(_ line: inout ScriptLine) throws(ScriptFault) -> Duration {
        let column = line.column
        let first = line.takeWord()
        line.skipSpaces()
        var text = first
        if TimeSpan.read(first) == nil {
            text += " " + line.takeWord()
            line.skipSpaces()
        }
        guard let span = TimeSpan.read(text), span <= ScriptStep.longestPatience else {
            throw line.fault(
                at: column, Quoted.text(text),
                allowed: "up to \(TimeSpan.text(ScriptStep.longestPatience)) of real time",
                "Write for example: within 20 s")
        }
        return span
    }
}
