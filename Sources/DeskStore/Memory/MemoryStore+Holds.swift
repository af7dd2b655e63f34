public import DeskModel

extension MemoryStore: AttachmentRegistry {
    /// Notes that a holder has an attachment; the last name given to it there counts.
    public func hold(
        _ attachment: AttachmentUse, by holder: AttachmentHolder, at time: Timestamp,
        until end: Timestamp?
    ) async throws(StoreError) {
        try edit { $0.hold(attachment, by: holder, at: time, until: end) }
    }

    /// Finds an attachment as its holder knows it; nil when that one does not hold it.
    public func findAttachment(
        _ id: AttachmentID, heldBy holder: AttachmentHolder
    ) async throws(StoreError) -> AttachmentUse? {
        try look { state in
            let hold = state.holds[.init(holder: holder, attachment: id)]
            return hold.flatMap { $0.isOver ? nil : $0.use }
        }
    }

    /// How many bytes a holder was given since a moment.
    public func heldBytes(
        by holder: AttachmentHolder, since time: Timestamp
    ) async throws(StoreError) -> Int64 {
        try look { state in
            state.holds.filter { $0.key.holder == holder && $0.value.time >= time }
                .reduce(0) { $0 + $1.value.use.byteCount }
        }
    }

    /// Gives up uploads whose end was before a moment; returns files that nothing else names.
    public func expireUploads(
        before time: Timestamp
    ) async throws(StoreError) -> [AttachmentID] {
        try edit { state in
            let ended = state.holds.filter { $0.value.end.map { $0 < time } ?? false }
            for key in ended.keys { state.holds[key]?.isOver = true }
            var named = Set(state.mmcsObjects.values.map(\.content))
            named.formUnion(state.businesses.compactMap(\.picture))
            named.formUnion(state.holds.filter { !$0.value.isOver }.keys.map(\.attachment))
            state.holds = state.holds.filter { key, hold in
                !hold.isOver || !named.contains(key.attachment)
            }
            return Array(Set(state.holds.filter(\.value.isOver).keys.map(\.attachment)))
        }
    }

    /// Forgets uploads that were given up and whose files are gone, unless they came again.
    public func forgetUploads(of files: [AttachmentID]) async throws(StoreError) {
        let files = Set(files)
        try edit { state in
            state.holds = state.holds.filter { key, hold in
                !hold.isOver || !files.contains(key.attachment)
            }
        }
    }
}
