import DeskCommandLine
import DeskHTTP
import DeskJSON
import DeskLint
import DeskModel
import DeskWebhooks
import FoundationEssentials
import TestSupport
import Testing

@testable import frontdesk

/// `frontdesk listen` and `trigger` without a network: what is asked, posted, retried and printed.
struct WebhookCommandTests {
    private static let secret = WebhookSecret.make()
    private static let now: Int64 = 1_900_000_000

    /// A time that does not pass; waits end at once and are noted.
    private func time(_ waits: Record<Duration>) -> TimeSource {
        let start = ContinuousClock.now
        return TimeSource(
            now: { Timestamp(seconds: Self.now) }, instant: { start },
            sleep: { waits.add($0) })
    }

    private func forwarding(
        _ client: ScriptedClient, types: Set<String> = [], waits: Record<Duration> = Record(),
        lines: Record<String> = Record(), notes: Record<String> = Record()
    ) -> EventForwarding {
        let time = time(waits)
        return EventForwarding(
            server: RemoteServer(url: "http://desk", key: "fd_test", client: client),
            receiver: LocalReceiver(
                url: "http://local/hook", signer: WebhookSigner(secrets: [Self.secret]),
                client: client, time: time),
            types: types, time: time, print: { lines.add($0) }, note: { notes.add($0) })
    }

    private static func block(_ id: String, _ data: String, type: String = "a.b") -> String {
        "id: \(id)\nevent: \(type)\ndata: \(data)\n\n"
    }

    @Test func `events are posted signed and in order, and the stream goes on behind the last one`()
        async throws
    {
        let client = ScriptedClient(
            streams: [
                "retry: 7\n\n" + Self.block("e-4", "{}", type: "live") + ": \n\n"
                    + Self.block("e-5", #"{"n":5}"#) + "event: ephemeral\ndata: {}\n\n",
                Self.block("e-6", #"{"n":6}"#),
            ], answers: [.status(204), .status(200, "thanks")])
        let (lines, waits) = (Record<String>(), Record<Duration>())
        let end = await forwarding(client, waits: waits, lines: lines).run(after: nil)
        #expect(client.cursors.all == [nil, "e-5", "e-6"])
        #expect(client.posts.all.map(\.text) == [#"{"n":5}"#, #"{"n":6}"#])
        #expect(client.posts.all.map(\.headers.id) == ["e-5", "e-6"])
        let verifier = WebhookVerifier(secrets: [Self.secret])
        for post in client.posts.all {
            try verifier.verify(post.headers, body: post.body, nowSeconds: Self.now)
        }
        #expect(
            lines.all == ["17:46:40  a.b  e-5  204 (0 ms)", "17:46:40  a.b  e-6  200 (0 ms)"])
        #expect(waits.all.first == .milliseconds(7))
        #expect(end.delivered == 2 && end.refused == 0 && end.last == "e-6")
        #expect(end.failure?.message == "http://desk answered 401: No such key.")
    }

    @Test func `only the types that were asked for are posted, and the cursor passes the others`()
        async
    {
        let client = ScriptedClient(
            streams: [Self.block("e-1", "{}", type: "c.d") + Self.block("e-2", "{}", type: "e.f")],
            answers: [.status(200)])
        let end = await forwarding(client, types: ["c.d"]).run(after: "e-0")
        #expect(client.cursors.all == ["e-0", "e-2"])
        // The server filters too, so that what is not forwarded does not travel.
        #expect(client.queries.all.allSatisfy { $0 == "?filter%5Btype%5D=c.d" })
        #expect(client.posts.all.count == 1 && end.delivered == 1)
    }

    @Test(arguments: [
        ScriptedClient.Answer.fails(.connection), .fails(.timeout), .fails(.cutOff), .status(429),
        .status(502), .status(503), .status(504),
    ])
    func `a receiver that is away gets the event again, before those behind it`(
        away: ScriptedClient.Answer
    ) async {
        let client = ScriptedClient(
            streams: [Self.block("e-1", "1") + Self.block("e-2", "2")],
            answers: [away, away, .status(200), .status(200)])
        let (waits, notes) = (Record<Duration>(), Record<String>())
        let end = await forwarding(client, waits: waits, notes: notes).run(after: nil)
        #expect(client.posts.all.map(\.text) == ["1", "1", "1", "2"])
        #expect(waits.all.prefix(2) == [.milliseconds(500), .seconds(1)])
        #expect(notes.all.count == 1)
        #expect(end.delivered == 2 && end.refused == 0)
    }

    @Test func `an event is given up after nine attempts, and the next one is posted`() async {
        let client = ScriptedClient(
            streams: [Self.block("e-1", "1") + Self.block("e-2", "2")],
            answers: Array(repeating: .fails(.connection), count: 9) + [.status(200)])
        let lines = Record<String>()
        let end = await forwarding(client, lines: lines).run(after: nil)
        #expect(client.posts.all.map(\.text) == Array(repeating: "1", count: 9) + ["2"])
        #expect(lines.all.first?.contains("given up after 9 attempts: no answer") == true)
        #expect(end.delivered == 1 && end.refused == 1 && end.last == "e-2")
    }

    @Test(arguments: [400, 401, 404, 410, 500, 301])
    func `an event that the receiver refuses is shown with its words and not sent again`(
        code: Int
    ) async {
        let client = ScriptedClient(
            streams: [Self.block("e-1", "1")],
            answers: [.status(code, "bad \u{1B}[31msignature\nsecond line")])
        let lines = Record<String>()
        let end = await forwarding(client, lines: lines).run(after: nil)
        #expect(client.posts.all.count == 1 && end.refused == 1)
        #expect(lines.all == ["17:46:40  a.b  e-1  \(code) (0 ms): bad [31msignature"])
    }

    @Test func `a server that is away is asked again, and a log that begins anew is followed`()
        async
    {
        let client = ScriptedClient(
            streams: [
                "503", "429", Self.block("f-9", "{}", type: "reset") + Self.block("f-10", "{}"),
            ], answers: [.status(200)])
        let (waits, notes) = (Record<Duration>(), Record<String>())
        let end = await forwarding(client, waits: waits, notes: notes).run(after: "e-1")
        #expect(client.cursors.all == ["e-1", "e-1", "e-1", "f-10"])
        #expect(waits.all.prefix(2) == [.milliseconds(500), .seconds(1)])
        #expect(
            notes.all.map { String($0.prefix(20)) } == [
                "http://desk answered", "connected again", "the server's log beg",
            ])
        #expect(end.last == "f-10" && end.delivered == 1)
    }

