import DeskAPI
import DeskCrypto
package import DeskGateway
import DeskHTTP
package import DeskMessages
package import DeskModel
import DeskStore
import DeskWeb

/// A customer's device that calls merchants outside, and signs in at the OAuth provider that the
/// sandbox plays.
package struct TestProviderDevice: DeviceWorks {
    private let gateway: GatewayParts
    private let provider: TestProvider

    /// Uses a gateway for its outgoing requests, and a provider.
    package init(_ gateway: GatewayParts, _ provider: TestProvider) {
        self.gateway = gateway
        self.provider = provider
    }

    /// Calls a merchant's endpoint and judges the answer; within seconds.
    package func call(
        _ call: PaymentCall, for request: StoredMessage, of business: Business,
        in conversation: ConversationID
    ) async -> PaymentCallResult {
        await CustomerDevice(gateway).call(
            call, for: request, of: business, in: conversation)
    }

    /// What keeps a sign-in request from being carried out; empty when nothing does.
    package func problems(of request: SignInRequest, in mode: Mode) -> [SignInProblem] {
        request.problems(in: mode, origin: gateway.origin) { key in
            // Safe: what is wrong with the key is one of the problems.
            (try? AuthenticationToken.point(of: key)) != nil
        }
    }

    /// Signs in at the sandbox's OAuth provider as the customer said, or does not (protocol page 3.7).
    ///
    /// Version 1: the access token is encrypted for the request's key. Version 2: the code goes to
    /// `redirectURI` with `state`, where the caller sends the browser. What cannot be carried out
    /// fails.
    package func signIn(
        _ signIn: SignIn, to request: SignInRequest, of business: Business
    ) -> SignedIn {
        var signIn = signIn
        let problems = problems(of: request, in: business.mode)
        if signIn.outcome == .granted, !problems.isEmpty {
            signIn.outcome = .failed
            signIn.fault = problems.contains(.keyNotAPoint) ? .noKey : .noCredentials
        }
        guard signIn.outcome == .granted else {
            let page = problems.isEmpty ? request.redirectURI : nil
            return SignedIn(
                signIn, redirect: refusal(signIn.outcome, of: request, to: page))
        }
        let now = gateway.time.now()
        var grant = TestProvider.Grant(
            business: business.id, name: signIn.name, scope: request.scope,
            redirectURI: request.redirectURI, expires: now)
        switch request.version {
        case .first:
            grant.expires = now.advanced(by: .seconds(TestProvider.accessSeconds))
            let token = provider.text(of: grant, for: .access)
            do throws(AuthenticationTokenFault) {
                signIn.sealedToken = try AuthenticationToken.seal(
                    token, for: request.responseEncryptionKey ?? "")
            } catch {
                signIn.outcome = .failed
                signIn.fault = .noKey
            }
            return SignedIn(signIn)
        case .second:
            grant.expires = now.advanced(by: .seconds(TestProvider.codeSeconds))
            let code = provider.text(of: grant, for: .code)
            return SignedIn(
                signIn,
                redirect: request.redirectURI.map {
                    Self.address($0, [("code", code), ("state", request.state)])
                })
        }
    }

    // RFC 6749 4.1.2.1: the error goes to the same page as the code would; a closed page goes nowhere.
    private func refusal(
        _ outcome: SignInOutcome, of request: SignInRequest, to page: String?
    ) -> String? {
        guard request.version == .second, let page else { return nil }
        let error: String
        switch outcome {
        case .refused: error = "access_denied"
        case .failed: error = "server_error"
        case .canceled, .granted: return nil
        }
        return Self.address(page, [("error", error), ("state", request.state)])
    }

    private static func address(_ page: String, _ values: [(String, String)]) -> String {
        let query = FormCoding.encode(
            Query(items: values.map { Query.Item(name: $0.0, value: $0.1) }))
        return page + (page.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + query
    }
}
