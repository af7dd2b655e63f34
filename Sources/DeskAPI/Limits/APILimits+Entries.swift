import DeskWeb

extension APILimits {
    /// One limit: its name in `--limit NAME=NUMBER` and what it bounds.
    public struct Entry: Sendable {
        /// The name; the unit is in it.
        public let name: String
        /// Where its number is kept.
        public let place: any WritableKeyPath<APILimits, Int> & Sendable
        /// What it bounds, as docs/limits.md says it.
        public let bounds: String
        /// What happens beyond it.
        public let beyond: String

        /// Whether an operator may set it; the others are fixed numbers.
        public var isSettable: Bool { APILimits.settable.contains(name) }

        /// The highest number that may be set: beyond it another bound would apply without a word
        /// to the operator.
        public var most: Int { APILimits.highest[name] ?? APILimits.highestOfUnit(name) }
    }

    /// What an operator sets: rates, sessions, streams and the disk.
    private static let settable: Set = [
        "agent-messages-per-second", "agent-messages-burst", "key-messages-per-second",
        "key-messages-burst", "gateway-writes-per-second", "gateway-writes-burst",
        "customer-messages-per-second", "customer-messages-burst", "validations-per-second",
        "validations-burst", "searches-per-second", "searches-burst", "address-requests-per-second",
        "address-requests-burst", "customer-upload-bytes-per-hour", "logins-per-address-and-minute",
        "passwords-at-once", "session-idle-minutes", "session-hours", "customer-session-days",
        "streams-per-principal", "streams-per-address", "streams", "disk-soft-bytes",
        // How long a model needs depends on the machine that it runs on.
        "disk-hard-bytes", "assistant-seconds",
    ]

    /// Highest numbers that something else decides.
    private static let highest = [
        // Each is a thread.
        "passwords-at-once": 256,
        // No disk is larger.
        "disk-soft-bytes": 1 << 50, "disk-hard-bytes": 1 << 50,
    ]

    /// Times of about 27 years, so that no sum of times overflows; two thousand million of all else.
    private static func highestOfUnit(_ name: String) -> Int {
        if name.hasSuffix("-days") { return 10_000 }
        if name.hasSuffix("-hours") { return 240_000 }
        if name.hasSuffix("-minutes") { return 14_400_000 }
        if name.hasSuffix("-seconds") { return 864_000_000 }
        return 1 << 31
    }

