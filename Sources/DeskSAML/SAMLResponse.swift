import DeskCrypto
package import DeskModel

/// A response that a browser brought from an identity provider (SAML 2.0 Core, section 3.3.3).
package enum SAMLResponse {
    /// Most bytes of a response.
    package static let maximumBytes = XMLDocument.maximumBytes
    /// Most elements, attributes and namespaces of a response, together.
    package static let maximumNodes = XMLDocument.maximumNodes
    /// Most bytes of the last part of a status code; those of SAML have at most 24.
    private static let wordBytes = 40
    private static let success = "urn:oasis:names:tc:SAML:2.0:status:Success"

    /// Verifies a response and reads its one assertion.
    ///
    /// The assertion is read from the bytes that were signed and from nothing else, so that what is beside them in
    /// the document says nothing. Of the response, where it is not signed itself, only what refuses it counts.
    /// - Throws: the first thing that is wrong.
    package static func read(
        _ bytes: [UInt8], of provider: SAMLIdentityProvider, for service: SAMLService,
        at now: Timestamp
    ) throws(SAMLFault) -> SAMLAssertion {
        let document = try XMLDocument(bytes)
        let response = document.root
        guard response.isNamed(.protocols("Response")), response.attribute("Version") == "2.0"
        else { throw .notResponse }
        if let destination = response.attribute("Destination"), !destination.isEmpty {
            guard destination.utf8.elementsEqual(service.consumer.utf8) else { throw .destination }
        }
        guard status(of: response)?.attribute("Value") == success else { throw .status }
        let assertion = try requireAssertion(response)
        let signed = try verified(assertion, of: response, in: document, by: provider.certificates)
        let rules = SAMLRules(provider: provider.entityID, service: service, now: now)
        return try rules.read(signed)
    }

    /// The provider's words for why a person was not signed in, such as `Responder_AuthnFailed`; for the log.
    package static func refusal(_ bytes: [UInt8]) -> String {
        // Safe: what cannot be read has no words.
        guard let response = (try? XMLDocument(bytes))?.root, let code = status(of: response) else {
            return ""
        }
        let codes = [code] + code.children(.protocols("StatusCode")).prefix(1)
        let words = codes.compactMap { $0.attribute("Value")?.split(separator: ":").last }
            .filter { $0.utf8.count <= wordBytes }
        return words.joined(separator: "_")
    }

    private static func status(of response: XMLElement) -> XMLElement? {
        response.only(.protocols("Status"))?.only(.protocols("StatusCode"))
    }

    /// The assertion as it was signed, read anew.
    private static func verified(
        _ assertion: XMLElement, of response: XMLElement, in document: XMLDocument,
        by certificates: [SigningCertificate]
    ) throws(SAMLFault) -> XMLElement {
        let whole = try XMLSignature(of: response, in: document)
        // A response that is signed as well has to be signed well.
        let around = try whole?.verified(by: certificates)
        if let own = try XMLSignature(of: assertion, in: document) {
            return try XMLDocument(try own.verified(by: certificates)).root
        }
        guard let around else { throw .unsigned }
        return try requireAssertion(try XMLDocument(around).root)
    }

    private static func requireAssertion(_ response: XMLElement) throws(SAMLFault) -> XMLElement {
        guard response.children(.assertion("EncryptedAssertion")).isEmpty else { throw .encrypted }
        guard let assertion = response.only(.assertion("Assertion")) else { throw .assertions }
        return assertion
    }
}
