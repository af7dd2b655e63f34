/// What a customer's device does by itself towards the outside while a sheet is open: it calls the
/// merchant of a payment request, and it signs in at the OAuth provider that the sandbox plays.
///
/// It stores nothing and sends no message: whoever plays the customer, the phone page's routes or a
/// script, asks it and then builds the reply with `Reply.make`.
public struct CustomerDevice: Sendable {
    let parts: GatewayParts

    /// Takes the gateway's parts.
    public init(_ parts: GatewayParts) { self.parts = parts }
}
