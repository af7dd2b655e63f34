import DeskJSON
import DeskModel

extension Request {
    /// The answer to a payment request.
    ///
    /// The protocol's own field list is not public. `{"state","status"}` is Frontdesk's until a
    /// capture says otherwise, and it is written here and nowhere else; Schemas/inbound/
    /// payment-reply.json describes it.
    func answerPayment(
        _ outcome: PaymentOutcome, status: String?, shippingMethod: String?,
        shippingContact: PostedContact?
    ) throws(ReplyError) -> Reply {
        let payment = try require("payment")
        // A merchant that is asked about addresses may offer other methods than the request did.
        let offersOthers = payment["endpoints"]?["shippingContactUpdateUrl"] != nil
        if let shippingMethod, !offersOthers {
            let methods = payment["paymentRequest"]?["shippingMethods"]?.list ?? []
            guard methods.contains(where: { $0["identifier"]?.equals(shippingMethod) == true })
            else { throw ReplyError(.notOffered, "the shipping method is not among those offered") }
        }
        let stated = status ?? Self.status(of: outcome)
        guard Self.isStatus(stated) else {
            throw ReplyError(.badChoice, "payment.status begins with STATUS_")
        }
        return reply(.payment, title: language.payment(outcome), feature: "payment") { text in
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
        guard data == nil, interactive["URL"] != nil else {
            throw ReplyError(.wrongKind, "the message is no app's")
        }
        guard (1...Judging.maximumAppURLBytes).contains(url.utf8.count) else {
            throw ReplyError(
                .badChoice, "app.url has 1 to \(Judging.maximumAppURLBytes) bytes")
        }
        let layout = interactive["replyMessage"] ?? interactive["receivedMessage"]
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
