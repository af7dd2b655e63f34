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

    /// Whether a conversation's customer is reached over a business's number.
    ///
    /// A business has one number. One that was removed and connected again has another link: who wrote over a link that is
    /// not there any more is reached over the new one at once, and not only after writing again.
    ///
    /// - Parameter bound: the link over which the customer wrote last, as the store has it.
    public func reaches(
        _ conversation: Conversation, boundTo bound: GatewayLinkID?, over link: GatewayLink
    ) -> Bool {
        guard let bound else { return false }
        if bound == link.id { return true }
        // Of what this node knows at one moment: while links cannot be read it knows none.
        let links = all
        // A removed link to an upstream leaves no such time.
        return link.side == .whatsapp && conversation.freeFormUntil != nil
            && conversation.business == link.business
            && links.contains { $0.id == link.id } && !links.contains { $0.id == bound }
    }

    /// The numbers for which posts came at a link that no business here has, without those that one has since.
    public func unknownNumbers(of link: GatewayLink) -> [UnknownNumbers.Entry] {
        guard link.side == .whatsapp, let secrets = WhatsAppSecrets(link.secret) else { return [] }
        return unknownNumbers.entries(at: link.id)
            .filter { findWhatsApp(number: $0.number, of: secrets) == nil }
    }
}
