import FoundationEssentials

/// The file in which a server says which port it got.
struct PortFile: Sendable, Equatable {
    /// Where; nil when nobody asked for it.
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

    /// Takes away what an earlier process left, so that nobody waits for the wrong one.
    func remove() {
        guard let path else { return }
        // Safe: what is not there needs no removing, and the write tells what cannot be written.
        try? FileManager.default.removeItem(atPath: path)
    }
}
