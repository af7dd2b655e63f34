import DeskBroker
import DeskBytes
import DeskCrypto
package import DeskGateway
import DeskHTTP
import DeskJSON
import DeskLinks
import DeskModel
import DeskStore
import DeskWeb

/// The token endpoint and the user information of the OAuth provider that the sandbox plays: what a
/// business's own page asks after a sign-in of version 2 (RFC 6749 4.1.3).
///
/// The client is the business: its id, and the secret of its app registration.
package struct OAuthEndpoints: Sendable {
    private let provider: TestProvider

    /// Serves the codes and tokens of a provider.
    package init(_ provider: TestProvider) { self.provider = provider }

    /// The endpoints, for the gateway to serve.
    package var all: [GatewayEndpoint] {
        [
            GatewayEndpoint(
                .post, "/oauth/token", "exchangeSignInCode", .reads, bodyLimit: 16_384
            ) { context async throws(GatewayRefusal) in try await exchangeCode(&context) },
            GatewayEndpoint(.get, "/oauth/userinfo", "getSignInUser", .reads, bodyLimit: 0) {
                context async throws(GatewayRefusal) in try await describeUser(&context)
            },
        ]
    }

    /// `POST /oauth/token`: a code becomes an access token, once.
    private func exchangeCode(_ context: inout GatewayContext) async throws(GatewayRefusal)
        -> Response
    {
        let time = context.time
        let posted = try await context.readBody()
        context.body = Self.blankedForm(posted)
        guard let form = FormCoding.decode(posted) else {
            return Self.refused("invalid_request", "the body is no form: a=b&c=d, escaped once")
        }
        guard let client = Self.credentials(in: form, of: context.request),
            let business = BusinessID(client.id),
            let found = context.parts.links.find(.provider, of: business)
        else {
            return Self.refused(
                "invalid_client", "client_id is the id of a business with an app registration",
                status: .unauthorized)
        }
        context.link = found
        guard
            constantTimeEquals(
                Array(client.secret.utf8), Array(Base64.encode(found.secret).utf8))
        else {
            return Self.refused(
                "invalid_client", "client_secret is the registration's secret, as base64",
                status: .unauthorized)
        }
        context.isAuthenticated = true
        try await context.misbehave()
        guard form["grant_type"] == "authorization_code" else {
            return Self.refused("unsupported_grant_type", "grant_type is authorization_code")
        }
        let code = form["code"] ?? ""
        guard let grant = provider.grant(in: code, for: .code, now: time),
            grant.business == business
        else {
            return Self.refused(
                "invalid_grant", "the code is none of this client, or has run out")
        }
        guard let page = form["redirect_uri"], let asked = grant.redirectURI,
            page.utf8.elementsEqual(asked.utf8)
        else {
            return Self.refused("invalid_grant", "redirect_uri is not the one that got the code")
        }
        let isFirst = try await context.parts.asking { store throws(StoreError) in
            try await provider.use(code, until: grant.expires, in: store)
        }
        guard isFirst else {
            return Self.refused("invalid_grant", "the code was used before")
        }
        var access = grant
        access.expires = time.advanced(by: .seconds(TestProvider.accessSeconds))
        let answer: JSON = [
            "access_token": .string(provider.text(of: access, for: .access)),
            "token_type": "Bearer", "expires_in": .integer(Int(TestProvider.accessSeconds)),
            "scope": .string(grant.scope.joined(separator: " ")),
        ]
        return Response(type: "application/json", answer.bytes())
    }

    /// `GET /oauth/userinfo`: the person of an access token, of either version.
    private func describeUser(_ context: inout GatewayContext) async throws(GatewayRefusal)
        -> Response
    {
        let token = try context.bearer()
        guard let grant = provider.grant(in: token, for: .access, now: context.time) else {
            return Self.refused(
                "invalid_token", "the token is none of this provider's, or has run out",
                status: .unauthorized)
        }
        context.link = context.parts.links.find(.provider, of: grant.business)
        context.isAuthenticated = true
        let name = "\(grant.business.text) \(grant.name)"
        let answer: JSON = [
            "sub": .string("test-" + Digest.sha256(Array(name.utf8)).text.prefix(16)),
            "name": .string(grant.name), "scope": .string(grant.scope.joined(separator: " ")),
        ]
        return Response(type: "application/json", answer.bytes())
    }

    // MARK: Parts

    /// Id and secret, from the header or from the body (RFC 6749 2.3.1).
    private static func credentials(
        in form: Query, of request: Request
    ) -> (id: String, secret: String)? {
        let words = (request.headers["authorization"] ?? "").split(separator: " ")
        if words.count == 2, words[0].lowercased() == "basic" {
            guard let bytes = Base64.decode(String(words[1])),
                let text = String(validating: bytes, as: UTF8.self)
            else { return nil }
            let parts = text.split(separator: ":", maxSplits: 1).map {
                PercentCoding.decode($0.utf8, plusIsSpace: true)
                    .flatMap { String(validating: $0, as: UTF8.self) } ?? ""
            }
            return parts.count == 2 ? (parts[0], parts[1]) : nil
        }
        guard let id = form["client_id"], let secret = form["client_secret"] else { return nil }
        return (id, secret)
    }

    private static func refused(
        _ error: String, _ sentence: String, status: Status = .badRequest
    ) -> Response {
        let answer: JSON = ["error": .string(error), "error_description": .string(sentence)]
        return Response(status: status, type: "application/json", answer.bytes())
    }

    /// The form without its credentials, however their names are escaped.
    private static func blankedForm(_ posted: [UInt8]) -> [UInt8] {
        let parts = String(decoding: posted, as: UTF8.self)
            .split(separator: "&", omittingEmptySubsequences: false)
            .map { part -> Substring in
                let name = part.prefix { $0 != "=" }
                let meant = PercentCoding.decode(name.utf8, plusIsSpace: true)
                let isSecret =
                    meant.map {
                        $0.elementsEqual("client_secret".utf8) || $0.elementsEqual("code".utf8)
                    } ?? true
                return isSecret ? "\(name)=\(WireText.blank)" : part
            }
        return Array(parts.joined(separator: "&").utf8)
    }
}
