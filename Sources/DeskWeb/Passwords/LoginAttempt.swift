package import DeskBytes
package import DeskHTTP
package import DeskModel

/// Who tries to sign in, as far as it is known before the password is.
package struct LoginAttempt: Sendable {
    /// The e-mail address, of an account or of none.
    package let account: ByteString
    /// The device, if it signed in to this account before; nil for every other.
    package let device: Digest?
    /// Where the attempt comes from.
    package let network: ClientNetwork

    /// Describes an attempt.
    package init(account: ByteString, device: Digest?, network: ClientNetwork) {
        self.account = account
        self.device = device
        self.network = network
    }
}
