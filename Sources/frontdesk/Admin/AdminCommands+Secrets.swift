import DeskCommandLine
import DeskStore

extension AdminCommands {
    /// Lists the encryption keys by id, and how many secrets each encrypts.
    func listSecrets() async throws(StoreError) -> Result {
        let counts = try await store.countSecrets()
        let rows = store.encryptionKeys.ids.enumerated().map { place, id in
            "\(id)  \(place == 0 ? "encrypts" : "decrypts")  \(counts[id] ?? 0) secrets"
        }
        return .done(rows.joined(separator: "\n"))
    }
}
