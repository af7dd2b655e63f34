import DeskCrypto
import DeskModel
import DeskStore

/// Webhook endpoints of an archive, which has no secrets.
extension ImportedRows {
    /// Adds an endpoint with a random secret, disabled: until it has a secret that both sides know, every post
    /// would be a forgery to its receiver.
    func add(_ archived: Webhook) throws(StoreError) {
        var webhook = archived
        webhook.secret = RandomBytes.make(SharedSecrets.byteCount)
        let label = Secrets.label(of: webhook.id)
        try Webhooks.insert(
            webhook, after: head.position,
            storing: stored(WebhookRow.secrets(of: webhook), label), on: sql)
        _ = try Webhooks.disable(
            webhook.id, as: webhook.disabled ?? Webhook.Disabled(.member, at: head.time), on: sql)
    }
}
