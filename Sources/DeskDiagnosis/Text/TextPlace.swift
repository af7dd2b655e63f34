package import DeskJSON

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

    /// A range of a text whose lines are counted; what is beyond the text's end is left out.
    package init(_ range: Range<Int>, in lines: inout LineIndex) {
        let start = lines.position(of: range.lowerBound)
        let end = lines.position(of: range.upperBound)
        line = start.line
        column = start.column
        endLine = end.line
        endColumn = end.column
        self.range = start.offset..<end.offset
    }

    /// The only range of a text that is asked for.
    package init(_ range: Range<Int>, in text: [UInt8]) {
        var lines = LineIndex(text)
        self.init(range, in: &lines)
    }
}
