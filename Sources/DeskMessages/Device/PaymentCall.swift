import DeskJSON

/// What a device asks a merchant while the payment sheet is open, and after it (protocol page 3.6).
public enum PaymentCall: Hashable, Sendable {
    /// Another card was chosen: what does it cost now?
    case paymentMethod(PaymentCard)
    /// Another address was chosen: what does it cost now, and how can it be shipped?
    case shippingContact(PostedContact)
    /// Another way to ship was chosen: what does it cost now?
    case shippingMethod(PostedShippingMethod)
    /// The customer agreed: here is the token.
    case pay(PaymentToken)
    /// The payment has ended well.
    case track

    /// Reads `{one of "paymentMethod","shippingContact","shippingMethod"}`, as the phone page posts it.
    ///
    /// - Throws: `badChoice` naming what is wrong.
    public init(update bytes: [UInt8]) throws(ReplyError) {
        guard let root = JSONValue.parsed(bytes), root.kind == .object, root.count == 1,
            let member = root.members.first(where: { _ in true })
        else {
            throw ReplyError(
                .badChoice, "exactly one of paymentMethod, shippingContact, shippingMethod")
        }
        switch member.key {
        case "paymentMethod": self = .paymentMethod(try PaymentCard(member.value))
        case "shippingContact": self = .shippingContact(try PostedContact(member.value))
        case "shippingMethod": self = .shippingMethod(try PostedShippingMethod(member.value))
        default:
            throw ReplyError(.badChoice, "one of paymentMethod, shippingContact, shippingMethod")
        }
    }

    /// The member of `endpoints` that names its address.
    public var endpointName: String {
        switch self {
        case .paymentMethod: "paymentMethodUpdateUrl"
        case .shippingContact: "shippingContactUpdateUrl"
        case .shippingMethod: "shippingMethodUpdateUrl"
        case .pay: "paymentGatewayUrl"
        case .track: "orderTrackingUrl"
        }
    }

    /// The schema of its answer, below Schemas/ without `.json`; nil where any answer will do.
    public var answerDocument: String? {
        switch self {
        case .paymentMethod: "callback/payment-method-update-answer"
        case .shippingContact: "callback/shipping-contact-update-answer"
        case .shippingMethod: "callback/shipping-method-update-answer"
        case .pay: "callback/payment-gateway-answer"
        case .track: nil
        }
    }

    /// The schemas of the answers that may bring another bill.
    static let billDocuments: Set = [
        "callback/payment-method-update-answer", "callback/shipping-contact-update-answer",
        "callback/shipping-method-update-answer",
    ]

    /// The currency that a payment request names.
    public static func currency(of request: [UInt8]) -> String? {
        JSONValue.parsed(request)?["interactiveData"]?["data"]?["payment"]?["paymentRequest"]?[
            "currencyCode"]?.string
    }

    /// The address that a payment request names; nil when it names none, or is no payment request.
    public func address(in request: [UInt8]) -> String? {
        guard
            let text = JSONValue.parsed(request)?["interactiveData"]?["data"]?["payment"]?[
                "endpoints"]?[endpointName]?.string, !text.isEmpty
        else { return nil }
        return text
    }

    /// The body that is posted.
    public func body(of request: [UInt8]) -> [UInt8] {
        let data = JSONValue.parsed(request)?["interactiveData"]?["data"]
        var text = JSONWriter()
        text.object { text in
            text.member("requestIdentifier", data?["requestIdentifier"]?.string ?? "")
            text.member("version", "1.0")
            guard self != .track else { return }
            text.key("payment")
            text.object { write(&$0) }
        }
        return text.bytes
    }

    private func write(_ text: inout JSONWriter) {
        switch self {
        case .paymentMethod(let card):
            text.key("paymentMethod")
            card.write(&text)
        case .shippingContact(let contact):
            text.key("shippingContact")
            text.raw(contact.redacted)
        case .shippingMethod(let method):
            text.key("shippingMethod")
            method.write(&text)
        case .pay(let token): token.write(&text)
        case .track: break
        }
    }
}

/// The card of a test, by its name.
public struct PaymentCard: Hashable, Sendable {
    /// The kinds of card of the protocol.
    public enum Kind: String, Sendable, CaseIterable {
        case debit
        case credit
        case prepaid
        case store
    }

