package import DeskModel
import DeskSQL
package import DeskStore

extension Webhook {
    /// Leaves bytes in a store that nothing decrypts where the secrets of an endpoint were.
    package func spoilSecrets(in store: any Store) async throws(StoreError) {
        guard let store = store as? any SQLRegistries else {
            throw StoreError(.refused, "no store of rows")
        }
        let webhook = self
        try await store.writeRegistry { sql, entries throws(StoreError) in
            let statement = try sql.statement(
                literal: "UPDATE webhooks SET secrets = ? WHERE id = ?")
            try statement.bind(Array("spoiled".utf8))
            try statement.bind(webhook.id.value)
            try statement.run()
            entries.append(
                RegistryEntry(
                    .links(.saveWebhook(webhook.id, of: webhook.business)), by: .server,
                    at: webhook.createdAt))
        }
    }
}
