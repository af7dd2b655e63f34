import FoundationEssentials

/// The file in which a server says which port it got.
struct PortFile: Sendable, Equatable {
    /// The file's path; nil when none was asked for.
    let path: String?

    /// Writes it once the port is open; a reader sees the whole number or no file.
    func write(_ port: Int) throws(Installation.Failure) {
        guard let path else { return }
        do {
            try Data("\(port)\n".utf8).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw Installation.Failure("the port cannot be written to \(path)")
        }
    }

    /// Removes the file of an earlier process, so that no program reads the wrong port.
    func remove() {
        guard let path else { return }
        // Safe: a file that is missing needs no removing, and a write that fails reports it.
        try? FileManager.default.removeItem(atPath: path)
    }
}
