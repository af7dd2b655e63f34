import DeskHTTP
package import DeskModel

/// What one post to an endpoint led to.
package struct WebhookOutcome: Sendable {
    /// The answer's status; nil without an answer.
    package let status: Int?
    /// What happened, in a sentence without secrets.
    package let detail: String
    /// The beginning of the answer's body; nil without an answer.
    package let answer: [UInt8]?
    /// How long the answer asks to wait.
    package let retryAfter: Duration?
    /// How long it lasted.
    package let milliseconds: Int

    /// Whether the endpoint accepted it.
    package var isAccepted: Bool { status.map { (200...299).contains($0) } ?? false }

    /// Whether the endpoint wants no more events.
    package var isGone: Bool { status == 410 }

    /// As what an attempt came to.
    package func attempt(at time: Timestamp) -> DeliveryAttempt {
        DeliveryAttempt(
            time: time, status: status, detail: detail, milliseconds: milliseconds, answer: answer)
    }

    /// As what a test event led to.
    package var probe: WebhookProbe {
        WebhookProbe(status: status, detail: detail, milliseconds: milliseconds)
    }

    /// As what a wrongly signed test event led to, of which a refusal is what is expected.
    package var forgedProbe: WebhookProbe {
        let sentence: String
        switch status {
        case .some(200...299):
            sentence = "accepted, although it is signed wrongly: does it verify the signature?"
        case .some(let code) where (400...499).contains(code):
            sentence = "refused with \(code), as it should be"
        case .some, nil: sentence = detail
        }
        return WebhookProbe(status: status, detail: sentence, milliseconds: milliseconds)
    }

    init(
        _ answer: OutgoingAnswer, body: [UInt8], milliseconds: Int, at now: Timestamp
    ) {
        status = answer.status.code
        detail = Self.sentence(answer)
        self.answer = body
        retryAfter = RetryAfter.wait(answer.headers, at: now)
        self.milliseconds = milliseconds
    }

    init(_ error: OutgoingError, milliseconds: Int) {
        status = nil
        detail = "no answer: \(error)"
        answer = nil
        retryAfter = nil
        self.milliseconds = milliseconds
    }

    /// An attempt that could not be made.
    init(notMade detail: String) {
        status = nil
        self.detail = detail
        answer = nil
        retryAfter = nil
        milliseconds = 0
    }

    private static func sentence(_ answer: OutgoingAnswer) -> String {
        let code = answer.status.code
        switch code {
        case 200...299: return "accepted"
        case 300...399:
            // A query may say anything of what was posted.
            let whole = answer.headers["location"] ?? "nowhere"
            let place = String(
                decoding: whole.utf8.prefix { $0 != 0x3F }.prefix(200), as: UTF8.self)
            return "answered \(code) and points to \(place): redirects are not followed; "
                + "give that address to the endpoint"
        case 401, 403:
            return "answered \(code): does it verify with the secret that is valid now?"
        case 410: return "answered 410: it wants no more events"
        case 429: return "answered 429: it wants fewer events"
        default: return "answered \(code)"
        }
    }
}
