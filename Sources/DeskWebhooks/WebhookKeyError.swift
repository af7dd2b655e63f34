/// Why a text is no key of webhooks; it never contains bytes of the key.
public struct WebhookKeyError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What was found, what is allowed, and how to fix it.
    public let description: String

    init(_ description: String) { self.description = description }
}
