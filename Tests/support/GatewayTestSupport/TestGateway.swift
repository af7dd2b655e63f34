package import DeskBroker
package import DeskGateway
package import DeskHTTP
import DeskJSON
package import DeskLinks
import DeskLog
package import DeskModel
package import DeskStore
package import DeskStoreSQLite
import StoreSupport
package import Synchronization
package import TestSupport
import Testing

/// Answers our requests as a closure says, and remembers them.
package final class ScriptedClient: OutgoingClient {
    package typealias Script =
        @Sendable (OutgoingRequest, Int) async throws(OutgoingError) -> OutgoingAnswer

    package let script: Mutex<Script>
    private let state = Mutex<[OutgoingRequest]>([])

    package init(_ script: @escaping Script) { self.script = Mutex(script) }

    package var requests: [OutgoingRequest] { state.withLock { $0 } }

    package func send(_ request: OutgoingRequest) async throws(OutgoingError) -> OutgoingAnswer {
        let place = state.withLock { requests in
            requests.append(request)
            return requests.count
        }
        let script = script.withLock { $0 }
        return try await script(request, place)
    }

    package func open(_ request: OutgoingRequest) async throws(OutgoingError) -> OutgoingAnswer {
        try await send(request)
    }

    /// Waits until as many requests were made.
    package func wait(for count: Int) async throws {
        try await Wait.until("\(count) requests were made") { requests.count >= count }
    }
}

