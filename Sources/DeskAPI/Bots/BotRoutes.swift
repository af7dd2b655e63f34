import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds the bots of a business, and who controls a conversation.
    public mutating func addBots(limits: APILimits) {
        let path = "/api/businesses/{business}/bots"
        add(
            .get, path, operation: "listBots", permission: .readConversations, business: .path,
            query: .known(PageParameters.names)
        ) { context async throws(Problem) in try await BotRoutes(context).list() }
        add(
            .post, path, operation: "makeBot", permission: .manageKeys, business: .path,
            bodyLimit: limits.recordBytes, rate: .write, repeating: .remembered
        ) { context async throws(Problem) in try await BotRoutes(context).make() }
        add(
            .patch, path + "/{bot}", operation: "changeBot", permission: .manageKeys,
            business: .path, bodyLimit: limits.recordBytes, rate: .write, repeating: .remembered
        ) { context async throws(Problem) in try await BotRoutes(context).change() }
        let control = "/api/conversations/{conversation}/control"
        add(
            .get, control, operation: "getControl", permission: .readConversations,
            business: .conversation
        ) { context async throws(Problem) in try await ControlRoutes(context).get() }
        add(
            .post, control, operation: "changeControl", permission: .handleConversations,
            business: .conversation, bodyLimit: limits.recordBytes, rate: .write,
            repeating: .remembered
        ) { context async throws(Problem) in try await ControlRoutes(context).change() }
    }
}

/// Answers the routes of `addBots` about bots.
struct BotRoutes {
    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func list() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        let bots = try await services.asking { store throws(StoreError) in
            try await store.bots(of: business)
        }
        let last = try await lastRequests(in: business)
        let page = try context.page(of: bots) { $0.id.text }
        return .json(
            JSONWriter.object { $0.list(page) { $0.bot($1, lastRequest: last[$1.id]) } })
    }

    func make() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        var fields = try Fields(try await context.jsonBytes())
        _ = fields.requireValue("name")
        _ = fields.requireValue("key")
        let values = try await values(&fields, of: business)
        try fields.finish()
        let author = try context.requirePrincipal().author
        let bot = try await services.brokering { broker throws(BrokerError) in
            try await broker.makeBot(values, of: business, by: author)
        }
        return try await answer(bot, .created)
    }

    func change() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        guard let id = context.request.parameters["bot"].flatMap({ BotID($0) }) else {
            throw .notFound
        }
        var fields = try Fields(try await context.jsonBytes())
        var read = try await values(&fields, of: business)
        read.isRetired = fields.claim("retired")
        try fields.finish()
        let author = try context.requirePrincipal().author
        let values = read
        let bot = try await services.brokering { broker throws(BrokerError) in
            try await broker.change(id, of: business, values, by: author)
        }
        return try await answer(bot, .ok)
    }

    /// What a body says of a bot; what cannot be is a finding.
    private func values(
        _ fields: inout Fields, of business: BusinessID
    ) async throws(Problem) -> SaveBot.Values {
        var values = SaveBot.Values()
        values.name = fields.text("name", bytes: 1...Bot.maximumNameBytes)
        fields.noteBlank(values.name, of: "bot")
        values.answerSeconds = fields.number("answerSeconds", Bot.answerSeconds)
        values.isFirst = fields.claim("first")
        values.intents = intents(&fields)
        if let value = fields.value("key"), !value.isNull {
            var key: APIKey?
            if let id = value.string.flatMap({ KeyID($0) }) {
                key = try await services.asking { store throws(StoreError) in
                    try await store.findKey(id)
                }
            }
            if let key, key.businesses.contains(business), key.revokedAt == nil {
                values.key = key.id
            } else {
                fields.note(
                    .value, value, "the id of a key that acts for the business",
                    "Take the id from GET /api/businesses/\(business.text)/keys.")
            }
        }
        if let value = fields.value("webhook") {
            let webhooks = try await services.asking { store throws(StoreError) in
                try await store.webhooks(of: business)
            }
            let id = value.string.flatMap { WebhookID($0) }
            if value.isNull {
                values.webhook = .some(nil)
            } else if let id, webhooks.contains(where: { $0.id == id }) {
                values.webhook = .some(id)
            } else {
                fields.note(
                    .value, value, "null, or the id of an endpoint of the business",
                    "Take the id from GET /api/businesses/\(business.text)/webhooks.")
            }
        }
        return values
    }

    /// The intents for which a bot is first, each once.
    private func intents(_ fields: inout Fields) -> [String]? {
        guard fields.value("intents")?.isNull == false,
            let elements = fields.requireElements("intents", count: 0...Bot.mostIntents)
        else { return nil }
        var intents: [String] = []
        for element in elements {
            guard let text = element.string,
                (1...Bot.maximumIntentBytes).contains(text.utf8.count),
                !text.utf8.contains(where: { $0 < 0x20 })
            else {
                fields.note(
                    .value, element,
                    "a text of 1 to \(Bot.maximumIntentBytes) bytes without control characters",
                    "Send the intent as an entry link has it.")
                continue
            }
            if !intents.contains(where: { $0.utf8.elementsEqual(text.utf8) }) {
                intents.append(text)
            }
        }
        return intents
    }

    private func lastRequests(
        in business: BusinessID
    ) async throws(Problem) -> [BotID: Timestamp] {
        try await services.asking { store throws(StoreError) in
            try await store.lastRequests(ofBotsOf: business)
        }
    }

    private func answer(_ bot: Bot, _ status: Status) async throws(Problem) -> Response {
        let last = try await lastRequests(in: bot.business)
        var text = JSONWriter()
        text.bot(bot, lastRequest: last[bot.id])
        return .json(text.bytes, status: status)
    }
}
