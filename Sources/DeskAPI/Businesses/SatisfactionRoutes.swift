import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds whether and how the customers of a business are asked how satisfied they are.
    public mutating func addSatisfaction(limits: APILimits) {
        let path = "/api/businesses/{business}/satisfaction"
        add(
            .get, path, operation: "getSatisfaction", permission: .readConversations,
            business: .path
        ) { context async throws(Problem) in try await SatisfactionRoutes(context).get() }
        add(
            .put, path, operation: "setSatisfaction", permission: .manageSatisfaction,
            business: .path, bodyLimit: limits.recordBytes, rate: .write
        ) { context async throws(Problem) in try await SatisfactionRoutes(context).set() }
    }
}

/// Answers the routes of `addSatisfaction`.
struct SatisfactionRoutes {
    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func get() async throws(Problem) -> Response {
        .json(try await services.satisfaction(of: try context.requireBusinessID()).json)
    }

    func set() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        let document: JSONDocument
        let bytes = try await context.jsonBytes()
        do throws(JSONError) {
            document = try JSONDocument(parsing: bytes)
        } catch {
            throw Problem(error)
        }
        let chosen = try SatisfactionSettings(document.root)
        // What is chosen already has no event.
        if try await services.satisfaction(of: business).json != chosen.json {
            let author = try context.requirePrincipal().author
            let event = JSONWriter.object { text in
                text.member("satisfaction", raw: chosen.json)
                text.member("by") {
                    $0.object {
                        $0.member("type", author.kind)
                        $0.member("id", author.name)
                    }
                }
            }
            try await services.brokering { broker throws(BrokerError) in
                try await broker.saveSatisfaction(
                    chosen.stored, of: business, event: event, by: author)
            }
        }
        return .json(chosen.json)
    }
}
