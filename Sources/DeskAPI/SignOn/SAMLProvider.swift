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

    let service: SAMLService
    private let settings: SAMLSettings
    private let codes: CarriedJSON
    private let time: TimeSource

    init(_ settings: SAMLSettings, origin: String, key: [UInt8], time: TimeSource) {
        self.settings = settings
        service = SAMLService(origin: origin)
        codes = CarriedJSON(key: key, label: "frontdesk saml code 1")
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
        guard let root = codes.decrypt(code), let request = root["request"]?.string,
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
            isEmailVerified: root["isVerified"]?.bool == true, name: root["name"]?.string)
    }

    /// The bytes of a response in base64, with white space anywhere.
    static func bytes(of response: String) throws(SAMLFault) -> [UInt8] {
        let letters = response.utf8.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard let bytes = Base64.decode(String(decoding: letters, as: UTF8.self)) else {
            throw .notXML
        }
        return bytes
    }

    /// Reads a response, and returns the code for the browser; `isByAddress` says whether it names the person by an
    /// address.
    func code(for bytes: [UInt8]) throws(SAMLFault) -> (code: String, isByAddress: Bool) {
        let assertion = try SAMLResponse.read(
            bytes, of: settings.provider, for: service, at: time.now())
        let reader = SAMLPerson(assertion, settings.names)
        var json: JSON = [
            "request": .string(assertion.inResponseTo), "subject": .string(try reader.subject()),
            "isVerified": .bool(reader.isVerified),
            "expires": .integer(
                Int(time.latest().advanced(by: Self.codeLife).milliseconds)),
        ]
        if let email = reader.email { json.add("email", .string(email)) }
        if let name = reader.name { json.add("name", .string(name)) }
        return (codes.encrypt(json), reader.isNamedByAddress)
    }

    /// The id of a request: an id in XML begins with no digit.
    private static func request(of state: SignOnState) -> String { "_\(state.nonce)" }
}
