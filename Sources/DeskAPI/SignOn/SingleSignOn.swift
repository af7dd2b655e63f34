package import DeskHTTP
package import DeskModel
package import DeskSAML
import Synchronization

/// The sign-in through the operator's identity provider.
package final class SingleSignOn: Sendable {
    /// What the operator configured.
    package struct Settings: Sendable, Hashable {
        /// How the provider is asked.
        package var way: Way
        /// What people call it; on the button.
        package var name: String
        /// Whether passwords are refused.
        package var isOnly: Bool
        /// The domains of which addresses must be, in lower case; empty for any.
        package var domains: [String]

        /// Puts the settings together.
        package init(_ way: Way, name: String, isOnly: Bool = false, domains: [String] = []) {
            self.way = way
            self.name = name
            self.isOnly = isOnly
            self.domains = domains
        }
    }

    /// The protocol, with what it needs.
    package enum Way: Sendable, Hashable {
        case openID(OpenIDSettings)
        case saml(SAMLSettings)
    }

    /// What the operator configured.
    package let settings: Settings
    /// Encrypts what a sign-in was begun with.
    let states: SignOnStates
    let provider: any IdentityProvider
    /// The provider where it is one of SAML.
    let saml: SAMLProvider?
    private let hasNamedByAddress = Mutex(false)

    /// A provider, asked with a client whose rules of addresses hold.
    ///
    /// - Parameters:
    ///   - origin: the public one of this server.
    ///   - key: encrypts what a sign-in was begun with, for every node; `SecretName.signOnStates`.
    package init(
        _ settings: Settings, origin: String, key: [UInt8], client: any OutgoingClient,
        time: TimeSource
    ) {
        self.settings = settings
        states = SignOnStates(key: key)
        switch settings.way {
        case .openID(let openID):
            saml = nil
            provider = OpenIDProvider(openID, client: client, time: time)
        case .saml(let settings):
            let made = SAMLProvider(settings, origin: origin, key: key, time: time)
            saml = made
            provider = made
        }
    }

    /// Whether this is the first person since the start whom the provider names by an address.
    func isFirstNamedByAddress() -> Bool {
        hasNamedByAddress.withLock { has in
            defer { has = true }
            return !has
        }
    }
}

/// An identity provider with OpenID Connect, as the operator names it.
package struct OpenIDSettings: Sendable, Hashable {
    /// The provider's own name, under which it publishes what it is.
    package var issuer: String
    /// Our name there.
    package var client: String
    /// Our secret there; nil for a client without one.
    package var secret: String?

    /// Puts the settings together.
    package init(issuer: String, client: String, secret: String? = nil) {
        self.issuer = issuer
        self.client = client
        self.secret = secret
    }
}

/// An identity provider with SAML, as the operator names it.
package struct SAMLSettings: Sendable, Hashable {
    /// What its metadata say.
    package var provider: SAMLIdentityProvider
    /// The attributes that it sends.
    package var names: SAMLNames

    /// Puts the settings together.
    package init(provider: SAMLIdentityProvider, names: SAMLNames = SAMLNames()) {
        self.provider = provider
        self.names = names
    }
}

/// Names of attributes that say something of a person.
package struct SAMLNames: Sendable, Hashable {
    /// What names a person for ever; nil for the assertion's `NameID`.
    package var subject: String?
    /// The person's address; nil for those that are usual.
    package var email: String?
    /// What has to be true for the address to be believed; nil where those of the company's domains are.
    package var verified: String?

    /// Puts names together.
    package init(subject: String? = nil, email: String? = nil, verified: String? = nil) {
        self.subject = subject
        self.email = email
        self.verified = verified
    }
}
