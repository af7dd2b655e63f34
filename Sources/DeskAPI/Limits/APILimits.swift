public import DeskModel
public import DeskWeb

/// Every limit of the API with its unit; docs/limits.md says what each is for.
public struct APILimits: Sendable {
    /// Those of the web framework.
    public var web = WebLimits()

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
    /// Longest note in bytes of UTF-8; one more is answered with 422.
    public var noteBytes = 16 * 1_024
    /// Seconds that the operator's model may need for one answer, with all corrections; then 503.
    public var assistantSeconds = 60
    /// Messages of a conversation that wait to be sent; one more is answered with 422.
    public var delayedPerConversation = 20
    /// Drafts of an agent; one more is answered with 422.
    public var draftsPerAgent = 500
    /// A draft that was not saved for this many days is deleted.
    public var draftDays = 90

    /// Writes of a provider or an upstream gateway, by registration, a second; beyond it and the burst 429.
    public var gatewayWritesPerSecond = 50
    /// Writes that such a registration may make at once.
    public var gatewayWritesBurst = 200
    /// An upload of a provider that no message names is deleted after this many hours.
    public var gatewayUploadHours = 24

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

    /// Seconds in which a page's socket has to send its first frame; then it is closed.
    public var firstFrameSeconds = 10
    /// Frames that a page's socket may send a second; more are dropped.
    public var socketFramesPerSecond = 10
    /// Frames that a page's socket may send at once.
    public var socketFramesBurst = 40
    /// Seconds between two heartbeats of a stream.
    public var heartbeatSeconds = 25

    /// Events looked through for one page of events; the page ends and `next` leads on.
    public var eventsLookedThrough = 3_000
    /// Bytes of events after which a page of events ends, the last one whole; `next` leads on.
    public var eventPageBytes = 4 * 1_024 * 1_024

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