    @Test func `a stream that ends at once and says nothing is not opened again without a pause`()
        async
    {
        let client = ScriptedClient(streams: ["", ": \n\n", "retry: 999999999\n\n"])
        let waits = Record<Duration>()
        let end = await forwarding(client, waits: waits).run(after: nil)
        #expect(waits.all == [.milliseconds(500), .milliseconds(500), .seconds(30)])
        #expect(end.failure?.message.contains("401") == true)
    }

    @Test func `an answer that is no event stream is refused with what to do`() async {
        let client = ScriptedClient(streams: ["<!doctype html>"])
        let end = await forwarding(client).run(after: nil)
        #expect(end.failure?.message == "http://desk answered 200 and no event stream")
        #expect(end.failure?.hint?.contains("--server") == true && client.cursors.all.count == 1)
    }

    // MARK: trigger

    private func trigger(
        _ type: String, _ client: ScriptedClient, _ flags: [String: String],
        lines: Record<String> = Record()
    ) async throws -> Bool {
        let scratch = try ScratchFolder()
        let folder = scratch.path + "/events"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let schema =
            #"{"examples": [{"id": "e-1", "type": "hours.saved", "time": "x", "data": {"n": 1}}]}"#
        // A frame of the streams is none that endpoints get.
        for name in ["hours.saved", "live"] {
            try Data(schema.utf8).write(to: URL(filePath: folder + "/\(name).json"))
        }
        let command = TriggerCommand(
            type: type, examples: EventExamples(try SchemaFolder(scratch.path)), client: client,
            time: time(Record()), print: { lines.add($0) })
        return try await command.run(Parsed(values: flags.mapValues { [$0] }))
    }

