/// What is wrong with a response of an identity provider; the words go into the log, and nothing of the
/// response with them.
package enum SAMLFault: String, Error, Hashable, Sendable, CaseIterable {
    /// More bytes than are read.
    case tooLong = "too_long"
    /// Not base64, or not XML in UTF-8.
    case notXML = "not_xml"
    /// A document type, which could declare entities.
    case documentType = "document_type"
    /// More elements and attributes than are read.
    case tooComplex = "too_complex"
    /// Not a `Response` of SAML 2.0.
    case notResponse = "not_response"
    /// The provider did not sign the person in: a status other than `Success`.
    case status
    /// Sent to another address.
    case destination
    /// The assertion is encrypted, which is not read here.
    case encrypted
    /// No canonical form: a namespace that is no whole address.
    case canonical
    /// None or several assertions.
    case assertions
    /// Neither the response nor the assertion is signed.
    case unsigned
    /// A signature that is not built as SAML has them: one reference, to the element that it is in, in the
    /// exclusive canonical form.
    case signatureForm = "signature_form"
    /// Signed with an algorithm that is not accepted, such as one with SHA-1.
    case algorithm
    /// What is signed was changed.
    case digest
    /// A signature that is by none of the certificates of the metadata.
    case signature
    /// Made by another provider.
    case issuer
    /// Made for another server, or for none.
    case audience
    /// A condition that nothing here understands.
    case condition
    /// No confirmation that its bearer is the person, for the address of this server and a sign-in that
    /// began here.
    case confirmation
    /// Made without a request: a sign-in that was begun at the provider.
    case unsolicited
    /// Past its end.
    case expired
    /// Before its begin.
    case tooEarly = "too_early"
    /// It does not say that the person was authenticated.
    case authentication
    /// No name of the person that stays the same: none, a transient one, or one longer than 255 bytes.
    case subject
}
