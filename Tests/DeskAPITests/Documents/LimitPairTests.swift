import DeskHTTP
import TestSupport
import Testing

@testable import DeskAPI

/// Which test holds each limit of the two tables, fixed or not, at its value and one beyond it.
///
/// A limit without a pair fails here, and so does a pair whose test is gone.
struct LimitPairTests {
    /// A limit and the sentence of its test.
    private struct Pair: Sendable {
        let limit: String
        let file: String
        let test: String
    }

    private static func pairs(_ file: String, _ rows: [(String, String)]) -> [Pair] {
        rows.map { Pair(limit: $0.0, file: file, test: $0.1) }
    }

    private static let heads = pairs(
        "DeskHTTPTests/LimitTests.swift",
        [
            ("request-line-bytes", "a request line has 8 KiB"),
            ("header-field-bytes", "a field line has 8 KiB"),
            ("header-bytes", "a head has 16 KiB"),
            ("header-count", "a head has 100 fields"),
            ("cookie-bytes", "a cookie has 4,096 bytes"),
            ("chunk-extension-bytes", "a chunk extension has 256 bytes"),
        ])

    private static let deadlines = pairs(
        "DeskNetTests/DeadlineTableTests.swift",
        [
            ("skipped-body-bytes", "an unread body is skipped up to 64 KiB"),
            ("tls-handshake", "a handshake has its time and no more"),
            ("first-byte", "a deadline holds to its end and no longer"),
            ("head-complete", "a deadline holds to its end and no longer"),
            ("body-complete", "a deadline holds to its end and no longer"),
            ("small-body-bytes", "a deadline holds to its end and no longer"),
            ("upload-bytes-per-second", "a large upload keeps to a least rate"),
            ("upload-window", "a deadline holds to its end and no longer"),
            ("upload-complete", "a large upload has its time in all"),
            ("keep-alive-idle", "a deadline holds to its end and no longer"),
            ("handler-time", "a deadline holds to its end and no longer"),
            ("write-stall", "a peer that reads no byte is waited for so long and no longer"),
            ("heartbeat", "a deadline holds to its end and no longer"),
            ("pong", "a deadline holds to its end and no longer"),
        ])

    private static let connections =
        pairs(
            "DeskNetTests/ConnectionLimitTests.swift",
            [
                ("keep-alive-requests", "the thousandth request of a connection is its last"),
                ("linger", "after a refusal a second is waited and no longer"),
                (
                    "linger-bytes",
                    "after a refusal 16 MiB are dropped, and nothing more is waited for"
                ),
                (
                    "accept-backlog",
                    "as many connections as the backlog holds wait to be accepted, the next is not let in"
                ),
            ])
        + pairs(
            "DeskNetTests/AdmissionTests.swift",
            [("connections", "a connection over the limit waits until another ends")])
        + pairs(
            "DeskNetTests/UnauthenticatedPeerTests.swift",
            [
                (
                    "connections-per-address",
                    "an address has 1,024 connections, and a place again when one ends"
                )
            ])
        + pairs(
            "DeskNetTests/DrainTests.swift",
            [
                ("drain-requests", "a running request has ten seconds after a drain begins"),
                (
                    "drain-streams",
                    "streams are ended over twenty seconds, not all at once and none later"
                ),
                ("last-word", "a stream's last word has five seconds"),
                (
                    "drain-last",
                    "without streams a drain waits for what runs, and for nothing that comes later"
                ),
                ("drain-all", "after thirty seconds everything is closed"),
            ])
        + pairs(
            "DeskHTTPTests/WebSocketTests.swift",
            [
                ("web-socket-message-bytes", "a frame and a message each have their own limit"),
                ("web-socket-frame-bytes", "a frame and a message each have their own limit"),
                ("web-socket-fragments", "broken frames are refused with their code"),
            ])

    private static let requests =
        pairs(
            "DeskAPITests/RequestLimitTests.swift",
            [
                ("batch-bytes", "a body is read up to its route's limit"),
                ("record-bytes", "a body is read up to its route's limit"),
                ("customer-body-bytes", "a body is read up to its route's limit"),
                ("page-size", "a page has 50 elements, and 300 at most when more are asked for"),
                (
                    "page-size-most",
                    "a page has 50 elements, and 300 at most when more are asked for"
                ),
                ("invitation-days", "an invitation holds to the end of its seventh day"),
                (
                    "invitations-per-business",
                    "a business has so many open invitations and no more"
                ),
            ])
        + pairs(
            "DeskWebTests/RateBucketTests.swift",
            [
                "agent-messages", "key-messages", "customer-messages", "customer-settings",
                "validations", "searches", "address-requests",
            ].flatMap { name in
                ["-per-second", "-burst"].map {
                    (name + $0, "a budget gives its burst, then its rate, and not one more")
                }
            })
        + pairs(
            "DeskGatewayTests/UploadTests.swift",
            [
                (
                    "gateway-upload-hours",
                    "an upload that no message names is forgotten after a day and not before"
                )
            ])
        + pairs(
            "DeskGatewayTests/SurroundingsTests.swift",
            ["-per-second", "-burst"].map {
                (
                    "gateway-writes" + $0,
                    "a registration has its burst, then its rate, and not one more"
                )
            })
        + pairs(
            "DeskAPITests/MessageRouteTests.swift",
            [("payload-bytes", "a body over the limit is 413 and stores nothing")])
        + pairs(
            "DeskAPITests/BatchTests.swift",
            [("batch-messages", "a hundred go in, one more is refused as a whole")])
        + pairs(
            "DeskAPITests/ConversationRouteTests.swift",
            [("note-bytes", "a note over its limit is refused")])
        + pairs(
            "DeskAPITests/SchedulerTests.swift",
            [
                (
                    "delayed-per-conversation",
                    "a conversation has so many waiting messages and not one more"
                )
            ])
        + pairs(
            "DeskAPITests/AssistantRouteTests.swift",
            [("assistant-seconds", "a model that takes too long is not waited for")])
        + pairs(
            "DeskAPITests/DraftRouteTests.swift",
            [
                ("drafts-per-agent", "an agent has so many drafts and not one more"),
                ("draft-days", "a draft is deleted after its days and not before"),
            ])

