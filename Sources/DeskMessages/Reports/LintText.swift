import DeskDiagnosis

/// Findings as a compiler prints them: place, sentence, the line with a caret, the fix.
public enum LintText {
    /// Longest piece of a source line that is shown, in Unicode scalars.
    static let shownScalars = 100

    /// A judgement whole, one remark after another; empty when there is nothing to say.
    public static func render(_ judgement: Judgement, in text: [UInt8], file: String) -> String {
        judgement.remarks(in: text).map { render($0, in: text, file: file) }.joined()
    }

    /// One remark.
    public static func render(_ remark: LintRemark, in text: [UInt8], file: String) -> String {
        let place = remark.place
        var lines =
            "\(Terminal.safe(file)):\(place.line):\(place.column): \(remark.severity.rawValue): "
            + "\(Terminal.safe(remark.sentence)) [\(remark.rule)]\n"
        lines += excerpt(of: text, at: place.range)
        if !remark.pointer.isEmpty { lines += "    at \(Terminal.safe(remark.pointer))\n" }
        if !remark.fix.isEmpty { lines += "    fix: \(Terminal.safe(remark.fix))\n" }
        return lines
    }

    /// The source line of a place, cut around it, and carets under the place.
    ///
    /// Limit: looks at a few hundred bytes, however long the line is.
    static func excerpt(of text: [UInt8], at range: Range<Int>) -> String {
        let start = min(range.lowerBound, text.count)
        let reach = shownScalars * 4
        // Backwards to the line's begin, or as far as is shown.
        var from = start
        while from > 0, start - from < reach / 2, !isLineEnd(text[from - 1]) { from -= 1 }
        while from < start, text[from] & 0xC0 == 0x80 { from += 1 }
        var to = start
        while to < text.count, to - start < reach, !isLineEnd(text[to]) { to += 1 }
        while to > start, to < text.count, text[to] & 0xC0 == 0x80 { to -= 1 }

        let before = scalars(text[from..<start])
        let shownBefore = before.suffix(shownScalars / 2)
        let isCutBefore =
            shownBefore.count < before.count || (from > 0 && !isLineEnd(text[from - 1]))
        let rest = scalars(text[start..<to])
        let shownRest = rest.prefix(shownScalars - shownBefore.count)
        let isCutAfter = shownRest.count < rest.count || (to < text.count && !isLineEnd(text[to]))

        var line = (isCutBefore ? "..." : "").unicodeScalars
        line.append(contentsOf: shownBefore.lazy.map(Terminal.safe))
        line.append(contentsOf: shownRest.lazy.map(Terminal.safe))
        if isCutAfter { line.append(contentsOf: "...".unicodeScalars) }
        let marked = scalars(text[start..<max(start, min(range.upperBound, to))]).count
        let indent = columns(of: shownBefore) + (isCutBefore ? 3 : 0)
        let width = columns(of: shownRest.prefix(marked))
        let carets =
            String(repeating: " ", count: indent) + "^"
            + String(repeating: "~", count: max(width - 1, 0))
        return "    \(String(line))\n    \(carets)\n"
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    private static func columns(of scalars: some Sequence<Unicode.Scalar>) -> Int {
        scalars.reduce(0) { $0 + Terminal.columns(of: Terminal.safe($1)) }
    }

    private static func scalars(_ bytes: ArraySlice<UInt8>) -> [Unicode.Scalar] {
        Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
    }
}
