/// Why a person who came back from the provider is not signed in.
struct SignOnRefusal: Error, Sendable {
    /// A word that the console has a sentence for; `web/console/sign-on.js` has the same, as a test says.
    enum Reason: String, Sendable, CaseIterable {
        /// The provider did not sign the person in, or the person gave up.
        case refused
        /// The sign-in was begun too long ago, in another browser, or is finished already.
        case expired
        /// The provider did not answer.
        case unreachable
        /// The provider's answer is not one to the sign-in that was begun.
        case invalid
        /// The provider does not say that the address is the person's.
        case unverified
        /// The address is not of the domain that the operator wants.
        case domain
        /// No account has the address.
        case unknown
        /// Several accounts have the address.
        case several
        /// The account of the address is another person's to the provider.
        case other
        /// The invitation is used up, withdrawn or too old.
        case link
        /// The invitation is for another address.
        case address
        /// This server could not do its part.
        case unavailable

        /// Whether the provider or this server failed, and not the person.
        var isFailure: Bool {
            switch self {
            case .unreachable, .invalid, .unavailable: true
            case .refused, .expired, .unverified, .domain, .unknown, .several, .other, .link,
                .address:
                false
            }
        }
    }

    let reason: Reason
    /// What more the log says; nothing of a token.
    var detail = ""
    /// Whether the answer was one to another sign-in than the browser carries, which then goes on.
    var isOfAnother = false
}

extension SignOnRefusal {
    /// The refusal that a provider's failure leads to.
    init(_ fault: SignOnFault) {
        self.init(
            reason: fault.isPassing ? .unreachable : .invalid,
            detail: "\(fault.step) \(fault.detail)")
    }
}
