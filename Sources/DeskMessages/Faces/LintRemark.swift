import DeskJSON

/// One thing a judgement says, in the form that all of lint's faces share.
///
/// A text that is no JSON gives one remark, under the rule `malformed-json`.
public struct LintRemark: Hashable, Sendable {
    /// The rule of a text that is no JSON; it is asked before all others.
    public static let malformedJSON = "malformed-json"
    /// What that rule says, in a few words.
    public static let malformedTitle = "not JSON"

    /// The rule's id.
    public let rule: String
    /// What follows for the message.
    public let severity: Severity
    /// Where, as a JSON Pointer; empty for the whole text.
    public let pointer: String
    /// The place in the text.
    public let place: TextPlace
    /// What was found and what is allowed, as one sentence.
    public let sentence: String
    /// What to do about it; empty when nothing can be said.
    public let fix: String

    /// A finding in a text.
    init(_ finding: Finding, in text: [UInt8]) {
        rule = finding.rule.id
        severity = finding.severity
        pointer = finding.pointer
        place = TextPlace(
            line: finding.line, column: finding.column, range: finding.start..<finding.end,
            in: text)
        sentence = finding.sentence
        fix = finding.fix
    }

    /// The fault of a text that is no JSON.
    init(_ fault: JSONError, in text: [UInt8]) {
        rule = Self.malformedJSON
        severity = .error
        pointer = ""
        place = TextPlace(
            line: fault.line, column: fault.column,
            range: fault.offset..<min(fault.offset + 1, max(text.count, fault.offset)), in: text)
        sentence = fault.sentence
        fix = ""
    }
}

extension Judgement {
    /// All that is said about a text, in the order of the text.
    public func remarks(in text: [UInt8]) -> [LintRemark] {
        if let fault { return [LintRemark(fault, in: text)] }
        return findings.map { LintRemark($0, in: text) }
    }
}

/// A range of a text as editors count it: lines and columns from 1, columns in Unicode scalars.
public struct TextPlace: Hashable, Sendable {
    /// The first line.
    public let line: Int
    /// The first column.
    public let column: Int
    /// The line that the range ends in.
    public let endLine: Int
    /// The column after the last one.
    public let endColumn: Int
    /// The bytes.
    public let range: Range<Int>

    /// A range whose begin is counted already.
    init(line: Int, column: Int, range: Range<Int>, in text: [UInt8]) {
        self.line = line
        self.column = column
        let end = min(max(range.upperBound, range.lowerBound), text.count)
        self.range = min(range.lowerBound, end)..<end
        var (endLine, endColumn) = (line, column)
        for index in self.range {
            let byte = text[index]
            let isHalfEnd = byte == 0x0D && index + 1 < text.count && text[index + 1] == 0x0A
            if byte == 0x0A || byte == 0x0D && !isHalfEnd {
                (endLine, endColumn) = (endLine + 1, 1)
            } else if byte & 0xC0 != 0x80 {
                endColumn += 1
            }
        }
        self.endLine = endLine
        self.endColumn = endColumn
    }

    /// A range of a text.
    init(_ range: Range<Int>, in text: [UInt8]) {
        let position = JSONPosition(offset: range.lowerBound, in: text)
        self.init(line: position.line, column: position.column, range: range, in: text)
    }
}
