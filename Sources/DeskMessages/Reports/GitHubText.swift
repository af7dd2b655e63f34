import DeskDiagnosis

/// Findings as GitHub's workflow commands, which annotate a pull request.
public enum GitHubText {
    /// A judgement whole, a line for each remark; empty when there is nothing to say.
    public static func render(_ judgement: Judgement, in text: [UInt8], file: String) -> String {
        judgement.remarks(in: text).map { render($0, file: file) }.joined()
    }

    /// One remark as a line.
    static func render(_ remark: LintRemark, file: String) -> String {
        let place = remark.place
        var properties = [
            ("file", file), ("line", String(place.line)), ("endLine", String(place.endLine)),
            ("col", String(place.column)),
        ]
        // Columns of an annotation only hold within one line.
        if place.endLine == place.line {
            properties.append(("endColumn", String(place.endColumn)))
        }
        properties.append(("title", remark.rule))
        let list = properties.map { "\($0)=\(property($1))" }.joined(separator: ",")
        let at = remark.pointer.isEmpty ? "" : "\nat \(remark.pointer)"
        let fix = remark.fix.isEmpty ? "" : "\nfix: \(remark.fix)"
        return "::\(command(remark.severity)) \(list)::\(message(remark.sentence + at + fix))\n"
    }

    private static func command(_ severity: Severity) -> String {
        switch severity {
        case .error: "error"
        case .warning: "warning"
        case .info: "notice"
        }
    }

    /// The text of a message, escaped: a line end in it would begin a command that its author
    /// chose.
    static func message(_ text: String) -> String { escaped(text, isProperty: false) }

    /// The value of a property.
    static func property(_ text: String) -> String { escaped(text, isProperty: true) }

    private static func escaped(_ text: String, isProperty: Bool) -> String {
        var out: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "%"): out += "%25".utf8
            case 0x0D: out += "%0D".utf8
            case 0x0A: out += "%0A".utf8
            case UInt8(ascii: ":") where isProperty: out += "%3A".utf8
            case UInt8(ascii: ",") where isProperty: out += "%2C".utf8
            default: out.append(byte)
            }
        }
        let text = String(decoding: out, as: UTF8.self)
        return Terminal.safe(text)
    }
}
