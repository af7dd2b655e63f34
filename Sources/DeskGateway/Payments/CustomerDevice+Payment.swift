import DeskBroker
import DeskHTTP
import DeskJSON
import DeskLinks
public import DeskMessages
public import DeskModel

extension CustomerDevice {
    /// Most bytes of a merchant's answer; a longer one is no answer.
    static let maximumAnswerBytes = 262_144

    /// Calls a merchant's endpoint as a device does, and judges the answer (protocol page 3.6).
    ///
    /// The call and its answer are in the wire log of the business's provider, when it has one.
    /// Limit: a few seconds in time; 256 KiB in answer. Redirects are failures. External merchants
    /// are called for test businesses only: the token is worth nothing.
    public func call(
        _ call: PaymentCall, for request: StoredMessage, of business: Business,
        in conversation: ConversationID
    ) async -> PaymentCallResult {
        let payload = request.payload.carriedBytes ?? []
        guard let address = call.address(in: payload) else { return .notAsked }
        guard business.mode == .test else {
            return .failed(
                PaymentCallFault(
                    .notATest, "\(call.endpointName) is asked for test businesses only"))
        }
        if case .pay = call, let mismatch = PaymentCall.gatewayMismatch(in: payload) {
            return .failed(PaymentCallFault(.invalid, mismatch))
        }
        let body = call.body(of: payload)
        // The customer waits, however steadily the merchant answers.
        let asked = OutgoingRequest.bounded(
            .post, address,
            headers: ["Content-Type": "application/json", "Accept": "application/json"],
            body: .bytes(body), timeout: call.timeout, answerLimit: Self.maximumAnswerBytes)
        let sending = WireSending(
            asked, body: body, over: parts.links.find(.provider, of: business.id),
            conversation: conversation, message: request.id, parts)
        let outcome = await sending.send()
        var findings: [JSON] = []
        let result = judge(
            outcome, of: call, at: address, in: business.mode,
            currency: PaymentCall.currency(of: payload), findings: &findings)
        if case .failed(let fault) = result, findings.isEmpty {
            findings = [["severity": "error", "found": .string(fault.sentence)]]
        }
        await parts.note(sending.exchange(outcome, findings: findings))
        return result
    }

    // MARK: Parts

    private func judge(
        _ outcome: WireSending.Outcome, of call: PaymentCall, at address: String, in mode: Mode,
        currency: String?, findings: inout [JSON]
    ) -> PaymentCallResult {
        let name = call.endpointName
        switch outcome {
        case .failure(let error):
            let code: PaymentCallFault.Code = error.code == .timeout ? .timeout : .unreachable
            let host = ProviderAnswer.host(of: address)
            return .failed(PaymentCallFault(code, "\(name): no answer from \(host): \(error)"))
        case .success(let (answer, body)):
            guard (200...299).contains(answer.status.code) else {
                return .failed(
                    PaymentCallFault(
                        .status, "\(name) answered \(answer.status.code); only 2xx is an answer"))
            }
            guard let document = call.answerDocument else { return .answered(Self.nothing) }
            let judgement = parts.rulebook.judge(
                body, asDocument: document,
                JudgementContext(
                    direction: .inbound, now: parts.time.now(), profile: .lenient, mode: mode,
                    currency: currency))
            guard let judgement else { return .answered(Self.nothing) }
            findings = judgement.findings.map(\.json)
            if let fault = judgement.fault {
                return .failed(
                    PaymentCallFault(.invalid, "\(name) answered no JSON: \(fault.sentence)"))
            }
            if let error = judgement.errors.first {
                let place = error.pointer.isEmpty ? "the answer" : error.pointer
                return .failed(
                    PaymentCallFault(
                        .invalid, "\(name), \(place): \(error.sentence) \(error.fix)"))
            }
            return .answered(judgement.document ?? Self.nothing)
        }
    }

    /// An answer that says nothing.
    private static var nothing: JSONDocument {
        do { return try JSONDocument(parsing: "{}") } catch {
            preconditionFailure("{} is JSON")
        }
    }
}

extension PaymentCall {
    /// How long a device waits; together the waits stay within a handler's time.
    fileprivate var timeout: Duration {
        switch self {
        case .paymentMethod, .shippingContact, .shippingMethod: .seconds(8)
        case .pay: .seconds(9)
        case .track: .seconds(3)
        }
    }
}
