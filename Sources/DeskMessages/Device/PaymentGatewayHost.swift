import DeskJSON

extension PaymentCall {
    /// Why a device would not pay at the request's gateway; nil when it would.
    ///
    /// The gateway has to be at the host that the merchant's session was made for (protocol page 13.11);
    /// a session that names none is good everywhere.
    public static func gatewayMismatch(in request: [UInt8]) -> String? {
        let payment = JSONValue.parsed(request)?["interactiveData"]?["data"]?["payment"]
        guard let stated = payment?["endpoints"]?["paymentGatewayUrl"]?.stringBytes,
            let context = payment?["merchantSession"]?["initiativeContext"]?.stringBytes,
            let gateway = HostOfAddress(stated), let meant = HostOfAddress(context),
            gateway != meant
        else { return nil }
        return "payment gateway url mismatch: paymentGatewayUrl is at \(gateway.text), "
            + "merchantSession.initiativeContext says \(meant.text)"
    }
}