    @Test(arguments: [(200, true), (401, false)])
    func `the example of a type is posted signed to a local program, as of now`(
        code: Int, isAccepted: Bool
    ) async throws {
        let client = ScriptedClient(answers: [.status(code)])
        let lines = Record<String>()
        #expect(
            try await trigger("hours.saved", client, ["forward-to": "http://local/"], lines: lines)
                == isAccepted)
        let post = try #require(client.posts.all.first)
        let root = try JSONDocument(parsing: post.body).root
        #expect(root["data"]?["n"]?.int == 1 && root["id"]?.string == post.headers.id)
        #expect(root["time"]?.string == Timestamp(seconds: Self.now).text)
        let secret = try #require(lines.all.first?.split(separator: " ").last)
        try WebhookVerifier(secrets: [WebhookSecret(String(secret))])
            .verify(post.headers, body: post.body, nowSeconds: Self.now)
        #expect(lines.all.last?.contains("\(code) (0 ms)") == true)
    }

    private static let endpoints = """
        {"data": [{"id": "1", "url": "http://one", "state": "enabled", "types": []},
                  {"id": "2", "url": "http://two", "state": "enabled", "types": ["hours.saved", "c.d"]},
                  {"id": "3", "url": "http://three", "state": "enabled", "types": ["c.d"]},
                  {"id": "4", "url": "http://four", "state": "disabled", "types": []}]}
        """

    @Test func `a server posts the example to the enabled endpoints that want the type`()
        async throws
    {
        let result =
            #"{"isDelivered": true, "last": {"status": 200, "milliseconds": 3, "detail": "ok"}}"#
        let client = ScriptedClient(documents: [
            "/api/businesses": #"{"data": [{"id": "b", "name": "Tea"}], "next": null}"#,
            "/api/businesses/b/webhooks": Self.endpoints,
            "/api/businesses/b/webhooks/1/test": result,
            "/api/businesses/b/webhooks/2/test": result,
        ])
        let lines = Record<String>()
        let flags = ["server": "http://desk/", "key": "k", "business": "Tea"]
        #expect(try await trigger("hours.saved", client, flags, lines: lines))
        let body = #"{"type":"hours.saved","data":{"n":1}}"#
        #expect(
            client.asked.all.suffix(2) == [
                "post /api/businesses/b/webhooks/1/test \(body)",
                "post /api/businesses/b/webhooks/2/test \(body)",
            ])
        #expect(
            lines.all == [
                "hours.saved  http://one  200 (3 ms): ok",
                "hours.saved  http://two  200 (3 ms): ok",
            ])
    }

    @Test(arguments: [
        ("live", ["forward-to": "http://x"], "there is no event of type \"live\""),
        ("hours.saved", ["forward-to": "x"], "--forward-to is an address that begins with http://"),
        ("hours.saved", [:], "a receiver is needed"),
        ("hours.saved", ["server": "http://desk"], "a key is needed"),
        ("hours.saved", ["server": "http://desk", "key-file": "/dev/null"], "null is empty"),
        ("hours.saved", ["server": "http://desk", "key": "k", "key-file": "f"], "both name a key"),
        ("hours.saved", ["server": "http://desk", "key": "k", "business": "x"], "business \"x\""),
        (
            "hours.saved", ["forward-to": "http://x", "secret-file": "/dev/null"],
            "no key of webhooks"
        ),
    ])
    func `what cannot be tried is refused with what to do`(
        type: String, flags: [String: String], words: String
    ) async throws {
        let client = ScriptedClient(documents: [
            "/api/businesses": #"{"data": [{"id": "b", "name": "Tea"}], "next": null}"#
        ])
        let error = await #expect(throws: UsageError.self) {
            try await trigger(type, client, flags)
        }
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        #expect(client.posts.all.isEmpty)
    }

    @Test(
        arguments: [
            (["key"], "/nowhere/key"), (["key-file"], nil),
            (["key", "key-file"], "both name a key"),
            ([], "both name a key"),
        ] as [(Set<String>, String?)])
    func `a key that was typed wins over one that the environment names`(
        inherited: Set<String>, fault: String?
    ) throws {
        var parsed = Parsed(values: [
            "server": ["http://desk"], "key": ["k"], "key-file": ["/nowhere/key"],
        ])
        parsed.inherited = inherited
        do throws(UsageError) {
            _ = try RemoteServer(parsed, client: ScriptedClient(documents: [:]))
            #expect(fault == nil)
        } catch {
            #expect(fault.map { error.message.contains($0) } == true, "\(error.message)")
        }
    }
}
