import DeskHTTP
import DeskModel
import DeskWebhooks

/// A program on this machine or near it, to which events are posted as an endpoint gets them.
struct LocalReceiver: Sendable {
    /// How long an attempt may last.
    static let timeout: Duration = .seconds(15)
    /// The waits between attempts while the receiver is away; after the last one the event is given up.
    static let waits: [Duration] = [
        .milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(15),
        .seconds(15), .seconds(15),
    ]
    /// How much of an answer is shown, in characters of its first line.
    private static let shownCharacters = 120

    /// What became of an event.
    struct Outcome: Sendable, Equatable {
        /// Whether the receiver answered 2xx.
        let isDelivered: Bool
        /// What to show: status, milliseconds and the answer's first line, or why there was none.
        let text: String
    }

    let url: String
    let signer: WebhookSigner
    let client: any OutgoingClient
    let time: TimeSource

    /// Posts an event, again while the receiver is away: it does not answer, or 429, 502, 503 or 504.
    ///
    /// Limit: nine attempts within about a minute. Cancel: honoured; then the event counts as not delivered.
    ///
    /// - Parameter isAway: called once, before the first wait, with what the receiver did.
    func post(
        _ body: [UInt8], id: WebhookMessageID, isAway: (String) -> Void = { _ in }
    ) async -> Outcome {
        for (number, wait) in Self.waits.enumerated() {
            let (outcome, mayRetry) = await attempt(body, id: id)
            guard mayRetry else { return outcome }
            if number == 0 { isAway(outcome.text) }
            do { try await time.sleep(wait) } catch { return outcome }
        }
        let (outcome, mayRetry) = await attempt(body, id: id)
        guard mayRetry else { return outcome }
        let count = Self.waits.count + 1
        return Outcome(
            isDelivered: false, text: "given up after \(count) attempts: \(outcome.text)")
    }

    /// Posts once; whether the receiver is away, so that another attempt may help.
    func attempt(
        _ body: [UInt8], id: WebhookMessageID
    ) async -> (outcome: Outcome, isAway: Bool) {
        let signed = signer.sign(
            id: id, atSeconds: time.now().milliseconds / 1_000, body: body)
        var headers: HeaderFields = ["Content-Type": "application/json"]
        for field in signed.fields { headers.append(field.name, field.value) }
        let began = time.instant()
        do throws(OutgoingError) {
            let answer = try await client.open(
                OutgoingRequest(
                    .post, url, headers: headers, body: .bytes(body), timeout: Self.timeout))
            let line = await firstLine(of: answer.body)
            let passed = Int(began.duration(to: time.instant()) / .milliseconds(1))
            let code = answer.status.code
            let isDelivered = (200...299).contains(code)
            // What a receiver says of a webhook that it accepts is of no interest here.
            let more = isDelivered || line.isEmpty ? "" : ": \(line)"
            return (
                Outcome(isDelivered: isDelivered, text: "\(code) (\(passed) ms)\(more)"),
                [429, 502, 503, 504].contains(code)
            )
        } catch {
            let isLasting = error.code == .address || error.code == .forbidden
            return (
                Outcome(isDelivered: false, text: "no answer: \(error)"),
                !isLasting && error.code != .cancelled
            )
        }
    }

    /// The first line of an answer's first piece, without what could steer a terminal.
    private func firstLine(of body: RequestBody) async -> String {
        // Safe: an answer that is cut off is shown as far as it got.
        let piece = (try? await body.next()) ?? []
        let line = String(decoding: piece.prefix(1_024), as: UTF8.self)
            .prefix { $0 != "\n" && $0 != "\r\n" }
        return String(
            line.unicodeScalars.filter { $0.properties.generalCategory != .control }
                .map(Character.init).prefix(Self.shownCharacters))
    }
}
