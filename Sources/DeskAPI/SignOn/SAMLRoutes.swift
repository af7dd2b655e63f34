import DeskBytes
import DeskHTTP
import DeskSAML
import DeskWeb

/// Answers what concerns SAML alone of the routes of `addSignOn`.
struct SAMLRoutes {
    private let context: RequestContext

    init(_ context: RequestContext) { self.context = context }

    /// What is uploaded at the provider.
    func metadata() throws(Problem) -> Response {
        let text = try requireProvider().service.metadata
        return Response(type: "application/samlmetadata+xml", Array(text.utf8))
    }

    /// Reads a response of the provider, which a page of the provider has the browser send, and leads the browser to
    /// where a sign-in is finished.
    func receive() async throws(Problem) -> Response {
        let provider = try requireProvider()
        guard MediaType.isForm(context.request.headers.first("content-type")) else {
            throw Problem(
                .unsupportedMediaType,
                "A response of SAML comes as a form: application/x-www-form-urlencoded.")
        }
        let form = FormCoding.decode(try await context.bytes())
        var back: [Query.Item] = []
        if let state = form?["RelayState"], state.utf8.count <= SAMLProvider.relayBytes {
            back.append(Query.Item(name: "state", value: state))
        }
        do throws(SAMLFault) {
            guard let response = form?["SAMLResponse"] else { throw .notXML }
            let code = try provider.code(for: response)
            back.append(Query.Item(name: "code", value: code))
        } catch {
            guard error == .status else {
                return SignOnRoutes(context).refuse(error)
            }
            // The provider's own word for it is a person's matter, not the operator's.
            back.append(Query.Item(name: "error", value: "saml_status"))
        }
        return Response(
            status: .seeOther,
            headers: ["Location": "/sso/callback?\(FormCoding.encode(Query(items: back)))"])
    }

    private func requireProvider() throws(Problem) -> SAMLProvider {
        guard let provider = context.services.signOn?.saml else { throw .notFound }
        return provider
    }
}
