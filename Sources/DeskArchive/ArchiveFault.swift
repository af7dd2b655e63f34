/// Why an archive is refused: the line, counted from 1, and what is wrong with it.
package struct ArchiveFault: Error, Equatable, CustomStringConvertible {
    /// The line; nil when it is the file itself, or not known yet.
    package var line: Int?
    package let reason: String

    package init(line: Int? = nil, _ reason: String) {
        self.line = line
        self.reason = reason
    }

    package var description: String { line.map { "line \($0): \(reason)" } ?? reason }
}
