public import DeskModel

/// A business's number at WhatsApp with its secrets.
public struct WhatsAppNumber: Sendable {
    /// The link, whose MSP id is the number's id at Meta.
    public let link: GatewayLink
    /// What is known of its app.
    public let secrets: WhatsAppSecrets

    /// A number whose secrets were read before.
    public init(link: GatewayLink, secrets: WhatsAppSecrets) {
        self.link = link
        self.secrets = secrets
    }
}
