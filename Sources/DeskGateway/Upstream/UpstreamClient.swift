import DeskBroker
import DeskHTTP
import DeskJSON
import DeskLinks
import DeskModel

/// Speaks to an upstream gateway as a provider: signs, asks, keeps the exchange.
struct UpstreamClient: Sendable {
    /// Why something could not be had from the upstream.
    struct Fault: Error {
        /// The status answered; nil when no answer came.
        let status: Int?
        let detail: String
        var retryAfter: Duration?
        /// Whether asking again gives nothing else: what is asked for is gone, or cannot be read.
        var isFinal = false
    }

    let parts: GatewayParts
    let link: GatewayLink
    let conversation: ConversationID?
    var message: MessageID?
    /// The request that makes us ask; its trace is passed on.
    var trace: RequestTrace?

    var settings: LinkSettings { LinkSettings(link.settings) }

    /// The business's id as the upstream knows it.
    var business: BusinessID { settings.upstreamBusiness ?? link.business }

    /// An address below the upstream's base.
    func address(_ path: String) -> String {
        var base = Substring(link.url)
        while base.utf8.last == UInt8(ascii: "/") { base = base.dropLast() }
        return base + path
    }

    /// The fields that every request has (protocol page 1.3, 1.4).
    var fields: HeaderFields {
        let claims = TokenClaims(
            issuer: link.mspID, issuedAt: parts.time.now().milliseconds / 1_000)
        var fields: HeaderFields = [
            "Authorization": "Bearer \(JSONWebToken.sign(claims, key: link.secret))",
            "source-id": business.text,
        ]
        if let trace = trace?.field { fields.append("traceparent", trace) }
        return fields
    }

    /// Asks and keeps the exchange; whatever status comes is an answer.
    ///
    /// - Parameter needsBody: whether 2xx counts only with its whole body.
    func ask(
        _ request: OutgoingRequest, body: [UInt8] = [], needsBody: Bool = true
    ) async throws(Fault) -> (answer: OutgoingAnswer, body: [UInt8]) {
        var sending = WireSending(
            request, body: body, over: link, conversation: conversation, message: message, parts)
        sending.needsBody = needsBody
        let outcome = await sending.send()
        switch outcome {
        case .success(let got):
            let isFine = (200...299).contains(got.answer.status.code)
            let finding = isFine ? nil : Self.sentence(got.answer, got.body, request)
            await parts.note(sending.exchange(outcome, finding: finding))
            return got
        case .failure(let error):
            let detail = "no answer from \(ProviderAnswer.host(of: request.url)): \(error)"
            await parts.note(sending.exchange(outcome, finding: detail))
            throw Fault(status: nil, detail: detail)
        }
    }

    /// Asks for JSON; any other status than 200 is a fault.
    func askJSON(_ request: OutgoingRequest, body: [UInt8] = []) async throws(Fault) -> JSONValue {
        let got = try await ask(request, body: body)
        guard got.answer.status == .ok else {
            throw fault(got.answer, got.body, request)
        }
        // Safe: the reason is in the sentence that follows.
        guard let root = try? JSONDocument(parsing: got.body).root else {
            throw Fault(status: 200, detail: "the answer of \(request.url) is no JSON")
        }
        return root
    }

    /// An answer that is none of the wanted, as a fault.
    func fault(
        _ answer: OutgoingAnswer, _ body: [UInt8], _ request: OutgoingRequest
    ) -> Fault {
        Fault(
            status: answer.status.code, detail: Self.sentence(answer, body, request),
            retryAfter: RetryAfter.wait(answer.headers, at: parts.time.now()))
    }

    /// The upstream's own words, which are one line of plain text (protocol page 1.6).
    private static func sentence(
        _ answer: OutgoingAnswer, _ body: [UInt8], _ request: OutgoingRequest
    ) -> String {
        let words = String(decoding: body.prefix(300), as: UTF8.self)
        let line = words.prefix { !$0.isNewline }
        return line.isEmpty ? "answered \(answer.status.code)" : "answered: \(line)"
    }
}
