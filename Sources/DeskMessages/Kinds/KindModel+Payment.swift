import DeskJSON
import DeskModel

extension KindModel {
    /// A request for money and its outcome (protocol page 3.6).
    static let payment = KindModel(
        .payment, name: Wording(english: "Payment", japanese: "支払い"),
        schemas: Schemas(outbound: "payment", inbound: "payment-reply"),
        feature: Feature(
            key: "payment", answerMember: "state",
            devicePart: devicePartOfPayment,
            judge: { $0.judgePayment($1) },
            answerLine: { feature, words in
                let state = feature["state"]?.string ?? ""
                let isDoubtful = state == "success" && !SettlingAnswer.isPaid(feature)
                if isDoubtful || state == "paymentNotCompleted" {
                    return words.language.paymentNotCompleted
                }
                // A state that is not known is shown as it is.
                return PaymentOutcome(rawValue: state).map { words.language.payment($0) }
                    ?? words.line(words.name(of: .payment), state)
            }),
        sample: { interactive in
            let request = interactive["data"]?["payment"]?["paymentRequest"]
            return .payment(
                .success, status: "STATUS_SUCCESS",
                shippingMethod: request?["shippingMethods"]?[0]?["identifier"]?.string)
        })

    /// Without the merchant's session and whatever else the sheet does not show.
    private static let devicePartOfPayment: DevicePart = .only([
        "paymentRequest": .only([
            "applePay": .named("supportedNetworks", "merchantCapabilities"),
            "merchantName": .whole, "countryCode": .whole, "currencyCode": .whole,
            "lineItems": .whole, "total": .whole, "shippingMethods": .whole,
            "requiredBillingContactFields": .whole, "requiredShippingContactFields": .whole,
            "supportedCountries": .whole,
        ]),
        "endpoints": .named(
            "paymentGatewayUrl", "fallbackUrl", "orderTrackingUrl", "paymentMethodUpdateUrl",
            "shippingContactUpdateUrl", "shippingMethodUpdateUrl"),
        "state": .whole, "status": .whole, "shippingContact": .whole,
    ])
}
