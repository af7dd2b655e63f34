import DeskBroker
package import DeskGateway
package import DeskHTTP
import DeskJSON
package import DeskLinks
package import DeskModel
import DeskStore
import DeskStoreSQLite
import StoreSupport
import Synchronization
package import TestSupport
import Testing

/// Brings our requests to the handlers of other servers, by the origin of the address.
package final class LoopClient: OutgoingClient {
    /// What befalls a request on its way back: it has been handled, its answer is lost.
    package typealias Fault = @Sendable (OutgoingRequest, Int) -> OutgoingError?

    private struct State {
        var handlers: [String: any Handler] = [:]
        var count = 0
        var fault: Fault?
    }

    private let state = Mutex(State())

    package func connect(_ origin: String, to handler: any Handler) {
        state.withLock { $0.handlers[origin] = handler }
    }

    package func setFault(_ fault: Fault?) { state.withLock { $0.fault = fault } }

    package func send(_ request: OutgoingRequest) async throws(OutgoingError) -> OutgoingAnswer {
        let (handlers, fault) = state.withLock { state in
            state.count += 1
            return (state.handlers, state.fault?(request, state.count))
        }
        guard let (origin, handler) = handlers.first(where: { request.url.hasPrefix($0.key) })
        else { throw OutgoingError(.name, request.url) }
        do {
            var body: [UInt8] = []
            switch request.body {
            case .empty: break
            case .bytes(let bytes): body = bytes
            case .pieces(let source, _):
                while let piece = try await source.next() { body += piece }
            }
            let response = await handler.respond(
                to: try Request(
                    method: request.method, target: String(request.url.dropFirst(origin.count)),
                    headers: request.headers, body: body))
            if let fault { throw fault }
            return OutgoingAnswer(
                status: response.status, headers: response.headers,
                body: RequestBody(try await TestGateway.bytes(of: response.body)))
        } catch let error as OutgoingError {
            throw error
        } catch {
            throw OutgoingError(.cutOff, "\(error)")
        }
    }

    package func open(_ request: OutgoingRequest) async throws(OutgoingError) -> OutgoingAnswer {
        try await send(request)
    }
}

