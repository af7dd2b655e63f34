/// What a customer's device asks of the outside while a payment sheet is open: it calls the merchant.
///
/// It stores nothing and sends no message: the caller builds the reply with `Reply.make`.
public struct CustomerDevice: Sendable {
    let parts: GatewayParts

    /// Uses the gateway's parts.
    public init(_ parts: GatewayParts) { self.parts = parts }
}