    /// Every limit, in the order of the documentation.
    public static let entries: [Entry] = [
        Entry(
            name: "payload-bytes", place: \.payloadBytes,
            bounds: "Largest JSON body of an agent or a key, in bytes",
            beyond: "413"),
        Entry(
            name: "batch-bytes", place: \.batchBytes,
            bounds: "Largest body of a batch in bytes",
            beyond: "413"),
        Entry(
            name: "batch-messages", place: \.batchMessages,
            bounds: "Most messages in a batch",
            beyond: "422"),
        Entry(
            name: "record-bytes", place: \.recordBytes,
            bounds: "Largest JSON body of the routes that register things, in bytes",
            beyond: "413"),
        Entry(
            name: "customer-body-bytes", place: \.customerBodyBytes,
            bounds: "Largest JSON body of a customer's device, in bytes",
            beyond: "413"),
        Entry(
            name: "page-size", place: \.web.pageSize,
            bounds: "Elements of a page when the caller names no number",
            beyond: "the page ends; `next` leads on"),
        Entry(
            name: "page-size-most", place: \.web.pageSizeMost,
            bounds: "Most elements of a page",
            beyond: "422"),
        Entry(
            name: "note-bytes", place: \.noteBytes,
            bounds: "Longest note in bytes of UTF-8",
            beyond: "422"),
        Entry(
            name: "assistant-seconds", place: \.assistantSeconds,
            bounds:
                "Seconds that the operator's model may need for one answer, with all corrections",
            beyond: "503 `assistant_unavailable`"),
        Entry(
            name: "delayed-per-conversation", place: \.delayedPerConversation,
            bounds: "Messages of a conversation that wait to be sent, refused ones included",
            beyond: "422"),
        Entry(
            name: "drafts-per-agent", place: \.draftsPerAgent,
            bounds: "Drafts of an agent",
            beyond: "422"),
        Entry(
            name: "draft-days", place: \.draftDays,
            bounds: "A draft that was not saved for this many days is deleted",
            beyond: "404"),
        Entry(
            name: "agent-messages-per-second", place: \.web.agentMessagesPerSecond,
            bounds: "Writes of an agent, a second",
            beyond: "429 with `Retry-After`"),
        Entry(
            name: "agent-messages-burst", place: \.web.agentMessagesBurst,
            bounds: "Writes that an agent may make at once",
            beyond: "429 with `Retry-After`"),
        Entry(
            name: "key-messages-per-second", place: \.web.keyMessagesPerSecond,
            bounds: "Writes of an API key, a second",
            beyond: "429 with `Retry-After`"),
        Entry(
            name: "key-messages-burst", place: \.web.keyMessagesBurst,
            bounds: "Writes that an API key may make at once",
            beyond: "429 with `Retry-After`"),
        Entry(
            name: "gateway-writes-per-second", place: \.gatewayWritesPerSecond,
            bounds: "Writes of a provider or an upstream gateway, by registration, a second",
            beyond: "429 with `Retry-After`"),
        Entry(
            name: "gateway-writes-burst", place: \.gatewayWritesBurst,
            bounds: "Writes that such a registration may make at once",
            beyond: "429 with `Retry-After`"),
        Entry(
            name: "gateway-upload-hours", place: \.gatewayUploadHours,
            bounds:
                "An upload of a provider that no message names is deleted after this many hours",
            beyond: "400 for a message that names it, 404 for its download"),
        Entry(
            name: "customer-messages-per-second", place: \.web.customerMessagesPerSecond,
            bounds: "Messages of a customer, a second",
            beyond: "429 with `Retry-After`"),
        Entry(
            name: "customer-messages-burst", place: \.web.customerMessagesBurst,
            bounds: "Messages that a customer may send at once",
            beyond: "429 with `Retry-After`"),
        Entry(
            name: "customer-settings-per-second", place: \.web.customerSettingsPerSecond,
            bounds: "Times that a customer may mute or delete the conversation, a second",
            beyond: "429 with `Retry-After`"),
        Entry(
            name: "customer-settings-burst", place: \.web.customerSettingsBurst,
            bounds: "Such changes that a customer may make at once",
            beyond: "429 with `Retry-After`"),
        Entry(
            name: "validations-per-second", place: \.web.validationsPerSecond,
            bounds:
                "Validations and previews by an agent, a key or the sandbox, a second",
            beyond: "429 with `Retry-After`"),
        Entry(
            name: "validations-burst", place: \.web.validationsBurst,
            bounds: "Such validations that may be requested at once",
            beyond: "429 with `Retry-After`"),
        Entry(
            name: "searches-per-second", place: \.web.searchesPerSecond,
            bounds:
                "Searches of an agent, a key or the sandbox, a second; a list with words, and the count "
                + "of a view with words, is one",
            beyond: "429 with `Retry-After`"),
        Entry(
            name: "searches-burst", place: \.web.searchesBurst,
            bounds: "Searches that may be made at once",
            beyond: "429 with `Retry-After`"),
        Entry(
            name: "address-requests-per-second", place: \.web.addressRequestsPerSecond,
            bounds:
                "Requests without a credential that an address may make to public writes, a second",
            beyond: "429 with `Retry-After`"),
        Entry(
            name: "address-requests-burst", place: \.web.addressRequestsBurst,
            bounds: "Such requests that an address may make at once",
            beyond: "429 with `Retry-After`"),
        Entry(
            name: "upload-minutes", place: \.uploadMinutes,
            bounds: "A customer's file that no message names is deleted after this many minutes",
            beyond: "404 for its download and for a message that names it"),
        Entry(
            name: "customer-upload-bytes-per-hour", place: \.customerUploadBytesPerHour,
            bounds:
                "Bytes that a customer may upload in an hour; each file counts 256 KiB at least",
            beyond: "429 with `Retry-After`"),
        Entry(
            name: "address-upload-bytes-per-hour", place: \.addressUploadBytesPerHour,
            bounds: "Bytes that all customers of an address may upload in an hour",
            beyond: "429 with `Retry-After`"),
        Entry(
            name: "member-upload-hours", place: \.memberUploadHours,
            bounds:
                "A member's file named by no message or template is deleted after this many hours",
            beyond: "404 for its download, 422 for a message that names it"),
        Entry(
            name: "member-upload-bytes-per-hour", place: \.memberUploadBytesPerHour,
            bounds: "Bytes that an agent, a key or the sandbox may upload in an hour",
            beyond: "429 with `Retry-After`"),
        Entry(
            name: "login-failures", place: \.web.loginFailures,
            bounds:
                "Failed sign-ins to an account from a known device, or from an address, before these have to wait; "
                + "and wrong codes of its second factor",
            beyond: "429, waiting 1 s, then twice as long each time"),
        Entry(
            name: "login-wait-seconds", place: \.web.loginWaitSeconds,
            bounds: "Longest wait after failed sign-ins, in seconds",
            beyond: "the wait grows no more"),
        Entry(
            name: "logins-per-account-and-hour", place: \.web.loginsPerAccountAndHour,
            bounds: "Failed sign-ins of unknown devices to an account in an hour",
            beyond: "429"),
        Entry(
            name: "logins-per-address-and-minute", place: \.web.loginsPerAddressAndMinute,
            bounds: "Failed sign-ins of unknown devices from an address in a minute",
            beyond: "429"),
        Entry(
            name: "devices-per-account", place: \.web.devicesPerAccount,
            bounds: "Known devices of an account",
            beyond: "the least recently used become unknown again"),
        Entry(
            name: "device-days", place: \.web.deviceDays,
            bounds: "A device that was not signed in with for this many days is unknown again",
            beyond: "its failures are counted with those of its address"),
        Entry(
            name: "passwords-at-once", place: \.web.passwordsAtOnce,
            bounds: "Passwords that are hashed at the same time",
            beyond: "waits in the queue"),
        Entry(
            name: "password-queue", place: \.web.passwordQueue,
            bounds: "Passwords that wait to be hashed",
            beyond: "503"),
        Entry(
            name: "password-wait-seconds", place: \.web.passwordWaitSeconds,
            bounds: "Longest time that a password waits to be hashed, in seconds",
            beyond: "503"),
        Entry(
            name: "password-least", place: \.web.passwordLeast,
            bounds: "Shortest password in characters",
            beyond: "422"),
        Entry(
            name: "password-most", place: \.web.passwordMost,
            bounds: "Longest password in characters",
            beyond: "422"),
        Entry(
            name: "session-idle-minutes", place: \.web.sessionIdleMinutes,
            bounds: "An agent's session ends after this many idle minutes",
            beyond: "401"),
        Entry(
            name: "session-hours", place: \.web.sessionHours,
            bounds: "An agent's session ends after this many hours, used or not",
            beyond: "401"),
        Entry(
            name: "invitation-days", place: \.invitationDays,
            bounds: "An invitation ends after this many days",
            beyond: "the link is refused"),
        Entry(
            name: "invitations-per-business", place: \.invitationsPerBusiness,
            bounds: "Open invitations of a business",
            beyond: "422"),
        Entry(
            name: "customer-session-days", place: \.customerSessionDays,
            bounds: "A customer's session ends after this many idle days",
            beyond: "401; the next message begins anew"),
        Entry(
            name: "customer-session-hours", place: \.customerSessionHours,
            bounds: "A customer's session is given a new token after this many hours",
            beyond: "the answer hands over the new one"),
        Entry(
            name: "customer-session-overlap-minutes", place: \.customerSessionOverlapMinutes,
            bounds:
                "The old token ends this many minutes after the new one was first used; longer than a stream lives",
            beyond: "401"),
        Entry(
            name: "idempotency-hours", place: \.idempotencyHours,
            bounds: "A first answer is remembered for this many hours under its `Idempotency-Key`",
            beyond: "the key is unknown again; message ids are known for ever"),
        Entry(
            name: "streams-per-principal", place: \.web.streamsPerPrincipal,
            bounds: "Streams of one principal",
            beyond: "429"),
        Entry(
            name: "streams-per-address", place: \.web.streamsPerAddress,
            bounds: "Streams of customers, and of the sandbox, from one address",
            beyond: "429"),
        Entry(
            name: "member-streams-per-address", place: \.web.memberStreamsPerAddress,
            bounds: "Streams of members and keys from one address",
            beyond: "429"),
        Entry(
            name: "streams", place: \.web.streams,
            bounds: "Streams in all; never more than the process may open files, less 1,000",
            beyond: "503"),
        Entry(
            name: "first-frame-seconds", place: \.firstFrameSeconds,
            bounds: "Seconds in which a page's socket has to send its first frame",
            beyond: "close code 1008"),
        Entry(
            name: "socket-frames-per-second", place: \.socketFramesPerSecond,
            bounds: "Frames that a page's socket may send a second",
            beyond: "more are dropped"),
        Entry(
            name: "socket-frames-burst", place: \.socketFramesBurst,
            bounds: "Frames that a page's socket may send at once",
            beyond: "more are dropped"),
        Entry(
            name: "events-looked-through", place: \.eventsLookedThrough,
            bounds: "Events looked through for a page of events",
            beyond: "the page ends; `next` leads on"),
        Entry(
            name: "event-page-bytes", place: \.eventPageBytes,
            bounds: "Bytes of events after which a page of events ends",
            beyond: "the page ends; `next` leads on"),
        Entry(
            name: "heartbeat-seconds", place: \.heartbeatSeconds,
            bounds: "Seconds between two heartbeats of a stream",
            beyond: "a comment is sent"),
        Entry(
            name: "stream-minutes", place: \.web.streamMinutes,
            bounds: "Minutes of a stream's life, a fifth more or less",
            beyond: "`retry`, then the end; the reader resumes"),
        Entry(
            name: "recheck-seconds", place: \.web.recheckSeconds,
            bounds: "Seconds between two checks whether a stream's principal may still read",
            beyond: "the stream ends when the permission is gone"),
        Entry(
            name: "disk-soft-bytes", place: \.web.diskSoftBytes,
            bounds: "Free bytes of the data directory's disk below which an alarm is raised",
            beyond: "a line in the log, `frontdesk_disk_level` 1"),
        Entry(
            name: "disk-soft-percent", place: \.web.diskSoftPercent,
            bounds: "The same as a share of the disk, in hundredths; the smaller of the two counts",
            beyond: "the same"),
        Entry(
            name: "disk-hard-bytes", place: \.web.diskHardBytes,
            bounds: "Free bytes below which nothing more is stored",
            beyond:
                "503 `storage_full` with `Retry-After`; reading, streams, signing in and deleting go on"
        ),
    ]
}
