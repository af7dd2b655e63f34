/// Room for the bytes that one statement has bound, so that binding allocates nothing.
@safe struct LentBytes: ~Copyable {
    /// Bytes that fit; what does not is copied by SQLite itself.
    static let capacity = 4_096

    private var room: UnsafeMutableRawPointer?
    private var used = 0

    deinit { unsafe room?.deallocate() }

    /// Copies bytes in and returns where they lie until `empty`; nil when there is no room.
    mutating func keep(_ bytes: UnsafeRawBufferPointer) -> UnsafeMutableRawPointer? {
        guard bytes.count <= Self.capacity - used else { return nil }
        let start = unsafe room ?? .allocate(byteCount: Self.capacity, alignment: 16)
        unsafe room = start
        let place = unsafe start + used
        if let source = bytes.baseAddress {
            unsafe place.copyMemory(from: source, byteCount: bytes.count)
        }
        used += bytes.count
        return unsafe place
    }

    /// Reuses all of the room; nothing that was kept may be read from here on.
    mutating func empty() { used = 0 }
}
