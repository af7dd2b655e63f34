import DeskBytes
import DeskModel
import Testing

@testable import DeskSAML

/// What is read of a provider's metadata, and what a provider is sent.
struct SAMLIdentityProviderTests {
    @Test func `metadata name the provider, its page and its certificates`() throws {
        let provider = try SAMLSamples.provider()
        #expect(provider.entityID == "https://id.example.com/metadata")
        #expect(provider.signOnURL == "https://id.example.com/login?a=1&b=2")
        #expect(provider.certificates.count == 1)
    }

    @Test func `metadata of several are those of the one where people sign in`() throws {
        let text = String(decoding: try SAMLSamples.bytes("provider"), as: UTF8.self)
        let start = try #require(text.firstRange(of: "<EntityDescriptor")).lowerBound
        let space = "urn:oasis:names:tc:SAML:2.0:metadata"
        let one = text[start...]
        let many =
            "<EntitiesDescriptor xmlns=\"\(space)\"><EntityDescriptor entityID=\"x\"/>\(one)</EntitiesDescriptor>"
        #expect(try SAMLIdentityProvider(metadata: Array(many.utf8)) == SAMLSamples.provider())
        let two = "<EntitiesDescriptor xmlns=\"\(space)\">\(one)\(one)</EntitiesDescriptor>"
        let error = #expect(throws: SAMLMetadataError.self) {
            _ = try SAMLIdentityProvider(metadata: Array(two.utf8))
        }
        #expect(error?.description.contains("2 identity providers") == true)
    }

    @Test(arguments: [
        ("entityID=\"https://id.example.com/metadata\"", "", "entityID"),
        ("bindings:HTTP-Redirect", "bindings:SOAP", "HTTP-Redirect"),
        ("https://id.example.com/login?a=1&amp;b=2", "https://id example", "no address"),
        ("<X509Certificate>", "<X509Certificate>AAAA", "X509Certificates"),
        ("use=\"signing\"", "use=\"encryption\"", "0 certificates"),
        ("<?xml", "<!DOCTYPE x><?xml", "document_type"),
    ])
    func `what is wrong with metadata is said`(
        _ old: String, _ new: String, _ said: String
    ) throws {
        let bytes = SAMLSamples.replacing(old, by: new, in: try SAMLSamples.bytes("provider"))
        let error = #expect(throws: SAMLMetadataError.self) {
            _ = try SAMLIdentityProvider(metadata: bytes)
        }
        #expect(error?.description.contains(said) == true, "\(error?.description ?? "")")
    }

    @Test func `a request goes behind what the provider's address has`() throws {
        let url = try SAMLSamples.service.requestURL(
            to: SAMLSamples.provider(), id: "_r", relayState: "a+b&c", at: SAMLSamples.now)
        #expect(url.hasPrefix("https://id.example.com/login?a=1&b=2&SAMLRequest="))
        #expect(url.hasSuffix("&RelayState=a%2Bb%26c"))
    }

    @Test func `our metadata are read as XML with both addresses`() throws {
        try XMLDocument.load()
        let root = try XMLDocument(Array(SAMLSamples.service.metadata.utf8)).root
        #expect(root.attribute("entityID") == "https://chat.example.com/sso/metadata")
        let service = root.only(.metadata("SPSSODescriptor"))
        let consumer = service?.only(.metadata("AssertionConsumerService"))
        #expect(consumer?.attribute("Location") == "https://chat.example.com/sso/acs")
    }
}
