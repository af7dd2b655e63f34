import DeskModel

/// What a provider says of a person who signed in; its signature was verified.
package struct SAMLAssertion: Sendable, Hashable {
    /// How the provider names the person.
    package var subject: String
    /// What kind of a name that is; nil where the provider leaves it open.
    package var subjectFormat: String?
    /// The request that it answers.
    package var inResponseTo: String
    /// What more it says, by the attributes' names.
    package var attributes: [String: [String]]

    /// Puts an assertion together.
    package init(
        subject: String, subjectFormat: String? = nil, inResponseTo: String,
        attributes: [String: [String]] = [:]
    ) {
        self.subject = subject
        self.subjectFormat = subjectFormat
        self.inResponseTo = inResponseTo
        self.attributes = attributes
    }

    /// The format of a name that is an address.
    package static let emailFormat = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"
    /// The format of a name that is another one at each sign-in.
    package static let transientFormat = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient"
}

/// What an assertion must say to be the answer to a sign-in that began here (SAML 2.0 Profiles, section 4.1.4.3).
struct SAMLRules {
    /// How far the clocks of both ends may be apart.
    static let leeway = Duration.seconds(60)
    /// The method of a subject that who brings the assertion is.
    private static let bearer = "urn:oasis:names:tc:SAML:2.0:cm:bearer"

    let provider: String
    let service: SAMLService
    let now: Timestamp

    /// Judges an assertion whose signature was verified.
    ///
    /// - Throws: the first thing that is wrong.
    func read(_ assertion: XMLElement) throws(SAMLFault) -> SAMLAssertion {
        guard assertion.isNamed(.assertion("Assertion")), assertion.attribute("Version") == "2.0"
        else { throw .notResponse }
        guard let issuer = assertion.only(.assertion("Issuer"))?.text,
            issuer.utf8.elementsEqual(provider.utf8)
        else { throw .issuer }
        try checkConditions(assertion)
        try checkAuthentication(assertion)
        guard let subject = assertion.only(.assertion("Subject")) else { throw .subject }
        guard let name = subject.only(.assertion("NameID")), let text = name.text,
            // A NUL ends a text in PostgreSQL.
            (1...Identity.subjectBytes).contains(text.utf8.count), !text.utf8.contains(0)
        else { throw .subject }
        return SAMLAssertion(
            subject: text, subjectFormat: name.attribute("Format"),
            inResponseTo: try confirmation(subject), attributes: Self.attributes(assertion))
    }

    /// The request that is answered, by the first confirmation that fits this server and this moment.
    private func confirmation(_ subject: XMLElement) throws(SAMLFault) -> String {
        var fault = SAMLFault.confirmation
        for one in subject.children(.assertion("SubjectConfirmation")) {
            guard one.attribute("Method") == Self.bearer,
                let data = one.only(.assertion("SubjectConfirmationData")),
                let recipient = data.attribute("Recipient"),
                recipient.utf8.elementsEqual(service.consumer.utf8),
                data.attribute("NotOnOrAfter") != nil
            else { continue }
            guard let request = data.attribute("InResponseTo"), !request.isEmpty else {
                fault = .unsolicited
                continue
            }
            do throws(SAMLFault) {
                try checkTimes(data)
                return request
            } catch { fault = error }
        }
        throw fault
    }

    private func checkConditions(_ assertion: XMLElement) throws(SAMLFault) {
        guard let conditions = assertion.only(.assertion("Conditions")) else { throw .audience }
        try checkTimes(conditions)
        var isOurs = false
        for one in conditions.children {
            if one.isNamed(.assertion("AudienceRestriction")) {
                let audiences = one.children(.assertion("Audience")).compactMap(\.text)
                guard audiences.contains(where: { $0.utf8.elementsEqual(service.entityID.utf8) })
                else { throw .audience }
                isOurs = true
            } else if !one.isNamed(.assertion("OneTimeUse")),
                !one.isNamed(.assertion("ProxyRestriction"))
            {
                throw .condition
            }
        }
        guard isOurs else { throw .audience }
    }

    private func checkAuthentication(_ assertion: XMLElement) throws(SAMLFault) {
        let statements = assertion.children(.assertion("AuthnStatement"))
        guard !statements.isEmpty else { throw .authentication }
        for one in statements {
            guard let end = one.attribute("SessionNotOnOrAfter") else { continue }
            guard let end = Timestamp(end) else { throw .authentication }
            guard now.since(end) < Self.leeway else { throw .expired }
        }
    }

    private func checkTimes(_ element: XMLElement) throws(SAMLFault) {
        if let begin = element.attribute("NotBefore") {
            guard let begin = Timestamp(begin), begin.since(now) <= Self.leeway else {
                throw .tooEarly
            }
        }
        if let end = element.attribute("NotOnOrAfter") {
            guard let end = Timestamp(end), now.since(end) < Self.leeway else { throw .expired }
        }
    }

    private static func attributes(_ assertion: XMLElement) -> [String: [String]] {
        var all: [String: [String]] = [:]
        let elements = assertion.children(.assertion("AttributeStatement"))
            .flatMap { $0.children(.assertion("Attribute")) }
        for one in elements {
            guard let name = one.attribute("Name") else { continue }
            all[name, default: []] += one.children(.assertion("AttributeValue")).compactMap(\.text)
        }
        return all
    }
}
