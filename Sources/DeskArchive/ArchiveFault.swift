/// Why an archive is refused: the line, counted from 1, and what is wrong with it.
package struct ArchiveFault: Error, Equatable, CustomStringConvertible {
    /// The line; nil when it is the file itself, or not known yet.
    package var line: Int?
    package let reason: String
    /// Whether the file is no archive from its first line on: it may be another system's.
    package let isOtherFile: Bool

    package init(line: Int? = nil, _ reason: String, isOtherFile: Bool = false) {
        self.line = line
        self.reason = reason
        self.isOtherFile = isOtherFile
    }

    package var description: String { line.map { "line \($0): \(reason)" } ?? reason }
}
