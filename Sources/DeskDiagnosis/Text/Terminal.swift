/// Makes untrusted text fit for a terminal.
public enum Terminal {
    /// The text with all that would move a terminal, or turn its text around, as U+FFFD.
    public static func safe(_ text: String) -> String {
        // Most texts are plain ASCII and stay as they are.
        guard text.utf8.contains(where: { $0 < 0x20 || $0 > 0x7E }) else { return text }
        var out = String.UnicodeScalarView()
        out.append(contentsOf: text.unicodeScalars.lazy.map(safe))
        return String(out)
    }

    /// A scalar, or its replacement when a terminal would act on it.
    package static func safe(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        if scalar.isASCII {
            return scalar == "\t"
                ? " " : scalar.value < 0x20 || scalar.value == 0x7F ? "\u{FFFD}" : scalar
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
            .unassigned:
            return "\u{FFFD}"
        default: return scalar
        }
    }

    /// The columns that a scalar fills: East Asian letters and pictures two, marks none.
    package static func columns(of scalar: Unicode.Scalar) -> Int {
        if scalar.isASCII { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        default: break
        }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
            0x1F680...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}
