import DeskBytes
import DeskHTTP
import DeskJSON
import DeskLog
import DeskModel
import DeskStore
import DeskWeb

/// The sign-in with a passkey: its device or its manager has made sure who is there, so that neither the password nor the
/// code of a second factor is asked for.
struct PasskeySignIn {
    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    /// Answers what the browser asks a passkey by: any that the person has for this site.
    func begin() async throws(Problem) -> Response {
        var fields = try Fields(try await context.jsonBytes())
        try fields.finish()
        let site = try services.requirePasskeySite(of: context.request)
        let challenge = services.passkeyChallenges.make(for: .signIn, at: services.time.latest())
        return .json(
            JSONWriter.object {
                $0.member("challenge", Base64.encode(challenge, alphabet: .url))
                $0.member("rpId", site.host)
                $0.member("timeout", PasskeyChallenges.milliseconds)
                $0.member("userVerification", "required")
            })
    }

    func signIn() async throws(Problem) -> Response {
        var fields = try Fields(try await context.jsonBytes())
        let answer = PasskeyFields.SignIn(&fields)
        try fields.finish()
        guard let answer else { throw .notFound }
        let site = try services.requirePasskeySite(of: context.request)
        let found = try await services.asking { store throws(StoreError) in
            try await store.findPasskey(answer.id)
        }
        guard let passkey = found, passkey.agent.handle == answer.userHandle else {
            throw refuse("unknown", of: found?.agent)
        }
        let (challenge, counter, end): ([UInt8], Int64, Timestamp)
        do throws(PasskeyFault) {
            (challenge, counter, end) = try judge(answer, by: passkey, at: site)
        } catch {
            throw refuse(error.rawValue, of: passkey.agent)
        }
        let now = services.time.now()
        let refusal = try await services.asking { store throws(StoreError) -> String? in
            guard try await store.useCode(PasskeyChallenges.digest(of: challenge), until: end)
            else { return "used" }
            let isNoted = try await store.usePasskey(passkey.id, counter: counter, at: now)
            return isNoted ? nil : "counter"
        }
        if let refusal { throw refuse(refusal, of: passkey.agent) }
        let response = try await begin(passkey)
        context.log.info(
            "signed_in", ["agent": .text(passkey.agent.text), "by": .text("passkey")])
        return response
    }

    private func judge(
        _ answer: PasskeyFields.SignIn, by passkey: Passkey, at site: PasskeySite
    ) throws(PasskeyFault) -> (challenge: [UInt8], counter: Int64, end: Timestamp) {
        let client = try PasskeyClientData(answer.clientData, .signIn, at: site)
        guard
            let end = services.passkeyChallenges.expiry(
                of: client.challenge, for: .signIn, at: services.time.latest())
        else { throw .challenge }
        let data = try AuthenticatorData(answer.authenticatorData, at: site)
        guard data.isSigned(answer.signature, client, by: passkey) else { throw .signature }
        return (client.challenge, data.counter, end)
    }

    /// Begins a session, unless the passkey was removed meanwhile: what removed it has ended the sessions that were there.
    private func begin(_ passkey: Passkey) async throws(Problem) -> Response {
        let browser = BrowserTokens(of: context.request, services)
        let routes = SessionRoutes(context)
        let begun = try await routes.beginSession(
            of: passkey.agent, in: browser, isByPasskey: true)
        let still = try await services.asking { store throws(StoreError) in
            try await store.findPasskey(passkey.credential)
        }
        guard still?.id == passkey.id else {
            try await services.agentSessions.end(
                begun.principal.session, author: .agent(passkey.agent))
            throw refuse("removed", of: passkey.agent)
        }
        var response = try await routes.answer(begun.principal, .ok)
        for cookie in begun.cookies { response.headers.append("Set-Cookie", cookie.text) }
        return response
    }

    private func refuse(_ detail: String, of agent: AgentID?) -> Problem {
        if services.signInFailures.noteFailure(from: context.request.peer, in: context.log) {
            context.log.info(
                "passkey_refused",
                ["agent": .text(agent?.text ?? "-"), "detail": .text(detail)])
        }
        return Problem(
            .unauthenticated,
            "This passkey signs no account in, or not any more: sign in another way.")
    }
}
