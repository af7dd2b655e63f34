import DeskBytes
import DeskHTTP
import DeskJSON
import DeskWeb

/// What assistants can read to know how messages are written: schemas, rules, events, and the templates of
/// the businesses.
struct MCPLibrary: Sendable {
    /// Most resources of one page of the list.
    static let pageSize = 100

    /// What was read.
    struct Content: Sendable {
        let type: String
        let text: String
    }

    /// A page of the list.
    struct Page: Sendable {
        var resources: [JSON]
        var next: String?
    }

    /// A file that is the same for every key.
    private struct Entry: Sendable {
        let uri: String
        let name: String
        let title: String
        let type: String
        let file: FileSet.File
    }

    private static let root = "frontdesk://"
    private static let schemaType = "application/schema+json"

    private let entries: [Entry]

    /// Lists the schemas of messages and events, and the pages of the rules.
    init(schemas: FileSet, docs: FileSet) {
        var entries: [Entry] = []
        for path in schemas.paths where path.hasSuffix(".json") {
            let parts = path.split(separator: "/").map(String.init)
            guard parts.count == 2, let file = schemas[path] else { continue }
            let isEvent = parts[0] == "events"
            guard isEvent || ["outbound", "inbound", "shared"].contains(parts[0]) else { continue }
            let name = String(parts[1].dropLast(".json".count))
            let title = file.bytes.flatMap { JSONValue.parsed($0)?["title"]?.string }
            entries.append(
                Entry(
                    uri: Self.root + (isEvent ? "events/\(name)" : "schemas/\(path)"), name: name,
                    title: title ?? name, type: Self.schemaType, file: file))
        }
        for path in docs.paths where path.hasPrefix("rules/") && path.hasSuffix(".md") {
            guard let file = docs[path] else { continue }
            let name = String(path.dropFirst("rules/".count).dropLast(".md".count))
            let isList = name == "README"
            entries.append(
                Entry(
                    uri: "\(Self.root)rules/\(isList ? "" : name)", name: isList ? "rules" : name,
                    title: isList ? "All rules" : "The rule \(name)", type: "text/markdown",
                    file: file))
        }
        self.entries = entries
    }

    /// The forms of addresses, for `resources/templates/list`.
    static let templates: JSON = [
        template("schemas/{direction}/{kind}.json", "A schema", schemaType),
        template("events/{type}", "What an event has", schemaType),
        template("rules/{rule}", "A rule, with what is wrong and right", "text/markdown"),
        template("templates/{business}/{name}", "A business's template", "application/json"),
    ]

    private static func template(_ form: String, _ title: String, _ type: String) -> JSON {
        [
            "uriTemplate": .string(root + form),
            "name": .string(String(form.prefix { $0 != "/" })), "title": .string(title),
            "mimeType": .string(type),
        ]
    }

    // MARK: The list

    /// A page of the list: first what every key sees, then the templates of the key's businesses.
    ///
    /// - Throws: `invalidParams` for a cursor that no page gave.
    func page(
        after cursor: String?, _ context: RequestContext, for id: JSONValue
    ) async throws(MCPError) -> Page {
        let badCursor = MCPError(.invalidParams, "No page of this list gave this cursor.", id: id)
        if let cursor, cursor.hasPrefix(Self.templateMark) {
            let after = String(cursor.dropFirst(Self.templateMark.count))
            guard let page = await templates(after: after.isEmpty ? nil : after, context) else {
                throw badCursor
            }
            return page
        }
        let start = cursor.map { Int($0) ?? -1 } ?? 0
        guard entries.isEmpty || entries.indices.contains(start) else { throw badCursor }
        let shown = entries.dropFirst(start).prefix(Self.pageSize)
        let end = start + shown.count
        return Page(
            resources: shown.map {
                [
                    "uri": .string($0.uri), "name": .string($0.name), "title": .string($0.title),
                    "mimeType": .string($0.type),
                ]
            }, next: end < entries.count ? String(end) : Self.templateMark)
    }

    private static let templateMark = "t"

    /// A page of templates; nil for a cursor that the API refuses.
    private func templates(after: String?, _ context: RequestContext) async -> Page? {
        let answer = await OwnClient(for: context).ask(
            .get, "/api/templates",
            query: [("page[after]", after), ("page[size]", String(Self.pageSize))])
        // A key that may not read templates has none.
        if answer.status == 403 { return Page(resources: [], next: nil) }
        guard answer.isSuccess, let root = JSONValue.parsed(answer.body) else { return nil }
        let resources = (root["data"].map { Array($0.elements) } ?? []).compactMap {
            template -> JSON? in
            guard let business = template["business"]?.string, let name = template["name"]?.string
            else { return nil }
            return [
                "uri": .string("\(Self.root)templates/\(business)/\(name)"), "name": .string(name),
                "title": .string(template["title"]?.string ?? name),
                "mimeType": "application/json",
            ]
        }
        return Page(
            resources: resources, next: root["next"]?.string.map { Self.templateMark + $0 })
    }

    // MARK: Reading

    /// What an address names; nil for none that the caller may see.
    func read(_ uri: String, _ context: RequestContext) async -> Content? {
        if let entry = entries.first(where: { $0.uri.utf8.elementsEqual(uri.utf8) }) {
            return entry.file.bytes.map {
                Content(type: entry.type, text: String(decoding: $0, as: UTF8.self))
            }
        }
        let lead = Self.root + "templates/"
        guard uri.hasPrefix(lead) else { return nil }
        let parts = uri.dropFirst(lead.count).split(separator: "/").map(String.init)
        guard parts.count == 2 else { return nil }
        let answer = await OwnClient(for: context).ask(
            .get, "/api/templates/\(PercentCoding.encode(parts[1]))",
            query: [("business", parts[0])])
        guard answer.isSuccess else { return nil }
        return Content(
            type: "application/json", text: String(decoding: answer.body, as: UTF8.self))
    }
}
