/// A diagnosis in words, for people.
public enum DoctorText {
    /// Longest repaired text in bytes that is shown whole.
    private static let shownBytes = 4_096

    /// All defects, and the repaired text.
    public static func render(_ diagnosis: Diagnosis, of text: [UInt8], file: String) -> String {
        let file = Terminal.safe(file)
        guard !diagnosis.defects.isEmpty else { return "\(file): nothing is wrong\n" }
        var out = diagnosis.defects.map { render($0, file: file) }.joined()
        guard let repaired = diagnosis.repaired else { return out }
        out += "repaired text"
        if repaired.count > shownBytes {
            out += ", the first \(shownBytes) of \(repaired.count) bytes"
        }
        out += ":\n"
        let shown = String(decoding: repaired.prefix(shownBytes), as: UTF8.self)
        for line in shown.split(separator: "\n", omittingEmptySubsequences: false) {
            out += "    \(Terminal.safe(String(line)))\n"
        }
        return out
    }

    private static func render(_ defect: Defect, file: String) -> String {
        let place = defect.place
        var out =
            "\(file):\(place.line):\(place.column): \(defect.isNote ? "note: " : "")"
            + "\(Terminal.safe(defect.sentence)) [\(defect.id)]\n"
        if let pointer = defect.pointer, !pointer.isEmpty {
            out += "    at \(Terminal.safe(pointer))\n"
        }
        out += "    found:    \(Terminal.safe(defect.found))\n"
        if let repaired = defect.repaired {
            out += "    repaired: \(Terminal.safe(repaired))\n"
        }
        return out
    }
}