    /// Its kind.
    public var kind: Kind
    /// Its network, such as `visa`; nil for the first one that the merchant accepts.
    public var network: String?

    /// Describes a test card.
    public init(_ kind: Kind = .credit, network: String? = nil) {
        self.kind = kind
        self.network = network
    }

    /// Reads `{"type","network"?}`.
    init(_ node: JSONValue) throws(ReplyError) {
        guard let kind = node["type"]?.string.flatMap({ Kind(rawValue: $0) }) else {
            let words = Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw ReplyError(.badChoice, "the card's type is one of \(words)")
        }
        let network = node["network"].map { $0.string ?? "" }
        guard network.map({ (1...64).contains($0.utf8.count) }) ?? true else {
            throw ReplyError(.badChoice, "the card's network is a text of 1 to 64 bytes")
        }
        self.init(kind, network: network)
    }

    /// Networks whose name is more than a word with a capital.
    private static let networkNames = [
        "amex": "AmEx", "jcb": "JCB", "quicPay": "QUICPay", "idCredit": "iD",
    ]
    /// The last four digits of every test card.
    private static let lastDigits = "1234"

    /// The card as a device names it: kind and network with a capital, and the network with the last
    /// four digits as the name on the sheet (protocol page 13.16).
    func write(_ text: inout JSONWriter) {
        let network = network ?? "visa"
        let name = Self.networkNames[network] ?? network.withCapital
        text.object { text in
            text.member("displayName", "\(name) \(Self.lastDigits)")
            text.member("network", name)
            text.member("type", kind.rawValue.withCapital)
        }
    }
}

/// A way to ship as the sheet has it: of the request, or of the merchant's last answer.
public struct PostedShippingMethod: Hashable, Sendable {
    /// The members in the order of the protocol, each at most 512 bytes.
    private static let names = ["identifier", "label", "detail", "amount"]

    private var values: [String]

    /// Reads `{"identifier","label"?,"detail"?,"amount"?}`.
    init(_ node: JSONValue) throws(ReplyError) {
        values = []
        for name in Self.names {
            let value = node[name]
            let text = value.map { $0.string ?? "\u{0}" } ?? ""
            guard text.utf8.count <= 512, !text.utf8.contains(0),
                name != "identifier" || !text.isEmpty
            else {
                throw ReplyError(
                    .badChoice, "shippingMethod.\(name) is a text of at most 512 bytes")
            }
            values.append(text)
        }
    }

    var identifier: String { values.first ?? "" }

    /// The same in the words of a request's method; only what the sheet left out, or all of it.
    func worded(by method: JSONValue, onlyWhereEmpty: Bool) -> PostedShippingMethod {
        var worded = self
        for (place, name) in Self.names.enumerated()
        where !onlyWhereEmpty || values[place].isEmpty {
            worded.values[place] = method[name]?.string ?? ""
        }
        return worded
    }

    func write(_ text: inout JSONWriter) {
        text.object { text in
            for (name, value) in zip(Self.names, values) where !value.isEmpty {
                text.key(text: name)
                text.string(value)
            }
            text.member("type", "Final")
        }
    }
}

/// The token of a test payment, and whom it concerns: it is worth nothing and says so.
public struct PaymentToken: Hashable, Sendable {
    /// The card.
    public var card: PaymentCard
    /// Where the bill goes, where the request asks for it.
    public var billingContact: PostedContact?
    /// Where the goods go, where the request asks for it.
    public var shippingContact: PostedContact?
    /// Names the transaction: the same for every attempt of one answer.
    public var transaction: String

    /// Puts a test token together.
    public init(
        card: PaymentCard = PaymentCard(), billingContact: PostedContact? = nil,
        shippingContact: PostedContact? = nil, transaction: String
    ) {
        self.card = card
        self.billingContact = billingContact
        self.shippingContact = shippingContact
        self.transaction = transaction
    }

    func write(_ text: inout JSONWriter) {
        if let billingContact {
            text.key("billingContact")
            text.raw(billingContact.text)
        }
        if let shippingContact {
            text.key("shippingContact")
            text.raw(shippingContact.text)
        }
        text.key("paymentToken")
        text.object { text in
            text.key("paymentMethod")
            card.write(&text)
            text.member("transactionIdentifier", "TEST-\(transaction)")
            text.key("paymentData")
            text.object { $0.member("test", "No card is charged: this token is worth nothing.") }
        }
    }
}
