package import DeskBytes
package import DeskModel

/// What this server is to identity providers: a service provider of SAML 2.0.
package struct SAMLService: Sendable, Hashable {
    /// Its name, which is also the address of its metadata.
    package let entityID: String
    /// Where browsers post the provider's responses to.
    package let consumer: String

    /// The service at an origin, such as `https://chat.example.com`.
    package init(origin: String) {
        entityID = "\(origin)/sso/metadata"
        consumer = "\(origin)/sso/acs"
    }

    /// What is uploaded at a provider: name and addresses (SAML 2.0 Metadata).
    package var metadata: String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <EntityDescriptor xmlns="\(XMLNamespace.metadata.rawValue)" entityID="\(MarkupText.escaped(entityID))">
          <SPSSODescriptor AuthnRequestsSigned="false" WantAssertionsSigned="true" \
        protocolSupportEnumeration="\(XMLNamespace.protocols.rawValue)">
            <NameIDFormat>urn:oasis:names:tc:SAML:2.0:nameid-format:persistent</NameIDFormat>
            <AssertionConsumerService Binding="\(SAMLBinding.post)" \
        Location="\(MarkupText.escaped(consumer))" index="0" isDefault="true"/>
          </SPSSODescriptor>
        </EntityDescriptor>

        """
    }

    /// The address that a browser is sent to with a request to sign its person in (SAML 2.0 Bindings, section 3.4).
    ///
    /// - Parameters:
    ///   - id: what the response has to name; a letter or `_` first.
    ///   - relayState: what comes back beside the response, unsigned; at most 80 bytes.
    package func requestURL(
        to provider: SAMLIdentityProvider, id: String, relayState: String, at now: Timestamp
    ) throws(GzipError) -> String {
        let request = """
            <samlp:AuthnRequest xmlns:samlp="\(XMLNamespace.protocols.rawValue)" \
            xmlns:saml="\(XMLNamespace.assertion.rawValue)" ID="\(id)" Version="2.0" \
            IssueInstant="\(now.text)" Destination="\(MarkupText.escaped(provider.signOnURL))" \
            ProtocolBinding="\(SAMLBinding.post)" \
            AssertionConsumerServiceURL="\(MarkupText.escaped(consumer))">\
            <saml:Issuer>\(MarkupText.escaped(entityID))</saml:Issuer>\
            <samlp:NameIDPolicy AllowCreate="true"/></samlp:AuthnRequest>
            """
        let separator = provider.signOnURL.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
        let packed = Base64.encode(try Gzip.compressBare(Array(request.utf8)))
        return provider.signOnURL + separator + "SAMLRequest=" + PercentCoding.encode(packed)
            + "&RelayState=" + PercentCoding.encode(relayState)
    }
}

/// The bindings of SAML 2.0 that are used: requests by redirect, responses by a form.
enum SAMLBinding {
    static let redirect = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"
    static let post = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"
}
