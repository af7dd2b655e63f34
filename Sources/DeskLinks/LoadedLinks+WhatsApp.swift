import DeskCrypto
public import DeskModel

extension LoadedLinks {
    /// The number of an id that belongs to the app of these secrets, the oldest link of several.
    ///
    /// An app has one callback URL: posts for one number may come at that of another. One whose app secret is
    /// another one is never found, so that who knows only the own app secret can bring nothing to it.
    public func findWhatsApp(
        number: String, of app: WhatsAppSecrets
    ) -> WhatsAppNumber? {
        let wanted = SHA256.digest(Array(app.appSecret.utf8))
        for link in find(.whatsapp, mspID: number) {
            guard let secrets = WhatsAppSecrets(link.secret),
                constantTimeEquals(SHA256.digest(Array(secrets.appSecret.utf8)), wanted)
            else { continue }
            return WhatsAppNumber(link: link, secrets: secrets)
        }
        return nil
    }

    /// The numbers for which posts came at a link that no business here has, without those that one has since.
    public func unknownNumbers(of link: GatewayLink) -> [UnknownNumbers.Entry] {
        guard link.side == .whatsapp, let secrets = WhatsAppSecrets(link.secret) else { return [] }
        return unknownNumbers.entries(at: link.id)
            .filter { findWhatsApp(number: $0.number, of: secrets) == nil }
    }
}
