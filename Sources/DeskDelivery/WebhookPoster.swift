public import DeskHTTP
import DeskJSON
public import DeskModel
import DeskWebhooks

/// Posts signed events to endpoints.
public struct WebhookPoster: Sendable {
    /// What a test event says as its type, unless it says that of another event.
    package static let testType = "webhook.test"
    /// The deadline of one exchange.
    package static let timeout = Duration.seconds(15)
    /// The deadline of an exchange that a person waits for.
    static let trialTimeout = Duration.seconds(5)
    /// Most bytes of an answer; a longer one is a failure.
    package static let mostRead = 262_144

    /// Most posts of test events at once, of one business and of all, in this process.
    package static let trialsOfBusiness = 4
    package static let trialsAtOnce = 16

    private let trials = TrialPlaces()
    private let client: any OutgoingClient
    private let time: TimeSource
    private let agent: String

    /// Posts with a client, whose rules of addresses hold at every attempt.
    ///
    /// - Parameter version: the server's, for `User-Agent`.
    public init(client: any OutgoingClient, time: TimeSource, version: String) {
        self.client = client
        self.time = time
        agent = "Frontdesk/\(version)"
    }

    /// Fields of every post beside those of the signature and the endpoint's own.
    package var fields: [(name: String, value: String)] {
        [("content-type", "application/json"), ("user-agent", agent)]
    }

    /// Posts a body under an id, the same at every attempt, and waits for the answer.
    ///
    /// Limit: the time of `timeout`; an answer has up to 256 KiB. Cancel: honoured; the post may have arrived.
    ///
    /// - Parameter isForged: whether it is signed with a key that the endpoint does not have.
    package func post(
        _ body: [UInt8], as id: String, to webhook: Webhook, isForged: Bool = false,
        within timeout: Duration = Self.timeout
    ) async -> WebhookOutcome {
        guard !webhook.isSecretUnreadable else {
            return WebhookOutcome(
                notMade: "the secret of the endpoint cannot be read: make another one")
        }
        let now = time.now()
        guard let name = WebhookMessageID(id),
            let signer = isForged ? Self.forger(for: webhook) : Self.signer(for: webhook, at: now)
        else { return WebhookOutcome(notMade: "the secret of the endpoint cannot be used") }
        let signed = signer.sign(
            id: name, atSeconds: max(0, now.milliseconds / 1_000), body: body)
        var headers = HeaderFields()
        for (name, value) in fields + signed.fields { headers.append(name, value) }
        for header in webhook.headers { headers.append(header.name, header.value) }
        let request = OutgoingRequest(
            .post, webhook.url, headers: headers, body: .bytes(body), timeout: timeout,
            longest: timeout, answerLimit: Self.mostRead)
        let begin = time.instant()
        func milliseconds() -> Int { Int(begin.duration(to: time.instant()) / .milliseconds(1)) }
        do throws(OutgoingError) {
            let answer = try await client.send(request)
            // Safe: the client has collected the body already; the status is what counts.
            let body = (try? await answer.body.collect(upTo: Self.mostRead)) ?? []
            return WebhookOutcome(
                answer, body: body, milliseconds: milliseconds(), at: time.now())
        } catch {
            return WebhookOutcome(error, milliseconds: milliseconds())
        }
    }

    /// Keeps a place for a person who waits for test events of a business, while `use` posts them.
    ///
    /// They go beside the attempts of events, which they must not keep from a connection.
    /// - Returns: nil where too many wait already.
    package func trying<Outcome>(
        of business: BusinessID, _ use: () async -> Outcome
    ) async -> Outcome? {
        guard trials.begin(business) else { return nil }
        defer { trials.end(business) }
        return await use()
    }

    /// Posts a test event, within 5 s.
    ///
    /// - Parameter data: the text of its data, a JSON object.
    package func test(
        _ webhook: Webhook, type: String = testType, data: [UInt8] = Array("{}".utf8),
        id: UniqueID, isForged: Bool = false
    ) async -> WebhookOutcome {
        let name = "test-\(id.text)"
        let body = JSONWriter.object { text in
            text.member("id", name)
            text.member("type", type)
            text.member("time", time.now())
            text.member("business", webhook.business.text)
            text.member("conversation", nil as String?)
            text.member("sequence") { $0.null() }
            text.member("schema", Event.schema)
            if webhook.payload == .full { text.member("data", raw: data) }
        }
        return await post(
            body, as: name, to: webhook, isForged: isForged,
            within: Self.trialTimeout)
    }

    /// Finds out whether an endpoint verifies signatures.
    package func shake(_ webhook: Webhook, ids: (UniqueID, UniqueID)) async -> WebhookHandshake {
        let signed = await test(webhook, id: ids.0).probe
        let forged = await test(webhook, id: ids.1, isForged: true).forgedProbe
        return WebhookHandshake(time: time.now(), signed: signed, forged: forged)
    }

    /// Signs with what is valid at a moment, the newest first.
    private static func signer(for webhook: Webhook, at now: Timestamp) -> WebhookSigner? {
        var secrets = [webhook.secret]
        if let former = webhook.formerSecret, former.until > now { secrets.append(former.bytes) }
        // Safe: what cannot be read is reported as an attempt that could not be made.
        switch webhook.signing {
        case .v1:
            guard let keys = try? secrets.map({ try WebhookSecret(bytes: $0) }) else { return nil }
            return WebhookSigner(secrets: keys)
        case .v1a:
            guard let keys = try? secrets.map({ try WebhookSigningKey(seed: $0) }) else {
                return nil
            }
            return WebhookSigner(secrets: [], keys: keys)
        }
    }

    private static func forger(for webhook: Webhook) -> WebhookSigner? {
        switch webhook.signing {
        case .v1: WebhookSigner(secrets: [.make()])
        case .v1a: WebhookSigner(secrets: [], keys: [.make()])
        }
    }
}
