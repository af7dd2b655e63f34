public import DeskJSON

/// Findings as a compiler tells them: place, sentence, the line with a caret, the fix.
public enum LintText {
    /// Longest piece of a source line that is shown, in Unicode scalars.
    static let shownScalars = 100

    /// All findings of a file's text, one after another; empty when there are none.
    public static func render(_ findings: [Finding], in text: [UInt8], file: String) -> String {
        findings.map { finding in
            let head =
                "\(file):\(finding.line):\(finding.column): \(finding.severity.rawValue): "
                + "\(finding.sentence) [\(finding.rule.id)]\n"
            let place = finding.pointer.isEmpty ? "" : "    at \(finding.pointer)\n"
            let span = finding.start..<max(finding.end, finding.start)
            return head + excerpt(of: text, at: span) + place + "    fix: \(finding.fix)\n"
        }.joined()
    }

    /// The fault of a text that is no JSON.
    public static func render(_ fault: JSONError, in text: [UInt8], file: String) -> String {
        "\(file):\(fault.line):\(fault.column): error: \(fault.sentence) [malformed-json]\n"
            + excerpt(of: text, at: fault.offset..<fault.offset + 1)
    }

    /// A judgement whole: its fault or its findings.
    public static func render(_ judgement: Judgement, in text: [UInt8], file: String) -> String {
        if let fault = judgement.fault { return render(fault, in: text, file: file) }
        return render(judgement.findings, in: text, file: file)
    }

    /// The source line of a place, cut around it, and carets under the place.
    private static func excerpt(of text: [UInt8], at span: Range<Int>) -> String {
        let start = min(span.lowerBound, text.count)
        let isEnd = { (byte: UInt8) in byte == 0x0A || byte == 0x0D }
        let lineStart = (text[..<start].lastIndex(where: isEnd) ?? -1) + 1
        let lineEnd = text[start...].firstIndex(where: isEnd) ?? text.count
        let before = scalars(text[lineStart..<start])
        let shownBefore = before.suffix(shownScalars / 2)
        let marked = scalars(text[start..<min(max(span.upperBound, start), lineEnd)])
        let rest = scalars(text[start..<lineEnd])
        let shownRest = rest.prefix(shownScalars - shownBefore.count)
        let isCutBefore = shownBefore.count < before.count
        var line = isCutBefore ? "..." : ""
        var carets = isCutBefore ? "   " : ""
        for scalar in shownBefore {
            line.unicodeScalars.append(printable(scalar))
            carets += width(of: scalar)
        }
        for scalar in shownRest { line.unicodeScalars.append(printable(scalar)) }
        if shownRest.count < rest.count { line += "..." }
        let markedWidth = marked.prefix(shownRest.count).reduce(0) { $0 + width(of: $1).count }
        carets += "^" + String(repeating: "~", count: max(markedWidth - 1, 0))
        return "    \(line)\n    \(carets)\n"
    }

    private static func scalars(_ bytes: ArraySlice<UInt8>) -> [Unicode.Scalar] {
        Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
    }

    // A terminal would move, or act, on these.
    private static func printable(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator:
            scalar == "\t" ? " " : "\u{FFFD}"
        default: scalar
        }
    }

    // East Asian letters and pictures take two columns of a terminal; marks take none.
    private static func width(of scalar: Unicode.Scalar) -> String {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return ""
        default: break
        }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            return "  "
        default: return " "
        }
    }
}
