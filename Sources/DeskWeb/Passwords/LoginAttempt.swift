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

    /// Whose failures are counted together.
    package enum Source: Hashable, Sendable {
        /// A device that signed in to the account before.
        case device(Digest, ByteString)
        /// All unknown devices of a network, for one account.
        case network(ClientNetwork, ByteString)
    }

    package var source: Source {
        device.map { .device($0, account) } ?? .network(network, account)
    }
}
