import DeskJSON
import DeskModel

extension Request {
    /// The answer to a payment request.
    ///
    /// A payment that did not complete comes back as devices send it (protocol page 13.13). Of one that
    /// did the field list is not public: `{"state","status"}` is Frontdesk's until a capture says
    /// otherwise. Both are written here and nowhere else; Schemas/inbound/payment-reply.json
    /// describes them.
    func answerPayment(
        _ outcome: PaymentOutcome, status: String?, shippingMethod: String?,
        shippingContact: PostedContact?
    ) throws(ReplyError) -> Reply {
        let payment = try require("payment")
        if let shippingMethod { try PaymentOffer(payment: payment).requireMethod(shippingMethod) }
        let stated = status ?? Self.status(of: outcome)
        guard Self.isStatus(stated) else {
            throw ReplyError(.badChoice, "payment.status begins with STATUS_")
        }
        guard outcome == .success, stated == Self.status(of: .success) else {
            return answerUncompleted(payment)
        }
        let bubble = ReplyBubble(title: language.payment(outcome))
        return reply(.payment, bubble: bubble, feature: "payment") { text in
            text.object { text in
                text.member("state", outcome.rawValue)
                text.member("status", stated)
                if let shippingContact {
                    text.key("shippingContact")
                    text.raw(shippingContact.text)
                }
            }
        }
    }

    /// A payment that did not complete, however it ended: the request's bubble says so, and what was
    /// asked comes back as a device understood it.
    private func answerUncompleted(_ payment: JSONValue) -> Reply {
        let bubble = ReplyBubble(
            title: askedTitle, subtitle: language.paymentNotCompleted, isRequests: true)
        return reply(.payment, bubble: bubble, feature: "payment") { text in
            text.object { text in
                text.member("state", "paymentNotCompleted")
                if let request = payment["paymentRequest"] {
                    text.key("paymentRequest")
                    text.object { text in Self.echo(request, to: &text) }
                }
                text.member("merchantSession", copying: payment["merchantSession"])
                if let endpoints = payment["endpoints"], endpoints.kind == .object {
                    text.key("endpoints")
                    text.object { text in
                        for member in endpoints.members
                        where !member.keyEquals("paymentGatewayUrl") {
                            text.key(text: member.key)
                            text.raw(member.value.rawBytes)
                        }
                    }
                }
            }
        }
    }

    /// The request's members, its lines and its total as a device writes them.
    private static func echo(_ request: JSONValue, to text: inout JSONWriter) {
        for member in request.members {
            text.key(text: member.key)
            switch member.key {
            case "total": echo(line: member.value, to: &text)
            case "lineItems":
                text.array { text in
                    for line in member.value.list { echo(line: line, to: &text) }
                }
            default: text.raw(member.value.rawBytes)
            }
        }
    }

    private static func echo(line: JSONValue, to text: inout JSONWriter) {
        text.object { text in
            for member in line.members {
                text.key(text: member.key)
                switch (member.key, member.value.string) {
                case ("type", let word?): text.string(word.withCapital)
                case ("amount", let amount?): text.string(shortened(amount))
                default: text.raw(member.value.rawBytes)
                }
            }
        }
    }

    /// An amount without the zeros at its end, but for one place after the point: `4.50` is `4.5`.
    private static func shortened(_ amount: String) -> String {
        guard let point = amount.firstIndex(of: ".") else { return amount }
        let least = amount.index(point, offsetBy: 2, limitedBy: amount.endIndex) ?? amount.endIndex
        var kept = amount[...]
        while kept.endIndex > least, kept.last == "0" { kept = kept.dropLast() }
        return String(kept)
    }

    private static func status(of outcome: PaymentOutcome) -> String {
        switch outcome {
        case .success: "STATUS_SUCCESS"
        case .failure: "STATUS_FAILURE"
        case .canceled: "STATUS_CANCELED"
        }
    }

    private static func isStatus(_ text: String) -> Bool {
        let word = text.utf8.dropFirst(7)
        return text.utf8.starts(with: "STATUS_".utf8) && (1...121).contains(word.count)
            && word.allSatisfy {
                (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F
            }
    }

    /// The answer of an app's extension: the same bubble with the URL it answered with.
    func answerApp(_ url: String) throws(ReplyError) -> Reply {
        guard data == nil, interactive[stated: "URL"] != nil else {
            throw ReplyError(.wrongKind, "the message is no app's")
        }
        guard (1...Judging.maximumAppURLBytes).contains(url.utf8.count) else {
            throw ReplyError(
                .badChoice, "app.url has 1 to \(Judging.maximumAppURLBytes) bytes")
        }
        let layout = interactive[stated: "replyMessage"] ?? interactive["receivedMessage"]
        let payload = wrap { text in
            text.member("appId", copying: interactive["appId"])
            text.member("appName", copying: interactive["appName"])
            text.member("URL", url)
            text.member("useLiveLayout", copying: interactive["useLiveLayout"])
            text.member("receivedMessage", copying: interactive["receivedMessage"])
            text.member("replyMessage", copying: layout)
        }
        return finished(payload, .app)
    }
}
