import DeskAPI
import DeskBytes
import DeskCrypto
import DeskHTTP
public import DeskModel
public import DeskStore
public import DeskWeb

/// The sandbox of this server: its test business, who may play, and the secrets of its join codes.
public struct Sandbox: Sendable {
    /// How long the printed link keeps a browser in, in hours.
    public static let sessionHours = 8

    /// The test business that it plays with.
    public let business: BusinessID
    /// Whether there is a sandbox at all.
    public let isOffered: Bool
    /// Whether it needs no key: listener and public address are this machine's alone.
    public let isOpen: Bool
    /// What the printed link carries: new at each start where one process serves, else that of all nodes.
    public let key: Token
    /// What join codes are made with.
    package let codeKey: [UInt8]

    /// Makes a sandbox.
    ///
    /// - Parameter isShared: whether other nodes serve the same sandbox, so that the link of one of them opens
    ///   it on all; then it is valid for as long as the installation has its secrets.
    public init(
        business: BusinessID, isOffered: Bool, isOpen: Bool, secrets: SharedSecrets,
        isShared: Bool = false
    ) {
        self.business = business
        self.isOffered = isOffered
        self.isOpen = isOpen
        key = isShared ? Token(of: Array("sandbox link".utf8), key: secrets.joinCodes) : .make()
        codeKey = secrets.joinCodes
    }

    /// The link that opens it; nil when there is none.
    public func link(at origin: String) -> String? {
        isOffered ? "\(origin)/sandbox#key=\(key.text)" : nil
    }

    /// Whether a shown key is the printed one, compared in constant time.
    func accepts(_ shown: Token) -> Bool {
        constantTimeEquals(shown.digest.bytes, key.digest.bytes)
    }

    /// Whether a request may come in without a key.
    func isOpen(for request: Request) -> Bool {
        isOpen && LocalCaller.made(request)
    }
}
