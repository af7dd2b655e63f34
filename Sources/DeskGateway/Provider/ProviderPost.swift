import DeskBroker
import DeskBytes
import DeskCrypto
import DeskHTTP
import DeskJSON
import DeskLinks
import DeskMessages
import DeskModel

/// One post to a provider's `/message`: a message, a signal or a close (protocol page 2).
struct ProviderPost: Sendable {
    /// Its id, in the field and in the body.
    let id: String
    let source: CustomerID
    /// The body before it is packed.
    let body: [UInt8]
    /// What the customer's devices can show.
    let capabilities: String

    /// Something that has no more than an envelope: typing, or the end of the conversation.
    ///
    /// - Parameter references: the invitations that a close refuses (protocol page 3.12).
    static func bare(
        _ type: String, id: UniqueID, from conversation: Conversation, capabilities: String,
        references: [String] = []
    ) -> ProviderPost {
        let customer = conversation.customer
        var members: [(String, JSON)] = [
            ("v", .integer(1)), ("id", .string(id.text)), ("type", .string(type)),
            ("sourceId", .string(customer.id.text)),
            ("destinationId", .string(conversation.business.text)),
        ]
        if let locale = customer.locale { members.append(("locale", .string(locale))) }
        if !references.isEmpty {
            members.append(("referenceIds", .array(references.map { .string($0) })))
        }
        return ProviderPost(
            id: id.text, source: customer.id, body: JSON.object(members).bytes(),
            capabilities: capabilities)
    }

    /// The request that brings it to a provider.
    ///
    /// - Parameter now: what the token's `iat` says.
    func request(over link: GatewayLink, _ settings: LinkSettings, now: Timestamp)
        -> OutgoingRequest
    {
        let token = JSONWebToken.sign(
            TokenClaims(audiences: [link.mspID], issuedAt: now.milliseconds / 1_000),
            key: link.secret)
        var headers: HeaderFields = [
            "Authorization": "Bearer \(token)", "id": id, "source-id": source.text,
            "destination-id": link.business.text, "Content-Type": "application/json",
        ]
        if !capabilities.isEmpty { headers.append("capability-list", capabilities) }
        if settings.tellsDeviceAgent { headers.append("device-agent", "iPhone OS") }
        var body = body
        // Safe: packing fails for want of memory only; plain JSON is as good.
        if settings.packsBodies, let packed = try? Gzip.compress(body) {
            headers.append("Content-Encoding", "gzip")
            body = packed
        }
        return .bounded(.post, Self.address(of: link), headers: headers, body: .bytes(body))
    }

    /// Where a provider accepts messages: `/message` is appended to what was registered (1.1).
    static func address(of link: GatewayLink) -> String {
        var url = Substring(link.url)
        while url.utf8.last == UInt8(ascii: "/") { url = url.dropLast() }
        return url + "/message"
    }
}
