import DeskBytes
import DeskJSON

/// Reads a condition from left to right: `or` binds less than `and`, `and` less than `not`.
struct SCIMFilterParser {
    private let bytes: [UInt8]
    private var at = 0
    private var nesting = 0
    /// The attribute in whose brackets the text is.
    private var outer: String?
    /// How many comparisons were read.
    private(set) var comparisons = 0

    init(_ bytes: [UInt8], within outer: String? = nil) throws(SCIMFault) {
        guard bytes.count <= SCIMFilter.maximumBytes else {
            throw SCIMFault(
                .invalidFilter,
                "The filter: found \(bytes.count) bytes; allowed: \(SCIMFilter.maximumBytes) at most. Ask for less at once."
            )
        }
        self.bytes = bytes
        self.outer = outer
    }

    /// The text as one condition.
    mutating func whole() throws(SCIMFault) -> SCIMFilter.Term {
        let term = try alternatives()
        guard at == bytes.count else { throw fault("and, or, or the end of the filter") }
        return term
    }

    private mutating func alternatives() throws(SCIMFault) -> SCIMFilter.Term {
        var terms = [try conjunction()]
        while takeWord("or") { terms.append(try conjunction()) }
        return terms.count == 1 ? terms[0] : .any(terms)
    }

    private mutating func conjunction() throws(SCIMFault) -> SCIMFilter.Term {
        var terms = [try factor()]
        while takeWord("and") { terms.append(try factor()) }
        return terms.count == 1 ? terms[0] : .all(terms)
    }

    private mutating func factor() throws(SCIMFault) -> SCIMFilter.Term {
        skipSpaces()
        let start = at
        let isNegated = takeWord("not")
        if take(0x28) {
            try enter()
            let term = try alternatives()
            guard take(0x29) else { throw fault("and, or, or a closing parenthesis") }
            nesting -= 1
            return isNegated ? .not(term) : term
        }
        // An attribute may have the name of the word.
        at = start
        return try expression()
    }

    private mutating func expression() throws(SCIMFault) -> SCIMFilter.Term {
        let start = at
        while at < bytes.count, SCIMName.isPart(bytes[at]) { at += 1 }
        let text = String(decoding: bytes[start..<at], as: UTF8.self)
        guard let name = SCIMName(text), !name.attribute.isEmpty else {
            at = start
            throw fault("the name of an attribute, or an opening parenthesis")
        }
        if outer == nil, take(0x5B) { return .within(name, try brackets(of: name)) }
        comparisons += 1
        guard comparisons <= SCIMFilter.maximumComparisons else {
            throw fault("\(SCIMFilter.maximumComparisons) comparisons at most")
        }
        if takeWord("pr") { return .present(name) }
        skipSpaces()
        let place = at
        guard let comparison = SCIMComparison.Operator(rawValue: word().lowercased()) else {
            at = place
            throw fault("one of eq, ne, co, sw, ew, pr, gt, ge, lt and le")
        }
        return .compare(
            SCIMComparison(name, comparison, try literal(for: comparison), within: outer))
    }

    /// The condition that follows an opening bracket.
    ///
    /// Microsoft Entra asks for a part of the element behind the brackets, `emails[type eq "work"].value eq "ada"`,
    /// which RFC 7644 has in paths alone: both hold for one element.
    private mutating func brackets(of name: SCIMName) throws(SCIMFault) -> SCIMFilter.Term {
        try enter()
        outer = name.schema == nil ? name.attribute : ""
        var term = try alternatives()
        guard take(0x5D) else { throw fault("and, or, or a closing bracket") }
        if at < bytes.count, bytes[at] == 0x2E, bytes[at - 1] == 0x5D {
            at += 1
            term = .all([term, try expression()])
        }
        outer = nil
        nesting -= 1
        return term
    }

    private mutating func literal(
        for comparison: SCIMComparison.Operator
    ) throws(SCIMFault) -> SCIMComparison.Literal {
        skipSpaces()
        let start = at
        // Safe: the sentence of the fault says what a value may be.
        guard let value = try? JSONDocument(parsing: valueText()).root else {
            at = start
            throw fault("a value: a text in double quotes, a number, true, false or null")
        }
        if let text = value.string { return .text(text) }
        guard !comparison.isOfText else {
            at = start
            throw fault("a text in double quotes after \(comparison.rawValue)")
        }
        if let number = value.double { return .number(number) }
        guard !comparison.isOfOrder, !value.isContainer, value.kind != .number else {
            at = start
            throw fault("a text or a number after \(comparison.rawValue)")
        }
        return value.bool.map { .bool($0) } ?? .null
    }

    /// The bytes of a value: up to the quote that ends a text, or else to what follows a word.
    private mutating func valueText() -> [UInt8] {
        let start = at
        if at < bytes.count, bytes[at] == 0x22 {
            at = Self.endOfText(in: bytes, from: at)
        } else {
            while at < bytes.count, ![0x20, 0x29, 0x5D].contains(bytes[at]) { at += 1 }
        }
        return Array(bytes[start..<at])
    }

    /// The place after the quote that ends the text which begins there; the end when none does.
    static func endOfText(in bytes: [UInt8], from start: Int) -> Int {
        var place = start + 1
        while place < bytes.count, bytes[place] != 0x22 {
            place += bytes[place] == 0x5C ? 2 : 1
        }
        return min(place + 1, bytes.count)
    }

    private mutating func enter() throws(SCIMFault) {
        nesting += 1
        guard nesting <= SCIMFilter.maximumNesting else {
            throw fault("\(SCIMFilter.maximumNesting) levels of parentheses and brackets at most")
        }
    }

    private mutating func skipSpaces() {
        while at < bytes.count, bytes[at] == 0x20 { at += 1 }
    }

    private mutating func word() -> String {
        let start = at
        while at < bytes.count, ASCII.isLetter(bytes[at]) { at += 1 }
        return String(decoding: bytes[start..<at], as: UTF8.self)
    }

    /// Reads a sign if it is the next one, spaces before and after it aside.
    private mutating func take(_ byte: UInt8) -> Bool {
        skipSpaces()
        guard at < bytes.count, bytes[at] == byte else { return false }
        at += 1
        skipSpaces()
        return true
    }

    /// Reads a word in any case if it is the next one and ends there; otherwise nothing is read.
    private mutating func takeWord(_ expected: String) -> Bool {
        skipSpaces()
        let start = at
        guard SCIMNames.areEqual(word(), expected), at == bytes.count || !SCIMName.isPart(bytes[at])
        else {
            at = start
            return false
        }
        skipSpaces()
        return true
    }

    private func fault(_ allowed: String) -> SCIMFault {
        let rest = bytes[min(at, bytes.count)...].prefix(80)
        let found =
            rest.isEmpty
            ? "the end" : SCIMFault.quoted(String(decoding: rest, as: UTF8.self))
        return SCIMFault(
            .invalidFilter,
            "The filter, from byte \(at + 1): found \(found); allowed: \(allowed). Correct the filter."
        )
    }
}
