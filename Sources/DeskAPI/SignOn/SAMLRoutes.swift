import DeskBytes
import DeskHTTP
import DeskLog
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
            back.append(try answer(SAMLProvider.bytes(of: response), provider))
        } catch {
            return SignOnRoutes(context).refuse(error)
        }
        return Response(
            status: .seeOther,
            headers: ["Location": "/sso/callback?\(FormCoding.encode(Query(items: back)))"])
    }

    /// What the browser brings to where the sign-in is finished: a code, or the provider's words for why there is none.
    private func answer(
        _ response: [UInt8], _ provider: SAMLProvider
    ) throws(SAMLFault) -> Query.Item {
        do throws(SAMLFault) {
            let (code, isByAddress) = try provider.code(for: response)
            if isByAddress, context.services.signOn?.isFirstNamedByAddress() == true {
                context.log.warning("sso_subject_address", [:])
            }
            return Query.Item(name: "code", value: code)
        } catch {
            guard error == .status else { throw error }
            let words = SAMLResponse.refusal(response)
            return Query.Item(name: "error", value: "saml_\(words)")
        }
    }

    /// The console, for a browser that opens the address of responses without one, as by loading it again.
    func open() throws(Problem) -> Response {
        _ = try requireProvider()
        return SignOnRoutes.back(.expired)
    }

    private func requireProvider() throws(Problem) -> SAMLProvider {
        guard let provider = context.services.signOn?.saml else { throw .notFound }
        return provider
    }
}
