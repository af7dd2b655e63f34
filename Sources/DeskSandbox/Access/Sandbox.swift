import DeskAPI
import DeskBytes
import DeskCrypto
import DeskHTTP
public import DeskModel
public import DeskStore
import DeskWeb

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
    /// What lets a phone on the same network in, where listener and public address are this machine's alone.
    let opening: Opening
    private let keys: Keys
    /// What join codes are made with.
    package let codeKey: [UInt8]

    /// How a server is started so that a phone on the network reaches it.
    public enum Opening: String, Sendable {
        /// By `make run LAN=1`, in a checkout.
        case make
        /// By `--listen` and `--public-url`.
        case flags
        /// By nothing: an ephemeral gateway listens on loopback only.
        case nothing
    }

    /// What the printed links carry.
    private enum Keys {
        /// One that is new at each start.
        case ofProcess(Token)
        /// For each day one, derived from a secret that all nodes have.
        case ofDays([UInt8])
    }

    /// Makes a sandbox.
    ///
    /// - Parameter isShared: whether other nodes serve the same sandbox, so that the link of one of them opens
    ///   it on all: each day another, which is valid until the next day's end.
    public init(
        business: BusinessID, isOffered: Bool, isOpen: Bool, secrets: SharedSecrets,
        isShared: Bool = false, opening: Opening = .flags
    ) {
        self.business = business
        self.isOffered = isOffered
        self.isOpen = isOpen
        self.opening = opening
        keys = isShared ? .ofDays(secrets.joinCodes) : .ofProcess(.make())
        codeKey = secrets.joinCodes
    }

    /// A link that opens it from a moment on; nil when there is none.
    public func link(at origin: String, from time: Timestamp) -> String? {
        isOffered ? "\(origin)/sandbox#key=\(key(ofDay: Self.day(of: time)).text)" : nil
    }

    /// How long a link works, in words behind "works".
    public var linkLife: String {
        switch keys {
        case .ofProcess: "until the server ends"
        case .ofDays: "on every node until tomorrow ends (UTC)"
        }
    }

    /// Whether a shown key is that of a printed link, compared in constant time.
    ///
    /// The next day's is accepted too: the clock of the node that made it may be ahead.
    func accepts(_ shown: Token, at time: Timestamp) -> Bool {
        let today = Self.day(of: time)
        return (today - 1...today + 1).reduce(false) { isKnown, day in
            constantTimeEquals(shown.digest.bytes, key(ofDay: day).digest.bytes) || isKnown
        }
    }

    private func key(ofDay day: Int64) -> Token {
        switch keys {
        case .ofProcess(let key): key
        case .ofDays(let secret): Token(of: Array("sandbox link \(day)".utf8), key: secret)
        }
    }

    /// The days since 1970, in UTC.
    private static func day(of time: Timestamp) -> Int64 { time.milliseconds / 86_400_000 }

    /// Whether a request may come in without a key.
    func isOpen(for request: Request) -> Bool {
        isOpen && LocalCaller.made(request)
    }
}
