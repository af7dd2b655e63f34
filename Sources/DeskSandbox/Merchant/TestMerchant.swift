import DeskBytes
import DeskCrypto
import DeskJSON
import DeskMessages
import DeskModel
import DeskWeb

/// The merchant that comes with the server: it charges no money and says so in every name.
///
/// It keeps nothing: what an endpoint answers follows from what it is asked.
struct TestMerchant: Sendable {
    /// Longest name a device shows, in bytes of UTF-8; beyond it 422.
    static let maximumNameBytes = 64
    /// How long a merchant session is good, in seconds.
    static let sessionSeconds = 5 * 60

    /// What a merchant session is asked for.
    struct Order: Sendable, Equatable {
        var merchantIdentifier: String
        var displayName: String
        var domainName: String?
        /// What the session is good for: the payment gateway's address, or its host.
        var initiativeContext: String
    }

    /// The server's origin and the business, where the endpoints are.
    let base: String

    /// The endpoints are `<origin>/pay/<business>/…`.
    init(origin: String, business: String) { base = "\(origin)/pay/\(business)" }

    /// The endpoints by their names in the protocol.
    var endpoints: JSON {
        [
            "paymentGatewayUrl": .string(gateway),
            "paymentMethodUpdateUrl": .string("\(base)/method"),
            "shippingContactUpdateUrl": .string("\(base)/contact"),
            "shippingMethodUpdateUrl": .string("\(base)/shipping"),
            "orderTrackingUrl": .string("\(base)/tracking"),
            "fallbackUrl": .string("\(base)/fallback"),
        ]
    }

    /// Where the payments of the server's own endpoints go: what their sessions are good for.
    var gateway: String { "\(base)/gateway" }

    /// An opaque merchant session, as a payment request carries it; it is worth nothing.
    static func session(_ order: Order, epochMilliseconds: Int64) -> JSON {
        [
            "epochTimestamp": .integer(Int(epochMilliseconds)),
            "expiresAt": .integer(Int(epochMilliseconds) + sessionSeconds * 1_000),
            "merchantSessionIdentifier": .string("TEST_" + Hex.encode(RandomBytes.make(16))),
            "nonce": .string(Hex.encode(RandomBytes.make(4))),
            "merchantIdentifier": .string(order.merchantIdentifier),
            "domainName": .optional(order.domainName),
            "displayName": .string(order.displayName),
            "initiative": "messaging",
            "initiativeContext": .string(order.initiativeContext),
            "signature": .string(Hex.encode(RandomBytes.make(32))),
        ]
    }

    /// Whether an address is one of a business's own test merchant, under whatever name it knew the
    /// server.
    static func isOwn(_ address: String, of business: BusinessID) -> Bool {
        guard let scheme = address.firstRange(of: "://") else { return false }
        let path = address[scheme.upperBound...].drop { $0 != "/" }
        return path.hasPrefix("/pay/\(business.text)/")
    }

    /// What it answers to a device's call: the totals stay as they were sent.
    static func answer(to call: PaymentCall, of request: [UInt8]) -> PaymentCallResult {
        let body: JSONDocument
        let answer: JSONDocument
        do {
            body = try JSONDocument(parsing: call.body(of: request))
            switch call {
            case .pay: answer = try JSONDocument(parsing: gatewayAnswer(to: body.root).bytes())
            case .paymentMethod, .shippingContact, .shippingMethod, .track:
                answer = try JSONDocument(parsing: "{}")
            }
        } catch {
            return .failed(PaymentCallFault(.invalid, "the call holds more than is read"))
        }
        return .answered(answer)
    }

    /// What the payment gateway answers to an authorised payment.
    ///
    /// A postal code of `00000` is refused and a family name `Declined` fails, so that both can be
    /// tried.
    static func gatewayAnswer(to body: JSONValue) -> JSON {
        let contact = body["payment"]?["shippingContact"] ?? body["payment"]?["billingContact"]
        if contact?["postalCode"]?.equals("00000") == true {
            return ["status": "STATUS_INVALID_SHIPPING_POSTAL_ADDRESS"]
        }
        if contact?["familyName"]?.equals("Declined") == true {
            return ["status": "STATUS_FAILURE"]
        }
        return ["status": "STATUS_SUCCESS"]
    }
}
