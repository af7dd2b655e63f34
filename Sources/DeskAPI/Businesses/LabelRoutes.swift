import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds the labels of a business.
    public mutating func addLabels(limits: APILimits) {
        let path = "/api/businesses/{business}/labels"
        add(
            .get, path, operation: "listLabels", permission: .readConversations, business: .path,
            query: .known(PageParameters.names)
        ) { context async throws(Problem) in try await LabelRoutes(context).list() }
        add(
            .post, path, operation: "makeLabel", permission: .manageLabels, business: .path,
            bodyLimit: limits.recordBytes, rate: .write, repeating: .remembered
        ) { context async throws(Problem) in try await LabelRoutes(context).make() }
        add(
            .patch, path + "/{label}", operation: "changeLabel", permission: .manageLabels,
            business: .path, bodyLimit: limits.recordBytes, rate: .write, repeating: .remembered
        ) { context async throws(Problem) in try await LabelRoutes(context).change() }
    }
}

/// Answers the routes of `addLabels`.
struct LabelRoutes {
    /// The highest place in lists that can be given to a label.
    private static let maximumOrder = 1_000_000

    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func list() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        let labels = try await services.asking { store throws(StoreError) in
            try await store.labels(of: business)
        }
        let page = try context.page(of: labels) { $0.id.text }
        return .json(JSONWriter.object { $0.list(page) { $0.label($1) } })
    }

    func make() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        var fields = try Fields(try await context.jsonBytes())
        var values = SaveLabel.Values()
        values.name = fields.requireText("name", bytes: 1...Label.maximumNameBytes)
        _ = fields.requireValue("colour")
        values.colour = fields.colour()
        values.order = fields.number("order", 0...Self.maximumOrder)
        fields.noteBlank(values.name, of: "label")
        try fields.finish()
        let author = try context.requirePrincipal().author
        let made = values
        let label = try await services.brokering { broker throws(BrokerError) in
            try await broker.makeLabel(made, of: business, by: author)
        }
        return answer(label, .created)
    }

    func change() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        guard let id = context.request.parameters["label"].flatMap({ LabelID($0) }) else {
            throw .notFound
        }
        var fields = try Fields(try await context.jsonBytes())
        var values = SaveLabel.Values()
        values.name = fields.text("name", bytes: 1...Label.maximumNameBytes)
        values.colour = fields.colour()
        values.order = fields.number("order", 0...Self.maximumOrder)
        values.isRetired = fields.claim("retired")
        fields.noteBlank(values.name, of: "label")
        try fields.finish()
        let author = try context.requirePrincipal().author
        let changes = values
        let label = try await services.brokering { broker throws(BrokerError) in
            try await broker.change(id, of: business, changes, by: author)
        }
        return answer(label, .ok)
    }

    private func answer(_ label: Label, _ status: Status) -> Response {
        var text = JSONWriter()
        text.label(label)
        return .json(text.bytes, status: status)
    }
}

extension JSONWriter {
    /// Writes a label.
    mutating func label(_ label: Label) {
        object {
            $0.member("id", label.id.text)
            $0.member("business", label.business.text)
            $0.member("name", label.name)
            $0.member("colour", label.colour)
            $0.member("order", label.order)
            $0.member("retired", label.isRetired)
        }
    }
}