/// Frontdesk connected to Frontdesk: one is the gateway with the phone, the other the provider.
package struct TwoServers: Sendable {
    package let scratch: ScratchFolder
    package let client = LoopClient()
    package let gateway: GatewayParts
    package let provider: GatewayParts
    package let business = BusinessID(UniqueID(high: 1, low: 1))
    package let conversation = ConversationID(UniqueID(high: 2, low: 1))
    package let customer: CustomerID

    private static let mspID = "msp-1"
    private static let secret: [UInt8] = Array(0..<32)

    package init(
        settings: LinkSettings = LinkSettings(), faults: (any GatewayFaults)? = nil
    ) async throws {
        scratch = try ScratchFolder()
        customer = try #require(CustomerID("urn:mbid:AQAAYz+/w="))
        gateway = try await Self.server(
            "https://gateway.example", scratch.path + "/gateway", client, faults)
        provider = try await Self.server(
            "https://provider.example", scratch.path + "/provider", client, nil)
        let upstream = GatewayLinkID(UniqueID(high: 3, low: 2))
        for parts in [gateway, provider] {
            try await parts.broker.store.save(
                Business(
                    id: business, name: "Shop", colour: "#112233", mode: .test,
                    createdAt: TestGateway.now), author: .server)
            client.connect(parts.origin, to: GatewayHandler(parts))
        }
        #expect(
            try await gateway.links.save(
                GatewayLink(
                    id: GatewayLinkID(UniqueID(high: 3, low: 1)), business: business,
                    side: .provider, mspID: Self.mspID, secret: Self.secret,
                    url: provider.origin + "/msp/" + upstream.text,
                    settings: settings.json.bytes(), createdAt: TestGateway.now), author: .server))
        #expect(
            try await provider.links.save(
                GatewayLink(
                    id: upstream, business: business, side: .upstream, mspID: Self.mspID,
                    secret: Self.secret, url: gateway.origin + "/v1",
                    createdAt: TestGateway.now), author: .server))
        _ = try await gateway.broker.store.append([
            [
                .open(
                    OpenConversation(
                        conversation, business: business,
                        customer: Customer(
                            id: customer, locale: "en_US",
                            capabilities: ["QUICK", "LIST", "TIME", "FORM", "AUTH", "AUTH2"]),
                        at: TestGateway.now))
            ]
        ])
    }

    private static func server(
        _ origin: String, _ folder: String, _ client: LoopClient,
        _ faults: (any GatewayFaults)?
    ) async throws -> GatewayParts {
        let store = try SQLiteStore(inMemory: Epoch(7))
        let secrets = try await SharedSecrets(of: store)
        return GatewayParts(
            broker: Broker(store: store, now: { TestGateway.now }),
            links: LoadedLinks(store: store), rulebook: TestFiles.rulebook,
            blobs: try DirectoryBlobStore(directory: folder),
            client: client,
            origin: origin, watch: TestWatch(),
            rate: Rate(perSecond: 1e6, burst: 1e6),
            keepsUnnamed: .seconds(86_400), secrets: secrets,
            time: TimeSource(
                now: { TestGateway.now }, instant: { .now },
                sleep: { try await Task.sleep(for: min($0, .milliseconds(1))) }),
            faults: faults)
    }

    /// Runs both servers' deliveries while the body does.
    package func running(_ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup { group in
            for parts in [gateway, provider] {
                group.addTask {
                    await GatewayRunner(
                        parts, slots: AttemptSemaphore(8),
                        settings: OutboxSettings(
                            schedule: RetrySchedule(
                                waits: Array(repeating: .zero, count: 100), jitter: 0))
                    ).run()
                }
            }
            try await body()
            group.cancelAll()
        }
    }

    // MARK: What is said, and what has arrived

    /// Says something as the customer on the gateway's phone.
    package func say(
        _ rest: String, id: String, kind: MessageKind = .text, attachments: [AttachmentUse] = []
    ) async throws {
        let payload = """
            {"v":1,"id":"\(id)","sourceId":"\(customer.text)",\
            "destinationId":"\(business.text)",\(rest)}
            """
        try await accept(
            payload, id, into: conversation, of: gateway,
            MessageFacts(
                direction: .inbound, kind: kind, author: .customer(device: "d"), origin: .phone,
                attachments: attachments))
    }

    /// Answers as an agent of the provider's.
    package func answer(
        _ payload: String, id: String, kind: MessageKind, attachments: [AttachmentUse] = []
    ) async throws {
        let there = try #require(try await arrived())
        try await accept(
            payload, id, into: there.id, of: provider,
            MessageFacts(
                direction: .outbound, kind: kind,
                author: .agent(AgentID(UniqueID(high: 9, low: 1))), origin: .console,
                attachments: attachments))
    }

    /// The provider's conversation with the customer; nil while there is none.
    package func arrived() async throws -> Conversation? {
        try await provider.broker.store.findConversation(of: customer, with: business)
    }

    /// Waits for a message on the other side.
    package func message(
        _ id: String, at parts: GatewayParts
    ) async throws -> StoredMessage {
        let name = try #require(MessageID(id))
        return try await Wait.value("message \(id)") {
            let there = try await parts.broker.store.findConversation(
                of: customer, with: business)
            if let there,
                let found = try await parts.broker.store.findMessage(name, in: there.id)
            {
                return found
            }
            if let dead = try await refused() { throw Unexpected(dead) }
            return nil
        }
    }

    /// Why a delivery of either server was given up; nil while none was.
    private func refused() async throws -> String? {
        for parts in [gateway, provider] {
            for link in parts.links.all {
                let dead = try await parts.broker.store.deliveries(
                    of: link.outbox, in: .dead, at: .start, limit: 1)
                if let detail = dead.first?.last?.detail { return detail }
            }
        }
        return nil
    }

    private func accept(
        _ payload: String, _ id: String, into conversation: ConversationID,
        of parts: GatewayParts, _ facts: MessageFacts
    ) async throws {
        _ = try await parts.broker.accept(
            Submission(
                conversation: conversation, id: try #require(MessageID(id)),
                payload: Array(payload.utf8), facts: facts))
    }
}
