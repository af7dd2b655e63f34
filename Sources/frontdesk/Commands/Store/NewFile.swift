import DeskStore

/// A file that gets its name once it is whole; until then its bytes are in `NAME.partial`.
struct NewFile {
    let descriptor: Int32
    private let path: String
    private var partial: String { path + ".partial" }

    /// Begins it; what an earlier process left of it is removed.
    init(at path: String) throws(StoreError) {
        self.path = path
        _ = try FileCalls.remove(path + ".partial")
        descriptor = try FileCalls.create(path + ".partial")
    }

    /// Gives it its name, flushed.
    ///
    /// - Throws: also where another process began the same file meanwhile: its half does not get the name.
    func finish() throws(StoreError) {
        try FileCalls.flush(descriptor) { _ in }
        guard try FileCalls.isOpen(descriptor, at: partial) else {
            throw StoreError(.failed, "another process writes it too")
        }
        try FileCalls.move(partial, to: path)
    }

    /// Removes what there is of it.
    func discard() throws(StoreError) {
        guard try FileCalls.isOpen(descriptor, at: partial) else { return }
        _ = try FileCalls.remove(partial)
    }

    func close() { FileCalls.close(descriptor) }
}
