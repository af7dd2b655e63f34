import DeskBytes
import DeskHTTP
import DeskModel

/// Who tries to sign in, as far as it is known before the password is.
struct LoginAttempt: Sendable {
    /// The e-mail address, of an account or of none.
    let account: ByteString
    /// The device, if it signed in to this account before; nil for every other.
    let device: Digest?
    /// Where the attempt comes from.
    let network: ClientNetwork

    /// Whose failures are counted together.
    enum Source: Hashable, Sendable {
        /// A device that signed in to the account before.
        case device(Digest, ByteString)
        /// All unknown devices of a network, for one account.
        case network(ClientNetwork, ByteString)
    }

    var source: Source {
        device.map { .device($0, account) } ?? .network(network, account)
    }
}