    private static let credentials =
        pairs(
            "DeskAPITests/SessionTests.swift",
            [
                ("login-failures", "after five failures an account waits, twice as long each time"),
                (
                    "session-idle-minutes",
                    "a session ends after 30 idle minutes, and after 8 hours whatever happens"
                ),
                (
                    "session-hours",
                    "a session ends after 30 idle minutes, and after 8 hours whatever happens"
                ),
            ])
        + pairs(
            "DeskAPITests/UploadTests.swift",
            [
                (
                    "upload-minutes",
                    "a customer's file is forgotten after 45 minutes and not before"
                ),
                (
                    "member-upload-hours",
                    "a member's file is forgotten after a day and not before"
                ),
                (
                    "customer-upload-bytes-per-hour",
                    "an hour's bytes are accepted, then no more until there is room again"
                ),
                (
                    "address-upload-bytes-per-hour",
                    "new customers of an address have no bytes of their own"
                ),
                (
                    "member-upload-bytes-per-hour",
                    "an hour's bytes are accepted, then no more until there is room again"
                ),
            ])
        + pairs(
            "DeskAPITests/SignInTests.swift",
            [
                (
                    "logins-per-address-and-minute",
                    "an address has twenty failed sign-ins a minute, whatever accounts they name"
                ),
                (
                    "devices-per-account",
                    "an account has thirty-two devices; those used least lately are unknown again"
                ),
                ("device-days", "a device is unknown again after 180 days without a sign-in"),
            ])
        + pairs(
            "DeskWebTests/LoginGuardTests.swift",
            [
                (
                    "login-wait-seconds",
                    "the wait after failed sign-ins grows to 900 seconds and no further"
                ),
                (
                    "logins-per-account-and-hour",
                    "an account has a hundred failures an hour, from wherever they come"
                ),
            ])
        + pairs(
            "DeskWebTests/PasswordQueueTests.swift",
            [
                (
                    "passwords-at-once",
                    "as many passwords as work and wait are accepted, one more is 503"
                ),
                (
                    "password-queue",
                    "as many passwords as work and wait are accepted, one more is 503"
                ),
                (
                    "password-wait-seconds",
                    "a password waits thirty seconds for its turn and no longer"
                ),
            ])
        + pairs(
            "DeskWebTests/PasswordTests.swift",
            [
                ("password-least", "a password is judged"),
                ("password-most", "a password is judged"),
            ])
        + pairs(
            "DeskAPITests/CustomerSessionTests.swift",
            [
                ("customer-session-days", "thirty idle days end a session, renewed or not"),
                (
                    "customer-session-hours",
                    "a token is renewed when it is 24 hours old and not before"
                ),
                (
                    "customer-session-overlap-minutes",
                    "the old token ends 20 minutes after the new one was first used"
                ),
            ])
        + pairs(
            "DeskAPITests/HousekeepingTests.swift",
            [("idempotency-hours", "a key is remembered for a day and no longer")])

    private static let streams =
        pairs(
            "DeskWebTests/StreamLimiterTests.swift",
            [
                (
                    "streams-per-principal",
                    "a principal has 16 streams, whatever addresses they come from"
                ),
                (
                    "streams-per-address",
                    "an address has 256 streams of customers, of any business"
                ),
                (
                    "member-streams-per-address",
                    "an address has 2,048 streams of members beside those of customers"
                ),
                ("streams", "there are 15,000 streams in all, and room again when one ends"),
            ])
        + pairs(
            "DeskAPITests/StreamLimitTests.swift",
            [
                ("first-frame-seconds", "a socket's first frame has ten seconds"),
                (
                    "socket-frames-per-second",
                    "a socket's frames have a burst of forty and ten a second"
                ),
                ("socket-frames-burst", "a socket's frames have a burst of forty and ten a second"),
                (
                    "heartbeat-seconds",
                    "an event stream's heart beats after 25 quiet seconds and not before"
                ),
                ("stream-minutes", "a stream lives 15 minutes, a fifth more or less"),
                (
                    "recheck-seconds",
                    "a reader's right is looked at again after a minute and not before"
                ),
            ])
        + pairs(
            "DeskAPITests/EventPageTests.swift",
            [
                (
                    "events-looked-through",
                    "a page of events looks through 3,000 at most, and next leads on"
                ),
                ("event-page-bytes", "a page of events ends after 4 MiB, the last one whole"),
            ])
        + pairs(
            "DeskWebTests/DiskGuardTests.swift",
            ["disk-soft-bytes", "disk-soft-percent", "disk-hard-bytes"].map {
                ($0, "the marks are where they are said to be")
            })

    private static let all = heads + deadlines + connections + requests + credentials + streams

    @Test func `every limit with a name of its own has a test at its value and one beyond it`() {
        let limits = ServerLimits.entries.map(\.name) + APILimits.entries.map(\.name)
        #expect(limits.filter { limit in !Self.all.contains { $0.limit == limit } } == [])
        #expect(Self.all.map(\.limit).sorted() == limits.sorted())
    }

    @Test func `every test of a pair exists`() {
        for pair in Self.all {
            let text = TestFiles.text("Tests/" + pair.file) ?? ""
            #expect(text.contains("func `\(pair.test)`"), "\(pair.limit): \(pair.file)")
        }
    }
}
