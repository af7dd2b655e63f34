import DeskBytes
import DeskCrypto
import DeskHTTP
import DeskJSON
import DeskModel
import DeskSAML

/// An identity provider that is asked by SAML 2.0: requests by redirect, responses by a form.
///
/// The form comes from a page of the provider, and so without our cookies. What it says of the person goes back to
/// the browser encrypted, as a code, with which the browser comes to the address where a sign-in is finished.
struct SAMLProvider: IdentityProvider {
    /// Most bytes of a form with a response.
    static let formBytes = 512 * 1_024
    /// Most bytes of what comes back beside a response.
    static let relayBytes = 80
    /// How long a code is of use: as long as a redirect needs.
    static let codeLife = Duration.seconds(60)

    private static let label = Array("frontdesk saml code 1".utf8)
    private static let nonceBytes = 12

    let service: SAMLService
    private let settings: SAMLSettings
    private let key: [UInt8]
    private let time: TimeSource

    init(_ settings: SAMLSettings, origin: String, key: [UInt8], time: TimeSource) {
        self.settings = settings
        service = SAMLService(origin: origin)
        self.key = key
        self.time = time
    }

    /// Apart from the same provider by OpenID Connect, whose names of people are others.
    var issuer: String { "saml:\(settings.provider.entityID)" }

    func authorizationURL(
        for state: SignOnState, redirectURI: String
    ) async throws(SignOnFault) -> String {
        do throws(GzipError) {
            return try service.requestURL(
                to: settings.provider, id: Self.request(of: state), relayState: state.state,
                at: time.now())
        } catch {
            throw .unreachable("saml", "request")
        }
    }

    func signOutURL(returningTo page: String) -> String? { nil }

    func person(
        code: String, for state: SignOnState, redirectURI: String
    ) async throws(SignOnFault) -> ProvidedPerson {
        guard let bytes = Base64.decode(code, alphabet: .url), bytes.count > Self.nonceBytes,
            // Safe: what was not encrypted here is as good as nothing.
            let json = try? AESGCM.open(
                Array(bytes[Self.nonceBytes...]), key: key,
                nonce: Array(bytes[..<Self.nonceBytes]), extra: Self.label),
            let root = JSONValue.parsed(json), let request = root["request"]?.string,
            let subject = root["subject"]?.string, let expires = root["expires"]?.int
        else { throw .wrong("saml", "code") }
        guard time.latest() < Timestamp(milliseconds: Int64(expires)) else {
            throw .wrong("saml", "code_expired")
        }
        let own = Self.request(of: state)
        guard constantTimeEquals(Array(request.utf8), Array(own.utf8)) else {
            throw .wrong("saml", "in_response_to")
        }
        return ProvidedPerson(
            identity: Identity(issuer: issuer, subject: subject), email: root["email"]?.string,
            // The company's provider says so, of addresses of its own domain.
            isEmailVerified: true, name: root["name"]?.string)
    }

    /// Reads a response in base64, and returns the code for the browser.
    func code(for response: String) throws(SAMLFault) -> String {
        let letters = response.utf8.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard let bytes = Base64.decode(String(decoding: letters, as: UTF8.self)) else {
            throw .notXML
        }
        let assertion = try SAMLResponse.read(
            bytes, of: settings.provider, for: service, at: time.now())
        let reader = SAMLPerson(assertion, subject: settings.subject, email: settings.email)
        var json: JSON = [
            "request": .string(assertion.inResponseTo), "subject": .string(try reader.subject()),
            "expires": .integer(
                Int(time.latest().advanced(by: Self.codeLife).milliseconds)),
        ]
        if let email = reader.email { json.add("email", .string(email)) }
        if let name = reader.name { json.add("name", .string(name)) }
        let nonce = RandomBytes.make(Self.nonceBytes)
        do throws(CryptoError) {
            let encrypted = try AESGCM.seal(json.bytes(), key: key, nonce: nonce, extra: Self.label)
            return Base64.encode(nonce + encrypted, alphabet: .url)
        } catch { preconditionFailure("a key of 32 bytes was refused: \(error)") }
    }

    /// The id of a request: an id in XML begins with no digit.
    private static func request(of state: SignOnState) -> String { "_\(state.nonce)" }
}

/// What an assertion says of a person, by the names that providers give to it.
struct SAMLPerson {
    /// Most bytes of an address and of a name; longer ones are left out.
    private static let textBytes = 254

    private let assertion: SAMLAssertion
    private let subjectName: String?
    private let emailName: String?

    /// - Parameters:
    ///   - subject: the attribute that names a person for ever; nil for the `NameID`.
    ///   - email: the attribute with the address; nil for those that are usual.
    init(_ assertion: SAMLAssertion, subject: String?, email: String?) {
        self.assertion = assertion
        subjectName = subject
        emailName = email
    }

    /// What stays the same for the person.
    func subject() throws(SAMLFault) -> String {
        guard let attribute = subjectName else {
            guard assertion.subjectFormat != SAMLAssertion.transientFormat else { throw .subject }
            return assertion.subject
        }
        guard let values = assertion.attributes[attribute], values.count == 1,
            let subject = values.first,
            (1...Identity.subjectBytes).contains(subject.utf8.count), !subject.utf8.contains(0)
        else { throw .subject }
        return subject
    }

    /// The person's address.
    var email: String? {
        if let attribute = emailName { return first([attribute]) }
        if let found = first(Self.emails) { return found }
        guard assertion.subjectFormat == SAMLAssertion.emailFormat else { return nil }
        return Self.short(assertion.subject)
    }

    /// What the person is called.
    var name: String? {
        if let whole = first(Self.names) { return whole }
        for (given, family) in Self.parts {
            if let given = first([given]), let family = first([family]) {
                return Self.short("\(given) \(family)")
            }
        }
        return nil
    }

    private func first(_ names: [String]) -> String? {
        names.lazy.compactMap { assertion.attributes[$0]?.first }.first { !$0.isEmpty }
            .flatMap(Self.short)
    }

    private static func short(_ text: String) -> String? {
        text.utf8.count <= textBytes ? text : nil
    }

    private static let claims = "http://schemas.xmlsoap.org/ws/2005/05/identity/claims"
    private static let emails = [
        "email", "mail", "emailAddress", "\(claims)/emailaddress",
        "urn:oid:0.9.2342.19200300.100.1.3",
    ]
    private static let names = [
        "displayName", "http://schemas.microsoft.com/identity/claims/displayname",
        "urn:oid:2.16.840.1.113730.3.1.241", "cn", "urn:oid:2.5.4.3",
    ]
    private static let parts = [
        ("firstName", "lastName"), ("givenName", "sn"), ("givenName", "surname"),
        ("\(claims)/givenname", "\(claims)/surname"), ("urn:oid:2.5.4.42", "urn:oid:2.5.4.4"),
    ]
}
