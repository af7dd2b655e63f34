import DeskDiagnosis
import DeskJSON
import DeskModel

extension Judging {
    /// Judges a payment request: money, methods, endpoints.
    mutating func judgePayment(_ payment: JSONValue) {
        guard context.direction == .outbound else { return }
        if let request = payment["paymentRequest"] {
            let lines = request["lineItems"]?.list ?? []
            judgeTotal(request["total"], of: lines)
            judgeMinorUnits(
                of: lines + [request["total"]].compactMap { $0 },
                in: request["currencyCode"]?.string)
            let methods = request["shippingMethods"]?.list ?? []
            noteRepeats(of: methods.compactMap { $0["identifier"] }, in: "the shipping methods")
        }
        guard let endpoints = payment["endpoints"] else { return }
        for member in endpoints.members { judgeEndpoint(member) }
        if let gateway = endpoints["paymentGatewayUrl"] {
            judgeGateway(gateway, payment["merchantSession"]?["initiativeContext"])
        }
    }

    /// Judges a merchant's answer to a change on the sheet: the bill that it puts there.
    mutating func judgeNewBill() {
        let lines = root["newLineItems"]?.list ?? []
        judgeTotal(root["newTotal"], of: lines)
        let methods = root["newShippingMethods"]?.list ?? []
        judgeMinorUnits(
            of: lines + [root["newTotal"]].compactMap { $0 } + methods, in: context.currency)
    }

    private mutating func judgeEndpoint(_ member: JSONMember) {
        let endpoint = member.value
        if endpoint.isEmptyText, !member.keyEquals("paymentGatewayUrl") {
            note(
                .valueIgnored, at: endpoint, found: "an empty address",
                allowed: "an address, or no such member", fix: "Leave it out.",
                edits: Edit.remove(endpoint).map { [$0] } ?? [])
        }
        // The fallback is a page for a browser; it sees neither token nor address.
        guard !member.keyEquals("fallbackUrl"), let text = endpoint.stringBytes,
            text.starts(with: "http://".utf8), !isTestMerchant(text)
        else { return }
        note(
            .paymentEndpointNotHTTPS, at: endpoint, found: endpoint.quoted,
            allowed: "an https address; plain http in a test business only",
            fix: "Serve the endpoint over https.")
    }

    /// Whether an address is of the test merchant in this very server, which a test business may use.
    private func isTestMerchant(_ address: [UInt8]) -> Bool {
        guard context.mode == .test, let origin = context.plainOrigin else { return false }
        return address.starts(with: origin.utf8)
            && address.dropFirst(origin.utf8.count).first == UInt8(ascii: "/")
    }

    /// Judges whether the token goes to the host that the merchant session was made for.
    private mutating func judgeGateway(_ gateway: JSONValue, _ context: JSONValue?) {
        guard let context, let meant = context.stringBytes.flatMap({ HostOfAddress($0) }),
            let stated = gateway.stringBytes.flatMap({ HostOfAddress($0) }), stated != meant
        else { return }
        note(
            .paymentGatewayMismatch, at: gateway, found: "the host \(stated.text)",
            allowed: "\(meant.text), the host of merchantSession.initiativeContext",
            fix: "Ask for the merchant session with this paymentGatewayUrl as initiativeContext.")
    }

    /// Currencies without smaller units, ISO 4217.
    private static let wholeCurrencies: Set<String> = [
        "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV",
        "XAF", "XOF", "XPF",
    ]

    /// Currencies with more than two decimals, ISO 4217.
    private static let longDecimals: [String: Int] = [
        "BHD": 3, "IQD": 3, "JOD": 3, "KWD": 3, "LYD": 3, "OMR": 3, "TND": 3, "CLF": 4, "UYW": 4,
    ]

    private mutating func judgeMinorUnits(of lines: [JSONValue], in currency: String?) {
        guard let currency else { return }
        let decimals =
            Self.wholeCurrencies.contains(currency) ? 0 : Self.longDecimals[currency] ?? 2
        for line in lines {
            guard let node = line["amount"], let text = node.stringBytes,
                let amount = DecimalAmount(text), amount.decimals > decimals
            else { continue }
            let allowed =
                decimals == 0
                ? "a whole number, as \(currency) has no smaller unit"
                : "at most \(decimals) decimals, as \(currency) has"
            note(
                .paymentMinorUnits, at: node, found: "\(node.quoted) in \(currency)",
                allowed: allowed,
                fix: decimals == 0
                    ? "Round it to a whole number." : "Round it to \(decimals) decimals.")
        }
    }

    private mutating func judgeTotal(_ line: JSONValue?, of lines: [JSONValue]) {
        guard let node = line?["amount"], let text = node.stringBytes,
            let total = DecimalAmount(text)
        else { return }
        if total <= .zero {
            note(
                .paymentTotalNotPositive, at: node, found: node.quoted, allowed: "more than zero",
                fix: "Ask for an amount above zero.")
        }
        guard !lines.isEmpty else { return }
        var sum = DecimalAmount.zero
        for line in lines {
            guard let text = line["amount"]?.stringBytes, let amount = DecimalAmount(text),
                let next = sum + amount
            else { return }
            sum = next
        }
        guard sum != total else { return }
        note(
            .paymentTotalDiffers, at: node, found: node.quoted,
            allowed: "\(sum.text), the sum of the lines",
            fix: "Make the lines add up to the total.")
    }
}
