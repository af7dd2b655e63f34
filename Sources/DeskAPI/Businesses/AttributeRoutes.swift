import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds the definitions of attributes of a business.
    public mutating func addAttributes(limits: APILimits) {
        let path = "/api/businesses/{business}/attributes"
        add(
            .get, path, operation: "listAttributes", permission: .readConversations,
            business: .path, query: .known(PageParameters.names)
        ) { context async throws(Problem) in try await AttributeRoutes(context).list() }
        add(
            .post, path, operation: "makeAttribute", permission: .manageAttributes,
            business: .path, bodyLimit: limits.recordBytes, rate: .write, repeating: .remembered
        ) { context async throws(Problem) in try await AttributeRoutes(context).make() }
        add(
            .patch, path + "/{attribute}", operation: "changeAttribute",
            permission: .manageAttributes, business: .path, bodyLimit: limits.recordBytes,
            rate: .write, repeating: .remembered
        ) { context async throws(Problem) in try await AttributeRoutes(context).change() }
    }
}

/// Answers the routes of `addAttributes`.
struct AttributeRoutes {
    /// The highest place in lists that can be given to an attribute.
    private static let maximumOrder = 1_000_000

    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func list() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        let found = try await services.asking { store throws(StoreError) in
            try await store.attributes(of: business)
        }
        let page = try context.page(of: found) { $0.id.text }
        return .json(JSONWriter.object { $0.list(page) { $0.attribute($1) } })
    }

    func make() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        var fields = try Fields(try await context.jsonBytes())
        for name in ["of", "key", "name", "type"] { _ = fields.requireValue(name) }
        let subject = fields.word("of", AttributeDefinition.Subject.self)
        let key = fields.text("key", bytes: 1...AttributeDefinition.maximumKeyBytes)
        if let key, !AttributeDefinition.isKey(key) {
            fields.note(
                "key", "a lower-case letter, then lower-case letters, digits and _",
                "Write it as order_no.")
        }
        let kind = fields.word("type", AttributeDefinition.Kind.self)
        let name = name(&fields)
        let choices = choices(&fields)
        if kind == .choice, choices?.isEmpty ?? true {
            fields.note("choices", "at least one choice", "Name what can be chosen.")
        } else if kind != .choice, !(choices ?? []).isEmpty {
            fields.note("choices", "no choices beside another type than choice", "Take them out.")
        }
        let order = fields.number("order", 0...Self.maximumOrder)
        try fields.finish()
        guard let subject, let key, let kind, let name else { throw .notFound }
        let author = try context.requirePrincipal().author
        let saved = try await services.brokering { broker throws(BrokerError) in
            try await broker.define(
                AttributeDefinition(
                    id: AttributeID(broker.makeID()), business: business, subject: subject,
                    key: key, kind: kind, name: name, choices: choices ?? [], order: order ?? 0),
                by: author)
        }
        return answer(saved, .created)
    }

    func change() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        guard let id = context.request.parameters["attribute"].flatMap({ AttributeID($0) }) else {
            throw .notFound
        }
        var fields = try Fields(try await context.jsonBytes())
        var values = SaveAttribute.Values()
        values.name = name(&fields)
        values.choices = choices(&fields)
        values.order = fields.number("order", 0...Self.maximumOrder)
        values.isRetired = fields.claim("retired")
        try fields.finish()
        let author = try context.requirePrincipal().author
        let changes = values
        let saved = try await services.brokering { broker throws(BrokerError) in
            try await broker.change(id, of: business, changes, by: author)
        }
        return answer(saved, .ok)
    }

    private func name(_ fields: inout Fields) -> String? {
        let name = fields.text("name", bytes: 1...AttributeDefinition.maximumNameBytes)
        if let name, name.unicodeScalars.allSatisfy(\.properties.isWhitespace) {
            fields.note("name", "a text that can be seen", "Give the attribute a name.")
        }
        return name
    }

    /// The choices of a body, each once; nil when it does not speak of them.
    private func choices(_ fields: inout Fields) -> [String]? {
        guard let value = fields.value("choices"), !value.isNull else { return nil }
        let texts = value.kind == .array ? value.elements.map(\.string) : [nil]
        let areUsable = texts.allSatisfy { text in
            guard let text else { return false }
            return (1...AttributeDefinition.maximumNameBytes).contains(text.utf8.count)
                && !text.unicodeScalars.allSatisfy(\.properties.isWhitespace)
        }
        guard texts.count <= AttributeDefinition.mostChoices, areUsable else {
            fields.note(
                "choices",
                "a list of at most \(AttributeDefinition.mostChoices) texts of 1 to "
                    + "\(AttributeDefinition.maximumNameBytes) bytes", "Write [\"gold\"].")
            return nil
        }
        var choices: [String] = []
        for text in texts.compactMap(\.self)
        where !choices.contains(where: { $0.utf8.elementsEqual(text.utf8) }) {
            choices.append(text)
        }
        return choices
    }

    private func answer(_ attribute: AttributeDefinition, _ status: Status) -> Response {
        var text = JSONWriter()
        text.attribute(attribute)
        return .json(text.bytes, status: status)
    }
}

extension JSONWriter {
    /// Writes a definition.
    mutating func attribute(_ one: AttributeDefinition) {
        object { text in
            text.member("id", one.id.text)
            text.member("business", one.business.text)
            text.member("of", one.subject.rawValue)
            text.member("key", one.key)
            text.member("name", one.name)
            text.member("type", one.kind.rawValue)
            text.member("choices") { text in
                text.array { text in
                    for choice in one.choices { text.string(choice) }
                }
            }
            text.member("order", one.order)
            text.member("retired", one.isRetired)
        }
    }
}
