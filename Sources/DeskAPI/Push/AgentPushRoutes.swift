import DeskCalendar
import DeskDelivery
import DeskHTTP
import DeskLog
import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds the routes by which an agent's browser has itself notified while no console is in use.
    public mutating func addAgentPush() {
        let path = "/api/session/push"
        add(.get, path, operation: "getPush", permission: .useOwnSession) {
            context throws(Problem) in try await AgentPushRoutes(context).describe()
        }
        add(
            .put, path, operation: "putPush", permission: .useOwnSession,
            bodyLimit: PushFields.mostBytes, rate: .write
        ) { context throws(Problem) in try await AgentPushRoutes(context).put() }
        add(
            .delete, path + "/{device}", operation: "removePush", permission: .useOwnSession,
            rate: .write
        ) { context throws(Problem) in try await AgentPushRoutes(context).remove() }
        add(
            .post, path + "/{device}/test", operation: "testPush", permission: .useOwnSession,
            rate: .write
        ) { context throws(Problem) in try await AgentPushRoutes(context).test() }
    }
}

/// Answers the routes of `addAgentPush`.
private struct AgentPushRoutes {
    private let context: RequestContext
    private let agent: AgentPrincipal
    private var services: Services { context.services }

    init(_ context: RequestContext) throws(Problem) {
        self.context = context
        agent = try context.requireAgent()
    }

    func describe() async throws(Problem) -> Response {
        .json(PushAnswer.json(services.pushKey, try await known()))
    }

    func put() async throws(Problem) -> Response {
        var fields = try Fields(try await context.jsonBytes())
        let browser = PushFields(&fields, of: services.pushServices)
        let zone = fields.requireText("zone", bytes: 1...TimeZones.maximumNameBytes)
        try fields.finish()
        guard let browser, let zone else { return Response(status: .noContent) }
        guard let device = try await findDevice() else {
            throw Problem(
                .forbidden,
                "This browser is not known to the account any more: sign out and in again.")
        }
        let subscription = PushSubscription(
            id: PushSubscription.id(of: browser.endpoint, for: agent.agent.id),
            owner: .agent(agent.agent.id, device: device, zone: zone),
            endpoint: browser.endpoint, point: browser.point, secret: browser.secret,
            createdAt: services.time.now(), isByPasskey: agent.isByPasskey)
        let author = Author.agent(agent.agent.id)
        try await services.asking { store throws(StoreError) in
            try await store.save(subscription, author: author)
        }
        return Response(status: .noContent)
    }

    func remove() async throws(Problem) -> Response {
        let subscription = try await find()
        let author = Author.agent(agent.agent.id)
        let isRemoved = try await services.asking { store throws(StoreError) in
            try await store.removePushSubscription(
                subscription.id, of: subscription.owner, author: author)
        }
        guard isRemoved else { throw .notFound }
        return Response(status: .noContent)
    }

    func test() async throws(Problem) -> Response {
        let subscription = try await find()
        guard let sender = services.pushSender else {
            throw Problem(.unavailable, "This server sends nothing to other servers.")
        }
        await sender.sendTest(to: subscription)
        return Response(status: .accepted)
    }

    /// The subscription of this browser that the path names.
    private func find() async throws(Problem) -> PushSubscription {
        let name = context.request.parameters["device"].flatMap { Digest($0) }
        guard let found = try await known().first(where: { $0.id == name }) else {
            throw .notFound
        }
        return found
    }

    /// Those of the agent in this browser.
    private func known() async throws(Problem) -> [PushSubscription] {
        guard let device = try await findDevice() else { return [] }
        let (services, agent) = (services, agent.agent.id)
        return try await services.asking { store throws(StoreError) in
            try await store.agentPushSubscriptions(
                of: agent, on: device, at: services.time.latest())
        }
    }

    /// The device of this browser, where the agent signed in with it.
    private func findDevice() async throws(Problem) -> Digest? {
        let found = try await KnownDevices(services: services).find(of: context.request)
        guard let found, found.agents.contains(agent.agent.id) else { return nil }
        return found.token.digest
    }
}

extension RequestContext {
    /// Ends what the browser of the request is pushed for an agent who signs out in it.
    ///
    /// A failure keeps no one signed in: it is logged, and the subscription ends by its age.
    func endPush(of agent: AgentID) async {
        guard let device = BrowserTokens(of: request, services).device?.digest else { return }
        do throws(Problem) {
            try await services.asking { store throws(StoreError) in
                try await store.removeAgentPushSubscriptions(
                    of: agent, on: device, author: .agent(agent))
            }
        } catch {
            log.warning("push_not_forgotten", ["error": .text(error.detail)])
        }
    }
}
