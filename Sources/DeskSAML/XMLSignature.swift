import DeskBytes
import DeskCrypto

/// A signature in XML as SAML has them (SAML 2.0 Core, section 5.4): within the element that it signs, with one
/// reference to it.
///
/// Everything else that XML Signature allows is refused: other transforms, references elsewhere, keys that the
/// signature brings along.
struct XMLSignature {
    /// Most elements of what is signed: there are some ten.
    private static let mostElements = 32

    private let document: XMLDocument
    private let element: XMLElement
    private let signature: XMLElement
    private let info: XMLElement

    /// The signature of an element; nil where it has none.
    ///
    /// - Throws: `signatureForm` for several, and for one without its parts.
    init?(of element: XMLElement, in document: XMLDocument) throws(SAMLFault) {
        let found = element.children(.signature("Signature"))
        guard let signature = found.first else { return nil }
        guard found.count == 1, let info = signature.only(.signature("SignedInfo")) else {
            throw .signatureForm
        }
        self.document = document
        self.element = element
        self.signature = signature
        self.info = info
    }

    /// Verifies it by one of the certificates, and returns the bytes that were signed: the element in its
    /// canonical form, without the signature.
    ///
    /// Only what is read from these bytes is the signer's: the document may have more. In the same way the digest is
    /// read from the form over which the signature is.
    func verified(by certificates: [SigningCertificate]) throws(SAMLFault) -> [UInt8] {
        // Before it is made canonical: of what no person signed as little as possible.
        guard info.has(atMost: Self.mostElements) else { throw .signatureForm }
        let form = try SignedInfo(info, of: element)
        guard let value = signature.only(.signature("SignatureValue"))?.base64 else {
            throw .signatureForm
        }
        let signed = try document.canonical(info, prefixes: form.prefixes)
        guard
            certificates.contains(where: { $0.verifies(value, for: signed, by: form.algorithm) })
        else { throw .signature }
        let stated = try SignedInfo(XMLDocument(signed).root, of: element)
        let bytes = try document.canonical(
            element, without: signature, prefixes: stated.elementPrefixes)
        guard constantTimeEquals(stated.hash.digest(of: bytes), stated.digest) else {
            throw .digest
        }
        return bytes
    }
}

/// What a signature says of itself: how it was made, and of what.
private struct SignedInfo {
    private static let exclusive = "http://www.w3.org/2001/10/xml-exc-c14n#"
    private static let enveloped = "http://www.w3.org/2000/09/xmldsig#enveloped-signature"
    /// Most namespace prefixes that a signature may name, and most bytes of one.
    private static let mostPrefixes = 8
    private static let prefixBytes = 32

    /// How it is signed.
    let algorithm: SigningCertificate.Algorithm
    /// The prefixes that its own form has although it does not use them.
    let prefixes: [String]
    /// The same of the element that is signed.
    let elementPrefixes: [String]
    /// How that element's digest is made.
    let hash: SigningCertificate.Hash
    /// That digest.
    let digest: [UInt8]

    /// Reads it, with its one reference, which has to name the element that the signature is in.
    init(_ info: XMLElement, of element: XMLElement) throws(SAMLFault) {
        guard info.children.count == 3, let reference = info.only(.signature("Reference")),
            let id = element.attribute("ID"), !id.isEmpty,
            reference.attribute("URI").map({ $0.utf8.elementsEqual("#\(id)".utf8) }) == true,
            let method = info.only(.signature("CanonicalizationMethod")),
            method.attribute("Algorithm") == Self.exclusive
        else { throw .signatureForm }
        algorithm = try Self.algorithm(info.only(.signature("SignatureMethod")))
        prefixes = try Self.prefixes(of: method)
        guard let transforms = reference.only(.signature("Transforms"))?.children,
            transforms.count == 2, transforms.allSatisfy({ $0.isNamed(.signature("Transform")) }),
            transforms[0].attribute("Algorithm") == Self.enveloped,
            transforms[1].attribute("Algorithm") == Self.exclusive,
            let stated = reference.only(.signature("DigestValue"))?.base64
        else { throw .signatureForm }
        elementPrefixes = try Self.prefixes(of: transforms[1])
        hash = try Self.hash(reference.only(.signature("DigestMethod")))
        digest = stated
    }

    /// The prefixes that are written although the element does not use them.
    private static func prefixes(of method: XMLElement) throws(SAMLFault) -> [String] {
        let name = XMLName(namespace: .canonical, local: "InclusiveNamespaces")
        let children = method.children
        guard !children.isEmpty else { return [] }
        guard children.count == 1, children[0].isNamed(name),
            let list = children[0].attribute("PrefixList")
        else { throw .signatureForm }
        let all = list.split(separator: " ").map(String.init)
        guard all.count <= mostPrefixes, all.allSatisfy({ $0.utf8.count <= prefixBytes }) else {
            throw .signatureForm
        }
        return all
    }

    private static func algorithm(
        _ method: XMLElement?
    ) throws(SAMLFault) -> SigningCertificate.Algorithm {
        guard let method, method.children.isEmpty else { throw .signatureForm }
        switch method.attribute("Algorithm") {
        case "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256": return .rsa(.sha256)
        case "http://www.w3.org/2001/04/xmldsig-more#rsa-sha384": return .rsa(.sha384)
        case "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512": return .rsa(.sha512)
        case "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256": return .ecdsa(.sha256)
        case "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha384": return .ecdsa(.sha384)
        case "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha512": return .ecdsa(.sha512)
        default: throw .algorithm
        }
    }

    private static func hash(_ method: XMLElement?) throws(SAMLFault) -> SigningCertificate.Hash {
        switch method?.attribute("Algorithm") {
        case "http://www.w3.org/2001/04/xmlenc#sha256": return .sha256
        case "http://www.w3.org/2001/04/xmldsig-more#sha384": return .sha384
        case "http://www.w3.org/2001/04/xmlenc#sha512": return .sha512
        default: throw .algorithm
        }
    }
}
