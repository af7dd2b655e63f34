import DeskCommandLine
import DeskModel
import DeskWebhooks

/// The key with which a command signs what it posts to a local program.
struct LocalSigner: Sendable {
    /// Signs as an endpoint's deliveries are signed.
    let signer: WebhookSigner
    /// What the receiver verifies with: `whsec_…`, or `whpk_…` where the file has a `whsk_…`.
    let receiverKey: String
    /// How an endpoint signs with the same key, and the key's bytes.
    let signing: Webhook.Signing
    let secretBytes: [UInt8]
    /// Whether the key was made for this run.
    let isNew: Bool

    /// Reads the key of `--secret-file`, or of another flag, or makes one.
    init(_ parsed: Parsed, flag: String = "secret-file") throws(UsageError) {
        guard let path = parsed[flag] else {
            let secret = WebhookSecret.make()
            signing = .v1
            secretBytes = secret.bytes
            signer = WebhookSigner(secrets: [secret])
            receiverKey = secret.text
            isNew = true
            return
        }
        let text = try RemoteServer.readSecret(path)
        isNew = false
        do throws(WebhookKeyError) {
            if text.hasPrefix(WebhookSigningKey.prefix) {
                let key = try WebhookSigningKey(text)
                signing = .v1a
                secretBytes = key.seed
                signer = WebhookSigner(secrets: [], keys: [key])
                receiverKey = key.publicKey.text
            } else {
                let secret = try WebhookSecret(text)
                signing = .v1
                secretBytes = secret.bytes
                signer = WebhookSigner(secrets: [secret])
                receiverKey = secret.text
            }
        } catch {
            throw UsageError("\(path) has no key of webhooks: \(error)")
        }
    }

    /// The line that says what the receiver verifies with; a key of a file is the reader's already.
    var sentence: String {
        isNew
            ? "Signing secret: \(receiverKey)"
            : receiverKey.hasPrefix(WebhookPublicKey.prefix)
                ? "Public key: \(receiverKey)" : "Signing secret: as it is in the file"
    }
}
