public import DeskBroker

/// Every limit of the API with its unit; docs/limits.md says what each is for.
public struct APILimits: Sendable {
    /// Largest JSON body of an agent or a key, in bytes; one more is answered with 413.
    public var payloadBytes = 4 * 1_024 * 1_024
    /// Largest body of a batch in bytes; one more is answered with 413.
    public var batchBytes = 1_024 * 1_024
    /// Most messages in a batch; one more is answered with 422.
    public var batchMessages = 100
    /// Largest JSON body of the routes that register things, in bytes; one more is answered with 413.
    public var recordBytes = 64 * 1_024
    /// Largest JSON body of a customer's device, in bytes; one more is answered with 413.
    public var customerBodyBytes = 64 * 1_024
    /// Elements of a page when the caller names no number.
    public var pageSize = 50
    /// Most elements of a page; one more is answered with 422.
    public var pageSizeMost = 300
    /// Longest note in bytes of UTF-8; one more is answered with 422.
    public var noteBytes = 16 * 1_024

    /// Writes of an agent, a second; beyond it and the burst 429.
    public var agentMessagesPerSecond = 5
    /// Writes that an agent may make at once.
    public var agentMessagesBurst = 50
    /// Writes of an API key, a second; beyond it and the burst 429.
    public var keyMessagesPerSecond = 50
    /// Writes that an API key may make at once.
    public var keyMessagesBurst = 200
    /// Writes of a provider or an upstream gateway, by registration, a second; beyond it and the burst 429.
    public var gatewayWritesPerSecond = 50
    /// Writes that such a registration may make at once.
    public var gatewayWritesBurst = 200
    /// An upload of a provider that no message names is deleted after this many hours.
    public var gatewayUploadHours = 24
    /// Messages of a customer, a second; beyond it and the burst 429.
    public var customerMessagesPerSecond = 1
    /// Messages that a customer may send at once.
    public var customerMessagesBurst = 10
    /// Times that a customer may mute or delete the conversation, a second.
    public var customerSettingsPerSecond = 1
    /// Such changes that a customer may make at once.
    public var customerSettingsBurst = 10
    /// Validations and previews by an agent, a key or the sandbox, a second.
    public var validationsPerSecond = 20
    /// Such validations that may be requested at once.
    public var validationsBurst = 100
    /// Searches of an agent, a key or the sandbox, a second; beyond it and the burst 429.
    public var searchesPerSecond = 5
    /// Searches that may be made at once.
    public var searchesBurst = 30
    /// Requests without a credential that an address may make to public writes, a second.
    public var addressRequestsPerSecond = 10
    /// Such requests that an address may make at once.
    public var addressRequestsBurst = 100

    /// A customer's file that no message names is deleted after this many minutes.
    public var uploadMinutes = 45
    /// Bytes that a customer may upload in an hour; beyond it 429.
    public var customerUploadBytesPerHour = 512 * 1_024 * 1_024
    /// Bytes that all customers of an address may upload in an hour; beyond it 429.
    public var addressUploadBytesPerHour = 1_024 * 1_024 * 1_024
    /// A member's file named by no message or template is deleted after this many hours.
    public var memberUploadHours = 24
    /// Bytes that an agent, a key or the sandbox may upload in an hour; beyond it 429.
    public var memberUploadBytesPerHour = 2 * 1_024 * 1_024 * 1_024

    /// Failed sign-ins to an account from a known device, or from an address, before these have to wait.
    public var loginFailures = 5
    /// Longest wait after failed sign-ins, in seconds.
    public var loginWaitSeconds = 15 * 60
    /// Failed sign-ins of unknown devices to an account in an hour; beyond it 429.
    public var loginsPerAccountAndHour = 100
    /// Failed sign-ins of unknown devices from an address in a minute; beyond it 429.
    public var loginsPerAddressAndMinute = 20
    /// Known devices of an account; the devices used least recently are forgotten.
    public var devicesPerAccount = 32
    /// A device is unknown again when it was not signed in with for this many days.
    public var deviceDays = 180
    /// Passwords that are hashed at the same time.
    public var passwordsAtOnce = 2
    /// Passwords that wait to be hashed; one more is answered with 503.
    public var passwordQueue = 256
    /// Longest time that a password waits to be hashed, in seconds; beyond it 503.
    public var passwordWaitSeconds = 30
    /// Shortest password in characters.
    public var passwordLeast = 15
    /// Longest password in characters.
    public var passwordMost = 256

    /// An agent's session ends after this many idle minutes.
    public var sessionIdleMinutes = 30
    /// An agent's session ends after this many hours, used or not.
    public var sessionHours = 8
    /// An invitation ends after this many days.
    public var invitationDays = 7
    /// Open invitations of a business; one more is refused.
    public var invitationsPerBusiness = 1_000
    /// A customer's session ends after this many idle days.
    public var customerSessionDays = 30
    /// A customer's session is given a new token after this many hours.
    public var customerSessionHours = 24
    /// The old token ends this many minutes after the new one was first used; longer than a stream.
    public var customerSessionOverlapMinutes = 20
    /// A first answer is remembered for this many hours under its `Idempotency-Key`.
    public var idempotencyHours = 24

    /// Streams of one principal; one more is answered with 429.
    public var streamsPerPrincipal = 16
    /// Streams of customers, and of the sandbox, from one address; one more is answered with 429.
    public var streamsPerAddress = 256
    /// Streams of members and keys from one address; one more is answered with 429.
    public var memberStreamsPerAddress = 2_048
    /// Streams in all; one more is answered with 503.
    public var streams = 15_000
    /// Seconds in which a page's socket has to send its first frame; then it is closed.
    public var firstFrameSeconds = 10
    /// Frames that a page's socket may send a second; more are dropped.
    public var socketFramesPerSecond = 10
    /// Frames that a page's socket may send at once.
    public var socketFramesBurst = 40
    /// Seconds between two heartbeats of a stream.
    public var heartbeatSeconds = 25
    /// Minutes of a stream's life, a fifth more or less; then it ends and the reader resumes.
    public var streamMinutes = 15
    /// Seconds between two checks whether a stream's principal may still read.
    public var recheckSeconds = 60

    /// Free bytes of the data directory's disk below which an alarm is raised.
    public var diskSoftBytes = 1_024 * 1_024 * 1_024
    /// The same as a share of the disk, in hundredths; the smaller of the two counts.
    public var diskSoftPercent = 5
    /// Free bytes below which writes are answered with 503.
    public var diskHardBytes = 256 * 1_024 * 1_024

    /// The defaults.
    public init() {}

    /// The budget of a provider or an upstream gateway.
    public var gatewayWrites: Rate {
        Rate(perSecond: Double(gatewayWritesPerSecond), burst: Double(gatewayWritesBurst))
    }

    /// Sets a limit by its name; false for an unknown or fixed one, a number below 1 or above its highest.
    public mutating func set(_ name: String, to value: Int) -> Bool {
        guard value >= 1,
            let entry = Self.entries.first(where: { $0.name.utf8.elementsEqual(name.utf8) }),
            entry.isSettable, value <= entry.most
        else { return false }
        self[keyPath: entry.place] = value
        return true
    }
}
