public import DeskModel
public import DeskStore

/// The rows of templates.
package enum Templates {
    package static let columns = """
        SELECT business, name, version, title, detail, payload, parameters, attachments, \
        author_kind, author_name, published_at FROM templates
        """

    package static func read(_ row: any SQLStatement) throws(StoreError) -> Template {
        let business = BusinessID(try row.id())
        let name = try row.value { TemplateName($0) }
        let version = Int(row.integer())
        let title = row.text()
        let detail = row.text()
        let payload = row.bytes()
        let parameters = row.bytes()
        let attachments = try row.require(
            RowFields.readAttachments(row.text()), "a template's attachments")
        let kind = row.text()
        return Template(
            business: business, name: name, version: version, title: title, detail: detail,
            payload: payload, parameters: parameters, attachments: attachments,
            author: try row.value { Author(kind: kind, name: $0) }, publishedAt: row.time())
    }

    /// The newest version of a template; 0 before the first.
    package static func newest(
        _ name: TemplateName, of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> Int {
        let statement = try sql.statement(
            literal:
                "SELECT coalesce(max(version), 0) FROM templates WHERE business = ? AND name = ?"
        )
        try statement.bind(business.value)
        try statement.bind(name.text)
        return Int(try statement.first { $0.integer() } ?? 0)
    }

    /// The newest version of a template with what it says, that of its removal included; nil before the first.
    static func findNewest(
        _ name: TemplateName, of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> Template? {
        let statement = try sql.statement(
            "\(columns) WHERE business = ? AND name = ? ORDER BY version DESC LIMIT 1")
        try statement.bind(business.value)
        try statement.bind(name.text)
        return try statement.first { row throws(StoreError) in try read(row) }
    }

    /// Adds a version.
    package static func add(_ template: Template, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO templates (business, name, version, title, detail, payload, \
                parameters, attachments, author_kind, author_name, published_at) \
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        try statement.bind(template.business.value)
        try statement.bind(template.name.text)
        try statement.bind(Int64(template.version))
        try statement.bind(template.title)
        try statement.bind(template.detail)
        try statement.bind(template.payload)
        try statement.bind(template.parameters)
        try statement.bind(RowFields.write(template.attachments) ?? "")
        try statement.bind(template.author.kind)
        try statement.bind(template.author.name)
        try statement.bind(template.publishedAt)
        try statement.run()
    }
}

extension SQLRegistries {
    /// Finds a version, or with nil the newest; of a template that was removed none.
    public func findTemplate(
        _ name: TemplateName, of business: BusinessID, version: Int?
    ) async throws(StoreError) -> Template? {
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(
                """
                \(Templates.columns) t WHERE business = ? AND name = ? \
                AND version = coalesce(?, version) AND (SELECT payload FROM templates n \
                WHERE n.business = t.business AND n.name = t.name \
                ORDER BY version DESC LIMIT 1) <> ? ORDER BY version DESC LIMIT 1
                """)
            try statement.bind(business.value)
            try statement.bind(name.text)
            try statement.bind(version.map { Int64($0) })
            try statement.bind(Template.removalPayload)
            return try statement.first { row throws(StoreError) in try Templates.read(row) }
        }
    }

    /// Lists the newest version of each template that was not removed, by name.
    public func templates(
        of business: BusinessID, at edge: PageEdge<TemplateName>, limit: Int
    ) async throws(StoreError) -> Page<Template> {
        let limit = min(max(limit, 1), 300)
        return try await readRegistry { sql throws(StoreError) in
            let (beyond, order) = edge.isBackward ? ("<", "DESC") : (">", "ASC")
            // An empty text is before every name.
            let statement = try sql.statement(
                """
                \(Templates.columns) t WHERE business = ? AND name \(beyond) ? \
                AND version = (SELECT max(version) \
                FROM templates n WHERE n.business = t.business AND n.name = t.name) \
                AND payload <> ? ORDER BY name \(order) LIMIT ?
                """)
            try statement.bind(business.value)
            try statement.bind(edge.place?.text ?? "")
            try statement.bind(Template.removalPayload)
            try statement.bind(Int64(limit + 1))
            var found: [Template] = []
            var bytes = 0
            while try statement.step() {
                let template = try Templates.read(statement)
                bytes += template.payload.count
                if found.count == limit || !found.isEmpty && bytes > PageSize.maximumBytes {
                    statement.reset()
                    return edge.page(found, limit: limit, read: limit + 1)
                }
                found.append(template)
            }
            return edge.page(found, limit: limit)
        }
    }
}
