/// A diagnosis in words, for people.
public enum DoctorText {
    /// Longest repaired text in bytes that is shown whole.
    private static let shownBytes = 4_096

    /// All ailments, and the repaired text.
    public static func render(_ diagnosis: Diagnosis, of text: [UInt8], file: String) -> String {
        let file = Terminal.safe(file)
        guard !diagnosis.ailments.isEmpty else { return "\(file): nothing is wrong\n" }
        var out = diagnosis.ailments.map { render($0, file: file) }.joined()
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

    private static func render(_ ailment: Ailment, file: String) -> String {
        let place = ailment.place
        var out =
            "\(file):\(place.line):\(place.column): \(ailment.isNote ? "note: " : "")"
            + "\(Terminal.safe(ailment.sentence)) [\(ailment.id)]\n"
        if let pointer = ailment.pointer, !pointer.isEmpty {
            out += "    at \(Terminal.safe(pointer))\n"
        }
        out += "    found:    \(Terminal.safe(ailment.found))\n"
        if let repaired = ailment.repaired {
            out += "    repaired: \(Terminal.safe(repaired))\n"
        }
        return out
    }
}
