import DeskBytes
import DeskHTTP
import DeskJSON
import DeskModel
import Synchronization

/// An identity provider that is asked by OpenID Connect with the authorization code flow and PKCE.
///
/// Nothing is asked at the start, and nothing for a page: only when a person signs in. What the provider
/// publishes of itself is remembered. Secret: the client's secret, codes and tokens go into no log.
final class OpenIDProvider: IdentityProvider {
    /// Most sign-ins that ask the provider at once, in this process; one more is refused.
    static let maximumAtOnce = 16
    /// Deadline of one request to the provider.
    static let answerTime = Duration.seconds(10)
    /// The longest that a sign-in waits for it: the document, the code, the keys twice.
    static let longestWait = Duration.seconds(45)
    /// Most bytes of an answer of it; a longer one is a failure.
    static let maximumAnswerBytes = 256 * 1_024
    /// How long what it publishes of itself is used.
    static let publishedTime = Duration.seconds(3_600)
    /// How long a failure to read it is believed, so that a provider that is down is not asked by each click.
    static let failureTime = Duration.seconds(5)
    /// How often keys are read again because no known one fits a token.
    static let rereadingTime = Duration.seconds(30)

    private let settings: OpenIDSettings
    private let client: any OutgoingClient
    private let time: TimeSource
    private let state = Mutex(State())

    private struct State: Sendable {
        var underWay = 0
        var document: (value: ProviderDocument, at: ContinuousClock.Instant)?
        var failure: (value: SignOnFault, at: ContinuousClock.Instant)?
        var keys: (value: SigningKeys, at: ContinuousClock.Instant)?
        /// When keys were read last because of a token that no known one fits.
        var reread: ContinuousClock.Instant?
    }

    /// A provider, asked with a client whose rules of addresses hold.
    init(_ settings: OpenIDSettings, client: any OutgoingClient, time: TimeSource) {
        self.settings = settings
        self.client = client
        self.time = time
    }

    var issuer: String { settings.issuer }

    func authorizationURL(
        for state: SignOnState, redirectURI: String
    ) async throws(SignOnFault) -> String {
        let query = Query(items: [
            Query.Item(name: "response_type", value: "code"),
            Query.Item(name: "client_id", value: settings.client),
            Query.Item(name: "redirect_uri", value: redirectURI),
            Query.Item(name: "scope", value: "openid email profile"),
            Query.Item(name: "state", value: state.state),
            Query.Item(name: "nonce", value: state.nonce),
            Query.Item(name: "code_challenge", value: state.verifier.challenge),
            Query.Item(name: "code_challenge_method", value: "S256"),
        ])
        return Self.adding(query, to: try await document().authorizationEndpoint)
    }

    func signOutURL(returningTo page: String) -> String? {
        guard let endpoint = state.withLock({ $0.document?.value.endSessionEndpoint }) else {
            return nil
        }
        let query = Query(items: [
            Query.Item(name: "client_id", value: settings.client),
            Query.Item(name: "post_logout_redirect_uri", value: page),
        ])
        return Self.adding(query, to: endpoint)
    }

    /// Exchanges a code for the ID token, and reads who it says the person is.
    func person(
        code: String, for state: SignOnState, redirectURI: String
    ) async throws(SignOnFault) -> ProvidedPerson {
        let document = try await document()
        try begin()
        defer { end() }
        let text = try await idToken(
            for: code, state.verifier, redirectURI: redirectURI, from: document)
        do throws(IDTokenFault) {
            let token = try IDToken(text)
            try await verify(token, document)
            let rules = IDTokenRules(
                issuer: settings.issuer, client: settings.client, nonce: state.nonce)
            return ProvidedPerson(
                identity: try rules.check(token.claims, at: time.now()), email: token.claims.email,
                isEmailVerified: token.claims.isEmailVerified, name: token.claims.name)
        } catch {
            throw SignOnFault(
                isPassing: error == .noKeys, step: "id_token", detail: error.rawValue)
        }
    }

    // MARK: What the provider publishes

    private func document() async throws(SignOnFault) -> ProviderDocument {
        let now = time.instant()
        let known = state.withLock { state -> Result<ProviderDocument, SignOnFault>? in
            if let found = state.document, found.at.duration(to: now) < Self.publishedTime {
                return .success(found.value)
            }
            if let failure = state.failure, failure.at.duration(to: now) < Self.failureTime {
                return .failure(failure.value)
            }
            return nil
        }
        if let known { return try known.get() }
        try begin()
        defer { end() }
        do throws(SignOnFault) {
            let bytes = try await ask(
                OutgoingRequest(.get, ProviderDocument.url(of: settings.issuer)), "discovery")
            let found = try ProviderDocument(bytes, issuer: settings.issuer)
            state.withLock {
                $0.document = (found, time.instant())
                $0.failure = nil
            }
            return found
        } catch {
            state.withLock { $0.failure = (error, time.instant()) }
            throw error
        }
    }

