public import DeskModel
public import DeskStore

/// The rows of the wire log.
enum Exchanges {
    static let columns = """
        SELECT number, link, business, conversation, message, course, time, milliseconds, method, \
        target, asked_fields, asked, asked_bytes, status, answered_fields, answered, \
        answered_bytes, findings FROM exchanges
        """

    static func read(_ row: any SQLStatement) throws(StoreError) -> WireExchange {
        let number = row.integer()
        let link = GatewayLinkID(try row.id())
        let business = BusinessID(try row.id())
        let conversation = row.idIfAny().map { ConversationID($0) }
        let message = row.textIfAny().flatMap { MessageID($0) }
        let course = try row.value { WireExchange.Course(rawValue: $0) }
        let time = row.time()
        let milliseconds = Int(row.integer())
        let method = row.text()
        let target = row.text()
        let request = try readPart(row)
        let status = row.integerIfAny().map { Int($0) }
        let answer = try readPart(row)
        return WireExchange(
            number: number, link: link, business: business, conversation: conversation,
            message: message, course: course, time: time, milliseconds: milliseconds,
            method: method, target: target, request: request, status: status, answer: answer,
            findings: row.bytes())
    }

    private static func readPart(_ row: any SQLStatement) throws(StoreError) -> WireExchange.Part {
        let headers = try row.require(RowFields.readHeaders(row.text()), "an exchange's fields")
        return WireExchange.Part(
            headers: headers, body: row.bytes(), byteCount: Int(row.integer()))
    }

    /// Adds an exchange; of one whose message was erased meanwhile nothing of the content.
    static func add(
        _ noted: WireExchange, on sql: any SQLSession
    ) throws(StoreError) -> Int64 {
        let exchange = try isErased(noted, on: sql) ? noted.emptied : noted
        let statement = try sql.statement(
            literal: """
                INSERT INTO exchanges (link, business, conversation, message, course, time, \
                milliseconds, method, target, asked_fields, asked, asked_bytes, status, \
                answered_fields, answered, answered_bytes, findings) \
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING number
                """)
        try statement.bind(exchange.link.value)
        try statement.bind(exchange.business.value)
        try statement.bind(exchange.conversation?.value)
        try statement.bind(exchange.message?.text)
        try statement.bind(exchange.course.rawValue)
        try statement.bind(exchange.time)
        try statement.bind(Int64(exchange.milliseconds))
        try statement.bind(exchange.method)
        try statement.bind(exchange.target)
        try statement.bind(RowFields.write(exchange.request.headers))
        try statement.bind(exchange.request.body)
        try statement.bind(Int64(exchange.request.byteCount))
        try statement.bind(exchange.status.map { Int64($0) })
        try statement.bind(RowFields.write(exchange.answer.headers))
        try statement.bind(exchange.answer.body)
        try statement.bind(Int64(exchange.answer.byteCount))
        try statement.bind(exchange.findings)
        return try statement.require(
            try statement.all { $0.integer() }.first, "an exchange's number")
    }

    /// Whether content of an exchange is of a message that was erased: an exchange is noted at its end.
    private static func isErased(
        _ exchange: WireExchange, on sql: any SQLSession
    ) throws(StoreError) -> Bool {
        guard exchange.hasContent, let conversation = exchange.conversation,
            let message = exchange.message
        else { return false }
        let statement = try sql.statement(
            literal: """
                SELECT 1 FROM messages m JOIN conversations c ON c.number = m.conversation \
                WHERE m.id = ? AND c.id = ? AND m.erased_at IS NOT NULL
                """)
        try statement.bind(message.text)
        try statement.bind(conversation.value)
        return try statement.first { $0.integer() } != nil
    }

    /// Forgets what a link has beyond the newest; costs nothing while there is no more.
    static func trim(_ link: GatewayLinkID, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                DELETE FROM exchanges WHERE link = ?1 AND number <= (SELECT number \
                FROM exchanges WHERE link = ?1 ORDER BY number DESC LIMIT 1 OFFSET ?2)
                """)
        try statement.bind(link.value)
        try statement.bind(Int64(WireExchange.maximumKept))
        try statement.run()
    }
}

extension SQLRegistries {
    /// Notes an exchange and returns its number; of each link the newest 10,000 are kept.
    public func note(_ exchange: WireExchange) async throws(StoreError) -> Int64 {
        try await change(
            .links(.noteExchange(over: exchange.link, of: exchange.business)), author: .server
        ) { sql throws(StoreError) in
            let number = try Exchanges.add(exchange, on: sql)
            try Exchanges.trim(exchange.link, on: sql)
            return number
        }
    }

    /// Lists a business's exchanges, newest first.
    public func exchanges(
        of business: BusinessID, in scope: WireScope, at edge: PageEdge<Int64>, limit: Int
    ) async throws(StoreError) -> Page<WireExchange> {
        try await readRegistry { sql throws(StoreError) in
            let narrowed: String
            switch scope {
            case .everything: narrowed = ""
            case .conversation: narrowed = " AND conversation = ?4"
            case .message: narrowed = " AND conversation = ?4 AND message = ?5"
            }
            let (beyond, order) = edge.isBackward ? (">", "ASC") : ("<", "DESC")
            let statement = try sql.statement(
                """
                \(Exchanges.columns) WHERE business = ?1 AND number \(beyond) ?2\(narrowed) \
                ORDER BY number \(order) LIMIT ?3
                """)
            try statement.bind(business.value)
            try statement.bind(edge.place ?? .max)
            let limit = min(max(limit, 1), 300)
            try statement.bind(Int64(limit) + 1)
            switch scope {
            case .everything: break
            case .conversation(let id): try statement.bind(id.value)
            case .message(let message, let id):
                try statement.bind(id.value)
                try statement.bind(message.text)
            }
            let found = try statement.all { row throws(StoreError) in try Exchanges.read(row) }
            return edge.page(found, limit: limit)
        }
    }
}
