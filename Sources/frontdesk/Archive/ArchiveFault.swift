/// Why an archive cannot be taken: the line, counted from 1, and what is wrong with it.
struct ArchiveFault: Error, Equatable, CustomStringConvertible {
    /// The line; nil when it is the file itself, or not known yet.
    var line: Int?
    let reason: String

    init(line: Int? = nil, _ reason: String) {
        self.line = line
        self.reason = reason
    }

    var description: String { line.map { "line \($0): \(reason)" } ?? reason }
}
