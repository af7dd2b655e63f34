import DeskJSON

extension PaymentCall {
    /// Why a device would not pay at the request's gateway; nil when it would.
    ///
    /// The gateway has to be at the host that the merchant's session was made for (protocol page 13.11);
    /// a session that names none is good everywhere.
    public static func gatewayMismatch(in request: [UInt8]) -> String? {
        let payment = JSONValue.parsed(request)?["interactiveData"]?["data"]?["payment"]
        guard let gateway = payment?["endpoints"]?["paymentGatewayUrl"]?.string,
            let context = payment?["merchantSession"]?["initiativeContext"]?.string,
            !context.isEmpty, host(of: gateway) != host(of: context)
        else { return nil }
        return "payment gateway url mismatch: paymentGatewayUrl is at \(host(of: gateway)), "
            + "merchantSession.initiativeContext says \(host(of: context))"
    }

    /// The host of an address, or the text itself where it is a host already; without a port.
    private static func host(of text: String) -> String {
        let rest = text.firstRange(of: "://").map { text[$0.upperBound...] } ?? text[...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let host = authority.split(separator: "@").last ?? authority
        guard !host.hasPrefix("[") else {
            return String(host.prefix { $0 != "]" }).lowercased()
        }
        return String(host.prefix { $0 != ":" }).lowercased()
    }
}
