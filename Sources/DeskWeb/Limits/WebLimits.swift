/// The limits that the framework itself obeys, each with its unit; docs/limits.md says what each is for.
public struct WebLimits: Sendable {
    /// Elements of a page when the caller names no number.
    public var pageSize = 50
    /// Most elements of a page; one more is answered with 422.
    public var pageSizeMost = 300

    /// Writes of an agent, a second; beyond it and the burst 429.
    public var agentMessagesPerSecond = 5
    /// Writes that an agent may make at once.
    public var agentMessagesBurst = 50
    /// Writes of an API key, a second; beyond it and the burst 429.
    public var keyMessagesPerSecond = 50
    /// Writes that an API key may make at once.
    public var keyMessagesBurst = 200
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

    /// Streams of one principal; one more is answered with 429.
    public var streamsPerPrincipal = 16
    /// Streams of customers, and of the sandbox, from one address; one more is answered with 429.
    public var streamsPerAddress = 256
    /// Streams of members and keys from one address; one more is answered with 429.
    public var memberStreamsPerAddress = 2_048
    /// Streams in all; one more is answered with 503.
    public var streams = 15_000
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
}
