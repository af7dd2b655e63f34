import DeskJSON
import DeskModel

/// The body of an inbound message as a provider gets it: attachments and large payloads by reference.
struct ProviderBody {
    let link: GatewayLink
    let message: StoredMessage
    let parts: GatewayParts

    /// The text, with nothing changed but what has to travel encrypted.
    func text() async throws(DeliveryFault) -> [UInt8] {
        message.payload.carriedBytes ?? []
    }
}
