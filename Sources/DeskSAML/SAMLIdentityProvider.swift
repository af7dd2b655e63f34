package import DeskCrypto

/// An identity provider, as its metadata describe it (SAML 2.0 Metadata).
package struct SAMLIdentityProvider: Sendable, Hashable {
    /// Most certificates that are read.
    static let mostCertificates = 16
    /// Most bytes of its name (SAML 2.0 Core, section 8.3.6).
    static let nameBytes = 1_024

    /// Its own name.
    package let entityID: String
    /// Where people sign in, by redirect.
    package let signOnURL: String
    /// What it signs with.
    package let certificates: [SigningCertificate]

    /// Reads the metadata of one identity provider.
    ///
    /// - Throws: what is wrong, for the operator who named the file.
    package init(metadata bytes: [UInt8]) throws(SAMLMetadataError) {
        do throws(XMLLibraryError) { try XMLDocument.load() } catch {
            throw SAMLMetadataError(description: error.description)
        }
        let document: XMLDocument
        do throws(SAMLFault) { document = try XMLDocument(bytes) } catch {
            throw SAMLMetadataError(
                description:
                    "it is no XML that is read here (\(error.rawValue)): at most 256 KiB in UTF-8, "
                    + "without a document type")
        }
        let (entity, descriptor) = try Self.provider(in: document.root)
        guard let name = entity.attribute("entityID"), !name.isEmpty,
            name.utf8.count <= Self.nameBytes, !name.utf8.contains(0)
        else { throw SAMLMetadataError(description: "its EntityDescriptor has no entityID") }
        entityID = name
        signOnURL = try Self.signOnURL(of: descriptor)
        certificates = try Self.certificates(of: descriptor)
    }

    /// The one entity that people can sign in at.
    private static func provider(
        in root: XMLElement
    ) throws(SAMLMetadataError) -> (XMLElement, XMLElement) {
        let entities =
            root.isNamed(.metadata("EntitiesDescriptor"))
            ? root.children(.metadata("EntityDescriptor"))
            : root.isNamed(.metadata("EntityDescriptor")) ? [root] : []
        let found = entities.flatMap { entity in
            entity.children(.metadata("IDPSSODescriptor")).map { (entity, $0) }
        }
        guard found.count == 1, let one = found.first else {
            throw SAMLMetadataError(
                description:
                    "it describes \(found.count) identity providers (IDPSSODescriptor), not one")
        }
        return one
    }

    private static func signOnURL(
        of descriptor: XMLElement
    ) throws(SAMLMetadataError) -> String {
        let services = descriptor.children(.metadata("SingleSignOnService"))
        guard
            let location = services.first(where: {
                $0.attribute("Binding") == SAMLBinding.redirect
            })?.attribute("Location")
        else {
            throw SAMLMetadataError(
                description: "it has no SingleSignOnService with the binding HTTP-Redirect")
        }
        guard location.utf8.count <= 1_024,
            location.utf8.allSatisfy({
                (0x21...0x7E).contains($0) && !"\"<>\\^`{|}#".utf8.contains($0)
            })
        else {
            throw SAMLMetadataError(
                description: "the Location of its SingleSignOnService is no address")
        }
        return location
    }

    private static func certificates(
        of descriptor: XMLElement
    ) throws(SAMLMetadataError) -> [SigningCertificate] {
        let texts = descriptor.children(.metadata("KeyDescriptor"))
            .filter { $0.attribute("use") != "encryption" }
            .flatMap { $0.children(.signature("KeyInfo")) }
            // Those behind the first are of authorities, which sign no response.
            .compactMap { info in
                info.children(.signature("X509Data"))
                    .flatMap { $0.children(.signature("X509Certificate")) }.first
            }
        var all: [SigningCertificate] = []
        for text in texts {
            guard let bytes = text.base64, let certificate = SigningCertificate(bytes) else {
                throw SAMLMetadataError(
                    description:
                        "one of its X509Certificates cannot be read: it is base64 without lines for its begin and "
                        + "end, of a certificate with RSA of 2,048 to 8,192 bits or one of the curves P-256, "
                        + "P-384 and P-521")
            }
            all.append(certificate)
        }
        guard (1...mostCertificates).contains(all.count) else {
            throw SAMLMetadataError(
                description:
                    "it has \(all.count) certificates for signing; 1 to \(mostCertificates) are read"
            )
        }
        return all
    }
}

/// Why metadata cannot be used.
package struct SAMLMetadataError: Error, Sendable, CustomStringConvertible {
    /// What is wrong with the file, in words for the operator.
    package let description: String
}
