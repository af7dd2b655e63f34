import DeskBroker
import DeskHTTP
import DeskJSON
import DeskLinks
import DeskLog
import DeskModel

/// Asks the Graph API for a business's number, and keeps the exchange.
struct WhatsAppClient: Sendable {
    /// A page of templates has some hundred values for each.
    private static let limits = JSONLimits(nodes: 200_000)

    let parts: GatewayParts
    let link: GatewayLink
    let secrets: WhatsAppSecrets
    let conversation: ConversationID?
    let message: MessageID?
    /// The request that makes us ask; its trace is passed on.
    var trace: RequestTrace?

    /// An address below the Graph API's base.
    func address(_ path: String) -> String {
        var base = Substring(link.url)
        while base.utf8.last == UInt8(ascii: "/") { base = base.dropLast() }
        return base + path
    }

    /// The fields that every request has.
    var fields: HeaderFields {
        var fields: HeaderFields = ["Authorization": "Bearer \(secrets.accessToken)"]
        if let trace = trace?.field { fields.append("traceparent", trace) }
        return fields
    }

    /// Asks for JSON; any other status than 2xx is a fault.
    ///
    /// - Parameter findings: what is kept beside the exchange.
    func askJSON(
        _ request: OutgoingRequest, body: [UInt8] = [], findings: [JSON] = []
    ) async throws(WhatsAppFault) -> JSONValue {
        let sending = makeSending(request, body)
        let outcome = await sending.send()
        let result: Result<JSONValue, WhatsAppFault> = result(of: outcome, from: request)
        var all = findings
        if case .failure(let fault) = result {
            all.append(["severity": "error", "found": .string(fault.detail)])
        }
        await parts.note(sending.exchange(outcome, findings: all))
        return try result.get()
    }

    /// Asks for what would be done twice if it were asked for again: 2xx counts, whether or not the answer can be read.
    ///
    /// - Returns: the answer; nil for one that cannot be read.
    func submit(
        _ request: OutgoingRequest, body: [UInt8], findings: [JSON] = []
    ) async throws(WhatsAppFault) -> JSONValue? {
        var sending = makeSending(request, body)
        sending.needsBody = false
        let outcome = await sending.send()
        switch result(of: outcome, from: request) {
        case .success(let answer):
            await parts.note(sending.exchange(outcome, findings: findings))
            return answer
        case .failure(let fault):
            let isAccepted = fault.status.map { (200...299).contains($0) } ?? false
            let finding: JSON = [
                "severity": isAccepted ? "warning" : "error",
                "found": .string(
                    isAccepted ? "\(fault.detail): it counts as accepted" : fault.detail),
            ]
            await parts.note(sending.exchange(outcome, findings: findings + [finding]))
            guard isAccepted else { throw fault }
            parts.log.warning(
                "whatsapp_answer_unreadable",
                ["link": .text(link.id.text), "message": .text(message?.text ?? "")])
            return nil
        }
    }

    private func makeSending(_ request: OutgoingRequest, _ body: [UInt8]) -> WireSending {
        WireSending(
            request, body: body, over: link, conversation: conversation, message: message, parts)
    }

    private func result(
        of outcome: WireSending.Outcome, from request: OutgoingRequest
    ) -> Result<JSONValue, WhatsAppFault> {
        switch outcome {
        case .failure(let error):
            // It may have arrived: then the answer is lost, and it is sent a second time.
            return .failure(
                WhatsAppFault(
                    status: nil,
                    detail: "no answer from \(ProviderAnswer.host(of: request.url)): \(error)",
                    .later))
        case .success(let got):
            guard (200...299).contains(got.answer.status.code) else {
                return .failure(WhatsAppFault(got.answer, got.body, at: parts.time.now()))
            }
            // Safe: the reason is in the sentence that follows.
            guard let root = try? JSONDocument(parsing: got.body, limits: Self.limits).root else {
                return .failure(
                    WhatsAppFault(
                        status: got.answer.status.code, detail: "the answer is no JSON", .later))
            }
            return .success(root)
        }
    }
}
