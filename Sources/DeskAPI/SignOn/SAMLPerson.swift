import DeskModel
import DeskSAML

/// What an assertion says of a person, by the names that providers give to it.
struct SAMLPerson {
    /// Most bytes of an address and of a name; longer ones are left out.
    private static let textBytes = 254

    private let assertion: SAMLAssertion
    private let names: SAMLNames

    init(_ assertion: SAMLAssertion, _ names: SAMLNames) {
        self.assertion = assertion
        self.names = names
    }

    /// What stays the same for the person.
    func subject() throws(SAMLFault) -> String {
        guard let attribute = names.subject else {
            guard assertion.subjectFormat != SAMLAssertion.transientFormat else { throw .subject }
            return assertion.subject
        }
        guard let values = assertion.attributes[attribute], values.count == 1,
            let subject = values.first,
            (1...Identity.subjectBytes).contains(subject.utf8.count), !subject.utf8.contains(0)
        else { throw .subject }
        return subject
    }

    /// Whether an address or the like names the person, whatever its format says: it may become another's.
    var isNamedByAddress: Bool { names.subject == nil && assertion.subject.utf8.contains(0x40) }

    /// The person's address.
    var email: String? {
        if let attribute = names.email { return first([attribute]) }
        if let found = first(Self.emails) { return found }
        guard assertion.subjectFormat == SAMLAssertion.emailFormat else { return nil }
        return Self.short(assertion.subject)
    }

    /// Whether the provider says that the address is the person's: by an attribute where the operator named one, else
    /// of every address of the company's domains.
    var isVerified: Bool {
        guard let attribute = names.verified else { return true }
        let values = assertion.attributes[attribute] ?? []
        return values.count == 1 && (values.first == "true" || values.first == "1")
    }

    /// What the person is called.
    var name: String? {
        if let whole = first(Self.wholeNames) { return whole }
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
    private static let wholeNames = [
        "displayName", "http://schemas.microsoft.com/identity/claims/displayname",
        "urn:oid:2.16.840.1.113730.3.1.241", "cn", "urn:oid:2.5.4.3",
    ]
    private static let parts = [
        ("firstName", "lastName"), ("givenName", "sn"), ("givenName", "surname"),
        ("\(claims)/givenname", "\(claims)/surname"), ("urn:oid:2.5.4.42", "urn:oid:2.5.4.4"),
    ]
}