/// A gateway on a store in memory, with one provider and one customer.
package struct TestGateway: Sendable {
    package static let origin = "https://desk.example"
    package static let now = Timestamp(seconds: 1_900_000_000)
    package static let secret: [UInt8] = Array(0..<32)

    package let scratch: ScratchFolder
    package let store: any Store
    package let watch = TestWatch()
    package let clock = TestHands()
    package let client: ScriptedClient
    package let parts: GatewayParts
    package let handler: GatewayHandler
    package let business: BusinessID
    package let conversation: ConversationID
    package let customer: CustomerID
    package let link: GatewayLink

    package init(
        capabilities: [String]? = ["QUICK", "LIST", "TIME"],
        settings: LinkSettings = LinkSettings(), faults: (any GatewayFaults)? = nil,
        reachesNumbers: Bool = false,
        mode: Mode = .test,
        _ script: @escaping ScriptedClient.Script = { _, _ in OutgoingAnswer(status: .ok) },
        over wrap: (SQLiteStore) -> any Store = { $0 }
    ) async throws {
        scratch = try ScratchFolder()
        client = ScriptedClient(script)
        store = wrap(try SQLiteStore(inMemory: Epoch(7)))
        business = BusinessID(UniqueID(high: 1, low: 1))
        conversation = ConversationID(UniqueID(high: 2, low: 1))
        customer = try #require(CustomerID("urn:mbid:AQAAYz+/w="))
        try await store.save(
            Business(
                id: business, name: "Shop", colour: "#112233", mode: mode, createdAt: Self.now),
            author: .server)
        let broker = Broker(store: store, now: { Self.now })
        let links = LoadedLinks(store: store)
        let begin = ContinuousClock.now
        let clock = clock
        let blobs = try DirectoryBlobStore(
            directory: scratch.path, instant: { begin + clock.passed })
        parts = try await GatewayParts(
            broker: broker, links: links, rulebook: TestFiles.rulebook, blobs: blobs,
            client: client,
            origin: Self.origin, watch: watch, rate: .key,
            keepsUnnamed: .seconds(86_400), secrets: SharedSecrets(of: store),
            time: TimeSource(
                now: { Self.now.advanced(by: clock.passed) }, instant: { begin + clock.passed },
                sleep: {
                    // What waits for minutes never resumes by itself; a pause ends at once.
                    try await Task.sleep(for: $0 < .seconds(1) ? .zero : .seconds(3_600))
                }),
            faults: faults, reachesNumbers: reachesNumbers)
        handler = GatewayHandler(parts)
        link = GatewayLink(
            id: GatewayLinkID(UniqueID(high: 3, low: 1)), business: business, side: .provider,
            mspID: "msp-1", secret: Self.secret, url: "https://provider.example/bots/",
            settings: settings.json.bytes(), createdAt: Self.now)
        #expect(try await links.save(link, author: .server))
        _ = try await store.append([
            [
                .open(
                    OpenConversation(
                        conversation, business: business,
                        customer: Customer(
                            id: customer, locale: "en_US", capabilities: capabilities), at: Self.now
                    ))
            ]
        ])
    }

    /// The business as it begins.
    package var shop: Business {
        Business(id: business, name: "Shop", colour: "#112233", mode: .test, createdAt: Self.now)
    }

    // MARK: As the provider

    /// A token of the provider's.
    package func token(_ claims: TokenClaims? = nil, key: [UInt8] = secret) -> String {
        JSONWebToken.sign(
            claims
                ?? TokenClaims(
                    issuer: "msp-1", issuedAt: Self.now.milliseconds / 1_000), key: key)
    }

    /// Posts a body with the usual fields; nil leaves a field out.
    package func post(
        _ body: String, id: String, to path: String = "/v1/message",
        _ change: [String: String?] = [:]
    ) async throws -> (status: Int, text: String) {
        var fields: [String: String?] = [
            "authorization": "Bearer \(token())", "id": id, "source-id": business.text,
            "destination-id": customer.text, "content-type": "application/json",
        ]
        fields.merge(change) { $1 }
        var headers = HeaderFields()
        for (name, value) in fields { if let value { headers.append(name, value) } }
        let request = try Request(
            method: .post, target: path, headers: headers, body: Array(body.utf8))
        let response = await handler.respond(to: request)
        return (
            response.status.code,
            String(decoding: try await Self.bytes(of: response.body), as: UTF8.self)
        )
    }

    /// A payload in the provider's envelope; `rest` follows the type.
    package func payload(_ id: String, _ type: String = "text", _ rest: String) -> String {
        """
        {"v":1,"id":"\(id)","sourceId":"\(business.text)","destinationId":"\(customer.text)",\
        "type":"\(type)",\(rest)}
        """
    }

    /// The texts and payloads of the conversation.
    package func messages() async throws -> [StoredMessage] {
        try await store.messages(in: conversation, .newest, limit: 300).elements
    }

    /// What the wire log has, newest first.
    package func exchanges(_ scope: WireScope = .everything) async throws -> [WireExchange] {
        try await store.exchanges(of: business, in: scope, at: .start, limit: 300).elements
    }

    // MARK: As the upstream

    /// Connects the business to an upstream gateway too; returns the token of that gateway's posts.
    package func connectUpstream() async throws -> String {
        let upstream = GatewayLink(
            id: GatewayLinkID(UniqueID(high: 3, low: 2)), business: business, side: .upstream,
            mspID: "msp-2", secret: Self.secret, url: "https://upstream.example/v1",
            createdAt: Self.now)
        #expect(try await parts.links.save(upstream, author: .server))
        return token(
            TokenClaims(audiences: ["msp-2"], issuedAt: Self.now.milliseconds / 1_000))
    }

    /// Posts something of a customer's, as that gateway.
    package func bring(
        _ rest: String, id: String, token: String, _ more: HeaderFields = [:]
    ) async throws -> Response {
        var headers = more
        for (name, value) in [
            ("authorization", "Bearer \(token)"), ("id", id), ("source-id", "urn:mbid:AQAAYw=="),
            ("destination-id", business.text), ("content-type", "application/json"),
        ] {
            headers.append(name, value)
        }
        let body = """
            {"v":1,"id":"\(id)","sourceId":"urn:mbid:AQAAYw==",\
            "destinationId":"\(business.text)",\(rest)}
            """
        let link = GatewayLinkID(UniqueID(high: 3, low: 2))
        return await handler.respond(
            to: try Request(
                method: .post, target: "/msp/\(link.text)/message",
                headers: headers, body: Array(body.utf8)))
    }

    // MARK: As the customer

    /// Says something as the customer.
    package func say(_ text: String, id: String) async throws {
        try await send(
            #""type":"text","locale":"en_US","body":"\#(text)""#, id: id,
            MessageFacts(
                direction: .inbound, kind: .text, author: .customer(device: "d"), origin: .phone,
                summary: text))
    }

    /// Answers something with interactive data.
    package func answer(with data: String, id: String) async throws {
        try await send(
            #""type":"interactive","interactiveData":\#(data)"#, id: id,
            MessageFacts(
                direction: .inbound, kind: .list, author: .customer(device: "d"), origin: .phone))
    }

    /// Sends a file with no words.
    package func sayWithFile(_ file: AttachmentID, byteCount: Int64, id: String) async throws {
        let use = AttachmentUse(
            id: file, name: "photo.png", mediaType: "image/png", byteCount: byteCount)
        try await send(
            #""type":"text","body":"\uFFFC","attachments":[{"url":"ours"}]"#, id: id,
            MessageFacts(
                direction: .inbound, kind: .text, author: .customer(device: "d"), origin: .phone,
                attachments: [use]))
    }

    private func send(_ rest: String, id: String, _ facts: MessageFacts) async throws {
        let payload = """
            {"v":1,"id":"\(id)","sourceId":"\(customer.text)",\
            "destinationId":"\(business.text)",\(rest)}
            """
        _ = try await parts.broker.accept(
            Submission(
                conversation: conversation, id: try #require(MessageID(id)),
                payload: Array(payload.utf8), facts: facts))
    }

    /// Runs the deliveries while the body does.
    package func delivering(
        schedule: RetrySchedule = .standard, _ body: () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup { group in
            group.addTask {
                await GatewayRunner(
                    parts, slots: AttemptSemaphore(4), settings: OutboxSettings(schedule: schedule)
                ).run()
            }
            try await body()
            group.cancelAll()
        }
    }
}

/// Ids that can be read in a failure.
package func uuid(_ number: Int) -> String {
    let digits = String(number)
    return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
}
