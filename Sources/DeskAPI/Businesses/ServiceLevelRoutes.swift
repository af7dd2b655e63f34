import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds the service levels of a business.
    public mutating func addServiceLevels(limits: APILimits) {
        let path = "/api/businesses/{business}/service-levels"
        add(
            .get, path, operation: "getServiceLevels", permission: .readConversations,
            business: .path
        ) { context async throws(Problem) in try await ServiceLevelRoutes(context).get() }
        add(
            .put, path, operation: "setServiceLevels", permission: .manageServiceLevels,
            business: .path, bodyLimit: limits.recordBytes, rate: .write
        ) { context async throws(Problem) in try await ServiceLevelRoutes(context).set() }
    }
}

/// Answers the routes of `addServiceLevels`.
struct ServiceLevelRoutes {
    private static let nothing = Array(
        #"{"firstAnswer":{},"nextAnswer":{},"clock":"hours","warningMinutes":15}"#.utf8)

    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func get() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        return .json(try await services.serviceLevels(of: business)?.json ?? Self.nothing)
    }

    func set() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        let document: JSONDocument
        do {
            document = try JSONDocument(parsing: try await context.jsonBytes())
        } catch let error as JSONError {
            throw Problem(error)
        } catch let error as Problem {
            throw error
        } catch {
            throw .notFound
        }
        let levels = try ServiceLevels(document.root)
        let before = try await services.serviceLevels(of: business)
        let after = levels.isEmpty ? nil : levels
        // What is there already has no event.
        if before != after {
            let author = try context.requirePrincipal().author
            let event = JSONWriter.object { text in
                text.member("serviceLevels", raw: levels.json)
                text.member("by") {
                    $0.object {
                        $0.member("type", author.kind)
                        $0.member("id", author.name)
                    }
                }
            }
            try await services.brokering { broker throws(BrokerError) in
                try await broker.saveServiceLevels(
                    after?.json, of: business, event: event, by: author)
            }
        }
        return .json(levels.json)
    }
}
