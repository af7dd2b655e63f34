import DeskJSON
public import DeskModel

/// What of a stored payload its customer's device gets: what it shows and answers with, and no more.
///
/// What is stored, sent on and shown to the business stays byte for byte; only the customer's copy is
/// less. This table is the one place that says so: secrets of an OAuth client, sealed tokens, a
/// merchant's session and the keys of files are nothing that the customer's page needs. Below
/// `authenticate` and `payment` whatever is not named is kept back.
public enum DeviceView {
    /// How much of a value the device gets.
    private indirect enum Part: Sendable {
        /// All of it, byte for byte.
        case whole
        /// The members that are named, each as said; no other.
        case only([String: Part])
        /// All members, those that are named as said.
        case all([String: Part])
        /// Each element of a list, as said.
        case each(Part)
    }

    private static let table: Part = .all([
        "attachments": .each(named("name", "mimeType", "mime-type", "size", "file-size")),
        "interactiveDataRef": named("bid", "title"),
        "richLinkDataRef": named("title"),
        "interactiveData": .all([
            "data": .all(["authenticate": authenticate, "payment": payment])
        ]),
    ])

    private static let authenticate: Part = .only([
        "oauth2": named("responseType", "scope", "state", "redirectURI", "responseEncryptionKey"),
        "status": .whole, "errors": .whole,
    ])

    private static let payment: Part = .only([
        "paymentRequest": .only([
            "applePay": named("supportedNetworks", "merchantCapabilities"),
            "merchantName": .whole, "countryCode": .whole, "currencyCode": .whole,
            "lineItems": .whole, "total": .whole, "shippingMethods": .whole,
            "requiredBillingContactFields": .whole, "requiredShippingContactFields": .whole,
            "supportedCountries": .whole,
        ]),
        "endpoints": named(
            "paymentGatewayUrl", "fallbackUrl", "orderTrackingUrl", "paymentMethodUpdateUrl",
            "shippingContactUpdateUrl", "shippingMethodUpdateUrl"),
        "state": .whole, "status": .whole, "shippingContact": .whole,
    ])

    private static func named(_ names: String...) -> Part {
        .only(Dictionary(uniqueKeysWithValues: names.map { ($0, .whole) }))
    }

    /// The device's copy of a payload.
    ///
    /// Most kinds are given as they are, without a look; a payload that cannot be read is `{}`.
    public static func payload(
        _ payload: [UInt8], of kind: MessageKind, hasAttachments: Bool
    ) -> [UInt8] {
        guard hasAttachments || isReduced(kind) else { return payload }
        guard let root = JSONValue.parsed(payload) else { return Array("{}".utf8) }
        var text = JSONWriter()
        write(root, table, to: &text)
        return text.bytes
    }

    /// Whether a kind may hold something that is kept back; of a kind that is not known anything.
    private static func isReduced(_ kind: MessageKind) -> Bool {
        switch kind {
        case .authentication, .payment, .reference, .interactive: true
        case .text, .quickReply, .list, .time, .app, .richLink, .form, .invitation: false
        }
    }

    private static func write(_ value: JSONValue, _ part: Part, to text: inout JSONWriter) {
        switch part {
        case .whole: text.raw(value.rawBytes)
        case .each(let part):
            guard value.kind == .array else { return text.null() }
            text.array { text in
                for element in value.elements { write(element, part, to: &text) }
            }
        case .only(let parts), .all(let parts):
            let isOpen = if case .all = part { true } else { false }
            // Another sort of value than the protocol has is nothing that a device can use.
            guard value.kind == .object else {
                return isOpen ? text.raw(value.rawBytes) : text.null()
            }
            text.object { text in
                for member in value.members {
                    let known = parts.first { member.keyEquals($0.key) }?.value
                    guard let part = known ?? (isOpen ? .whole : nil) else { continue }
                    text.key(text: member.key)
                    write(member.value, part, to: &text)
                }
            }
        }
    }
}
