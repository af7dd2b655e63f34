import DeskModel

/// Where the people of the console sign in, by whichever protocol.
protocol IdentityProvider: Sendable {
    /// The provider's own name, as identities have it.
    var issuer: String { get }

    /// Where a person goes to sign in.
    ///
    /// - Parameter redirectURI: where a code comes back to.
    /// - Throws: why the provider cannot be asked.
    func authorizationURL(
        for state: SignOnState, redirectURI: String
    ) async throws(SignOnFault) -> String

    /// Who signed in, by the code that came back.
    ///
    /// - Throws: why the provider did not answer, or what is wrong with its answer.
    func person(
        code: String, for state: SignOnState, redirectURI: String
    ) async throws(SignOnFault) -> ProvidedPerson

    /// Where a person can sign out of the provider too; nil unless it is known to have such a page.
    func signOutURL(returningTo page: String) -> String?
}

/// A person whom an identity provider signed in.
struct ProvidedPerson: Sendable, Hashable {
    /// Who the person is there.
    var identity: Identity
    /// The person's address.
    var email: String?
    /// Whether the provider says that the address is the person's.
    var isEmailVerified: Bool
    /// What the person is called.
    var name: String?
}