    /// Verifies a signature; keys are read again, now and then, for a token that no known one fits: it names
    /// another, or the provider has given a name, or none, to a new key.
    private func verify(
        _ token: IDToken, _ document: ProviderDocument
    ) async throws(IDTokenFault) {
        let now = time.instant()
        let known = state.withLock { state -> SigningKeys? in
            guard let keys = state.keys, keys.at.duration(to: now) < Self.publishedTime else {
                return nil
            }
            return keys.value
        }
        guard let known else { return try await readKeys(document).verify(token) }
        do throws(IDTokenFault) {
            try known.verify(token)
        } catch {
            guard error == .unknownKey || error == .signature, mayReread(now) else { throw error }
            try await readKeys(document).verify(token)
        }
    }

    private func mayReread(_ now: ContinuousClock.Instant) -> Bool {
        state.withLock { state in
            if let last = state.reread, last.duration(to: now) < Self.rereadingTime { return false }
            state.reread = now
            return true
        }
    }

    private func readKeys(_ document: ProviderDocument) async throws(IDTokenFault) -> SigningKeys {
        // Safe: that there are no keys is all that a caller needs.
        guard let bytes = try? await ask(OutgoingRequest(.get, document.keysURL), "keys"),
            let keys = SigningKeys(bytes)
        else { throw .noKeys }
        state.withLock { $0.keys = (keys, time.instant()) }
        return keys
    }

    // MARK: Requests

    private func idToken(
        for code: String, _ verifier: CodeVerifier, redirectURI: String,
        from document: ProviderDocument
    ) async throws(SignOnFault) -> String {
        var items = [
            Query.Item(name: "grant_type", value: "authorization_code"),
            Query.Item(name: "code", value: code),
            Query.Item(name: "redirect_uri", value: redirectURI),
            Query.Item(name: "code_verifier", value: verifier.text),
        ]
        var request = OutgoingRequest(
            .post, document.tokenEndpoint,
            headers: ["Content-Type": "application/x-www-form-urlencoded"])
        if let secret = settings.secret, !document.wantsSecretInBody {
            // RFC 6749 2.3.1: both are written as in a form, then joined.
            let pair =
                "\(PercentCoding.encode(settings.client)):\(PercentCoding.encode(secret))"
            request.headers.append("Authorization", "Basic \(Base64.encode(Array(pair.utf8)))")
        } else {
            items.append(Query.Item(name: "client_id", value: settings.client))
            if let secret = settings.secret {
                items.append(Query.Item(name: "client_secret", value: secret))
            }
        }
        request.body = .bytes(Array(FormCoding.encode(Query(items: items)).utf8))
        let bytes = try await ask(request, "token")
        guard let root = JSONValue.parsed(bytes), let token = root["id_token"]?.string else {
            throw .wrong("token", "no_id_token")
        }
        return token
    }

    private func ask(
        _ request: OutgoingRequest, _ step: String
    ) async throws(SignOnFault) -> [UInt8] {
        var request = request
        request.headers.append("Accept", "application/json")
        request.timeout = Self.answerTime
        request.answerLimit = Self.maximumAnswerBytes
        let answer: OutgoingAnswer
        do throws(OutgoingError) { answer = try await client.send(request) } catch {
            throw .unreachable(step, error.code.rawValue)
        }
        guard answer.status.code == 200 else {
            // A provider refuses a code or a client with 400 or 401, and trying again changes nothing.
            let isPassing = answer.status.code >= 500 || answer.status.code == 429
            throw SignOnFault(
                isPassing: isPassing, step: step, detail: "status_\(answer.status.code)")
        }
        do throws(BodyError) {
            return try await answer.body.collect(upTo: Self.maximumAnswerBytes)
        } catch { throw .unreachable(step, "cut") }
    }

    private func begin() throws(SignOnFault) {
        let mayBegin = state.withLock { state in
            guard state.underWay < Self.maximumAtOnce else { return false }
            state.underWay += 1
            return true
        }
        guard mayBegin else { throw .unreachable("provider", "busy") }
    }

    private func end() { state.withLock { $0.underWay -= 1 } }

    private static func adding(_ query: Query, to address: String) -> String {
        "\(address)\(address.utf8.contains(UInt8(ascii: "?")) ? "&" : "?")\(FormCoding.encode(query))"
    }
}
