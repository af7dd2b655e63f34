/// A new password of an account, and why it is replaced: by that it is decided what ends with the former one.
public struct PasswordReplacement: Hashable, Sendable {
    /// Why a password is replaced.
    public enum Cause: Hashable, Sendable {
        /// Its person knows it: this is what is stored of the one that was checked.
        case known(String)
        /// A link with this token, which is used up, whose person may have another name. Passkeys and identities
        /// end too: it is the way back of a person whose account others may have got into.
        case link(Digest, name: String)
        /// A person of the identity provider is linked to the account of an address that was never verified. Passkeys and
        /// the second factor end too: another person may have made them.
        case identity

        /// Whether the links to identity providers end.
        public var endsIdentities: Bool { if case .link = self { true } else { false } }
        /// Whether the second factor ends.
        public var endsSecondFactor: Bool { self == .identity }
        /// Whether the passkeys end.
        public var endsPasskeys: Bool { if case .known = self { false } else { true } }
    }

    /// What is stored of the new one: the scrypt text.
    public let password: String
    /// Why.
    public let cause: Cause

    /// Describes a replacement.
    public init(_ password: String, _ cause: Cause) {
        self.password = password
        self.cause = cause
    }
}
