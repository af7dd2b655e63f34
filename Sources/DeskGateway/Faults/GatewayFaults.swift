package import DeskModel

/// Decides what goes wrong on purpose with the gateway's requests and deliveries.
///
/// The gateway carries it out; where there is none, nothing goes wrong on purpose.
package protocol GatewayFaults: Sendable {
    /// What happens to a request that was admitted over a link.
    func ofRequest(over link: GatewayLink) -> RequestFaults

    /// What happens to a delivery to a link's provider.
    func ofDelivery(over link: GatewayLink) -> DeliveryFaults
}

/// What goes wrong on purpose with one request.
package struct RequestFaults: Sendable {
    /// What the wire log says about it.
    package var remarks: [String] = []
    /// How long the request waits before anything else happens to it.
    package var delay: Duration?
    /// The refusal that it gets; nothing is carried out then.
    package var refusal: GatewayRefusal?
    /// Whether the connection ends before the answer, once the request is carried out.
    package var cutsAnswer = false
    /// Whether the download links in its answer have expired already.
    package var expiresLinks = false

    /// Nothing goes wrong.
    package init() {}
}

/// What goes wrong on purpose with one delivery.
package struct DeliveryFaults: Sendable {
    /// How long it waits.
    package var delay: Duration?
    /// Whether it is made twice.
    package var isRepeated = false
    /// Whether it is made again under another id.
    package var isCopied = false
    /// Whether the conversation's next message is delivered before it.
    package var followsNext = false

    /// Nothing goes wrong.
    package init() {}
}
