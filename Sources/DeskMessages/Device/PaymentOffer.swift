import DeskJSON

/// What a payment request lets its customer choose, and what it requires of them (protocol page 3.6).
public struct PaymentOffer: Sendable {
    /// The words that a request asks for contacts with, and the members of which one answers each.
    ///
    /// A field of another name requires nothing.
    private static let members: [String: [String]] = [
        "name": ["givenName", "familyName", "phoneticGivenName", "phoneticFamilyName"],
        "phoneticName": ["phoneticGivenName", "phoneticFamilyName", "givenName", "familyName"],
        "email": ["emailAddress"], "phone": ["phoneNumber"],
        "post": addressMembers, "postalAddress": addressMembers,
    ]
    private static let addressMembers = [
        "addressLines", "locality", "subLocality", "administrativeArea", "subAdministrativeArea",
        "postalCode", "country", "countryCode",
    ]
    /// A person who does not exist, member by member as JSON.
    private static let invented: [(name: String, value: String)] = [
        ("givenName", #""Alex""#), ("familyName", #""Example""#),
        ("emailAddress", #""alex@example.com""#), ("phoneNumber", #""+1 555 0100""#),
        ("addressLines", #"["1 Example Street"]"#), ("locality", #""Springfield""#),
        ("postalCode", #""12345""#), ("countryCode", #""US""#),
    ]

    private let payment: JSONValue

    /// Reads a message's payload; nil when it is no payment request.
    public init?(_ payload: [UInt8]) {
        guard
            let payment = JSONValue.parsed(payload)?["interactiveData"]?["data"]?[
                stated: "payment"]
        else { return nil }
        self.init(payment: payment)
    }

    init(payment: JSONValue) { self.payment = payment }

    private var request: JSONValue? { payment["paymentRequest"] }

    /// Whether the merchant is asked about addresses, and may offer other ways to ship than the request.
    private var mayChange: Bool {
        payment["endpoints"]?["shippingContactUpdateUrl"]?.string?.isEmpty == false
    }

    private func findMethod(_ identifier: String) -> JSONValue? {
        request?["shippingMethods"]?.list.first { $0["identifier"]?.equals(identifier) == true }
    }

    /// A way to ship in the request's own words, where it has it; what the merchant may have changed
    /// since is as the sheet has it.
    func worded(_ method: PostedShippingMethod) throws(ReplyError) -> PostedShippingMethod {
        try requireMethod(method.identifier)
        guard let offered = findMethod(method.identifier) else { return method }
        return method.worded(by: offered, onlyWhereEmpty: mayChange)
    }

    /// Refuses a way to ship that was not offered.
    func requireMethod(_ identifier: String) throws(ReplyError) {
        guard mayChange || findMethod(identifier) != nil else {
            throw ReplyError(.notOffered, "the shipping method is not among those offered")
        }
    }

    /// A card of a network that the merchant accepts: the first one's where the card names none.
    func accepted(_ card: PaymentCard) throws(ReplyError) -> PaymentCard {
        let networks = (request?["applePay"]?["supportedNetworks"]?.list ?? []).compactMap(\.string)
        var card = card
        guard let stated = card.network else {
            card.network = networks.first
            return card
        }
        let isAccepted = networks.contains { $0.lowercased() == stated.lowercased() }
        guard networks.isEmpty || isAccepted else {
            throw ReplyError(.notOffered, "the card's network is not among supportedNetworks")
        }
        return card
    }

    /// Refuses a payment without the contacts that the request requires.
    func requireContacts(shipping: PostedContact?, billing: PostedContact?) throws(ReplyError) {
        for (name, contact) in [("Shipping", shipping), ("Billing", billing)] {
            for field in fields(of: name) {
                guard let members = Self.members[field] else { continue }
                guard contact?.hasAny(of: members) == true else {
                    throw ReplyError(
                        .badChoice,
                        "the request requires a \(name.lowercased())Contact with \(field)")
                }
            }
        }
    }

    private func fields(of name: String) -> [String] {
        (request?["required\(name)ContactFields"]?.list ?? []).compactMap(\.string)
    }

    /// The contacts that the request requires, of a person who does not exist; nil where it requires none.
    public var inventedContacts: (shipping: PostedContact?, billing: PostedContact?) {
        (invented(for: "Shipping"), invented(for: "Billing"))
    }

    private func invented(for name: String) -> PostedContact? {
        let wanted = Set(fields(of: name).flatMap { Self.members[$0] ?? [] })
        guard !wanted.isEmpty else { return nil }
        let text = JSONWriter.object { text in
            for (name, value) in Self.invented where wanted.contains(name) {
                text.key(text: name)
                text.raw(Array(value.utf8))
            }
        }
        // Safe: the members above are a contact's.
        return JSONValue.parsed(text).flatMap { try? PostedContact($0) }
    }
}

extension PaymentCall {
    /// The call as the request allows it, in its own words where it has them.
    ///
    /// - Throws: `notOffered` for a way to ship or a card that was not offered, `badChoice` for a payment
    ///   without a contact that is required.
    public func offered(by request: [UInt8]) throws(ReplyError) -> PaymentCall {
        guard let offer = PaymentOffer(request) else { return self }
        switch self {
        case .paymentMethod(let card): return .paymentMethod(try offer.accepted(card))
        case .shippingMethod(let method): return .shippingMethod(try offer.worded(method))
        case .pay(var token):
            token.card = try offer.accepted(token.card)
            try offer.requireContacts(
                shipping: token.shippingContact, billing: token.billingContact)
            return .pay(token)
        case .shippingContact, .track: return self
        }
    }
}
