import DeskModel
import DeskStore
import DeskWeb

extension Services {
    /// Keeps the files of what waits to be sent in a conversation: as uploads they may be forgotten before.
    ///
    /// They stay until its end also where it is withdrawn, for something else may name them that waits.
    func keep(
        _ files: [AttachmentUse], ofWaitingIn conversation: ConversationID, until end: Timestamp,
        by author: Author
    ) async throws(Problem) {
        guard !files.isEmpty else { return }
        let now = time.now()
        try await asking { store throws(StoreError) in
            for file in files {
                try await store.hold(
                    file, by: .conversation(conversation), at: now, until: end, author: author)
            }
        }
    }
}
