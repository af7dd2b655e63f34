/// The three header fields of a webhook, as the sender writes them or a receiver found them.
public struct WebhookHeaders: Sendable, Equatable {
    /// The name of the field with the webhook's id.
    public static let idField = "webhook-id"
    /// The name of the field with the time of the attempt.
    public static let timestampField = "webhook-timestamp"
    /// The name of the field with the signatures.
    public static let signatureField = "webhook-signature"

    /// `webhook-id`; nil when a receiver found none.
    public var id: String?
    /// `webhook-timestamp`: seconds since 1970 in decimal digits.
    public var timestamp: String?
    /// `webhook-signature`: `v1,…` and `v1a,…`, separated by spaces.
    public var signature: String?

    /// Holds what was found.
    public init(id: String?, timestamp: String?, signature: String?) {
        self.id = id
        self.timestamp = timestamp
        self.signature = signature
    }

    /// The fields that are there, by name, in the order in which they are sent.
    public var fields: [(name: String, value: String)] {
        [
            (WebhookHeaders.idField, id), (WebhookHeaders.timestampField, timestamp),
            (WebhookHeaders.signatureField, signature),
        ].compactMap { name, value in value.map { (name, $0) } }
    }
}
