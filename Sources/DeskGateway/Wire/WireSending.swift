import DeskHTTP
import DeskJSON
import DeskModel

/// One request of ours over a link, with what the wire log keeps of it.
struct WireSending: Sendable {
    let request: OutgoingRequest
    /// The body as it was before it was packed.
    let body: [UInt8]
    /// Whose wire log keeps it; nil keeps nothing.
    let link: GatewayLink?
    let conversation: ConversationID?
    var message: MessageID?
    /// Whether an answer counts only with its whole body; else 2xx counts without what of it could not be read.
    var needsBody = true
    private let parts: GatewayParts
    private let time: Timestamp
    private let begin: ContinuousClock.Instant

    init(
        _ request: OutgoingRequest, body: [UInt8], over link: GatewayLink?,
        conversation: ConversationID?, message: MessageID? = nil, _ parts: GatewayParts
    ) {
        self.request = request
        self.body = body
        self.link = link
        self.conversation = conversation
        self.message = message
        self.parts = parts
        time = parts.time.now()
        begin = parts.time.instant()
    }

    /// What came of it: an answer with its body read, or why none came.
    typealias Outcome = Result<(answer: OutgoingAnswer, body: [UInt8]), OutgoingError>

    /// Asks, once.
    func send() async -> Outcome {
        do throws(OutgoingError) {
            let answer =
                try await needsBody ? parts.client.send(request) : parts.client.open(request)
            do throws(BodyError) {
                return .success((answer, try await answer.body.collect(upTo: request.answerLimit)))
            } catch {
                if !needsBody, (200...299).contains(answer.status.code) {
                    return .success((answer, []))
                }
                return .failure(OutgoingError(.cutOff, error.code))
            }
        } catch {
            return .failure(error)
        }
    }

    /// What is kept of it, with what went wrong as a sentence.
    func exchange(_ outcome: Outcome, finding: String?) -> WireExchange? {
        exchange(
            outcome,
            findings: finding.map { [["severity": "error", "found": .string($0)]] } ?? [])
    }

    /// What is kept of it.
    func exchange(_ outcome: Outcome, findings: [JSON]) -> WireExchange? {
        guard let link else { return nil }
        let passed = begin.duration(to: parts.time.instant())
        let sent: Int =
            switch request.body {
            case .empty: 0
            case .bytes(let bytes): bytes.count
            case .pieces(_, let byteCount): Int(byteCount)
            }
        var status: Int?
        var answer = WireExchange.Part(headers: [], body: [], byteCount: 0)
        if case .success(let got) = outcome {
            status = got.answer.status.code
            answer = .init(
                headers: WireText.blanked(got.answer.headers),
                body: WireText.blanked(body: got.body),
                byteCount: got.body.count)
        }
        return WireExchange(
            link: link.id, business: link.business, conversation: conversation, message: message,
            course: .sent, time: time, milliseconds: Int(passed / .milliseconds(1)),
            method: request.method.token, target: WireText.blanked(target: request.url),
            request: .init(
                headers: WireText.blanked(request.headers), body: WireText.blanked(body: body),
                byteCount: sent),
            status: status, answer: answer,
            findings: findings.isEmpty ? [] : JSON.array(findings).bytes())
    }
}
