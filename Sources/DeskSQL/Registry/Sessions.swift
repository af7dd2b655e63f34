public import DeskModel
public import DeskStore

/// The rows of sessions and one-time links.
package enum Sessions {
    static let columns =
        "SELECT token, subject_kind, subject, created_at, used_at, expires_at, is_by_passkey FROM sessions"

    static func kind(of subject: SessionSubject) -> (String, UniqueID?) {
        switch subject {
        case .agent(let id): ("agent", id.value)
        case .customer(let id): ("customer", id.value)
        case .sandbox: ("sandbox", nil)
        case .setup: ("setup", nil)
        // The word of the schema's first version, when invitations were kept here too.
        case .newPassword(let id): ("invitation", id.value)
        }
    }

    package static func add(_ session: Session, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO sessions (token, subject_kind, subject, created_at, used_at, \
                expires_at, is_by_passkey) VALUES (?, ?, ?, ?, ?, ?, ?)
                """)
        let (kind, subject) = kind(of: session.subject)
        try statement.bind(session.token)
        try statement.bind(kind)
        try statement.bind(subject)
        try statement.bind(session.createdAt)
        try statement.bind(session.usedAt)
        try statement.bind(session.expiresAt)
        try statement.bind(session.isByPasskey)
        try statement.run()
    }

    /// Lets every session of a subject end at a moment or earlier, except one.
    static func shorten(
        of subject: SessionSubject, except token: Digest, until: Timestamp, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                UPDATE sessions SET expires_at = ?1 WHERE subject_kind = ?2 \
                AND subject IS NOT DISTINCT FROM ?3 AND token != ?4 AND expires_at > ?1
                """)
        let (kind, id) = kind(of: subject)
        try statement.bind(until)
        try statement.bind(kind)
        try statement.bind(id)
        try statement.bind(token)
        try statement.run()
    }

    /// Whether a session is there, is the subject's, and has not expired.
    static func isLive(
        _ token: Digest, of subject: SessionSubject, at now: Timestamp, on sql: any SQLSession
    ) throws(StoreError) -> Bool {
        guard let session = try find(token, on: sql) else { return false }
        return session.subject == subject && now < session.expiresAt
    }

    /// Ends one session.
    static func end(_ token: Digest, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(literal: "DELETE FROM sessions WHERE token = ?")
        try statement.bind(token)
        try statement.run()
    }

    /// Ends every session of a subject; returns whether there was any.
    static func end(of subject: SessionSubject, on sql: any SQLSession) throws(StoreError) -> Bool {
        let statement = try sql.statement(
            literal: """
                DELETE FROM sessions WHERE subject_kind = ? \
                AND subject IS NOT DISTINCT FROM ?
                """)
        let (kind, id) = kind(of: subject)
        try statement.bind(kind)
        try statement.bind(id)
        return try statement.runCounting() > 0
    }

    static func read(_ row: any SQLStatement) throws(StoreError) -> Session {
        let token = try row.digest()
        let kind = row.text()
        let id = row.idIfAny()
        let subject: SessionSubject? =
            switch kind {
            case "agent": id.map { .agent(AgentID($0)) }
            case "customer": id.map { .customer(ConversationID($0)) }
            case "sandbox": .sandbox
            case "setup": .setup
            case "invitation": id.map { .newPassword(AgentID($0)) }
            default: nil
            }
        let created = row.time()
        let used = row.time()
        var session = Session(
            token: token, subject: try row.require(subject, "a session's subject"),
            createdAt: created, expiresAt: row.time(), isByPasskey: row.bool())
        session.usedAt = used
        return session
    }

    package static func find(_ token: Digest, on sql: any SQLSession) throws(StoreError) -> Session?
    {
        let statement = try sql.statement("\(columns) WHERE token = ?")
        try statement.bind(token)
        return try statement.first { row throws(StoreError) in try read(row) }
    }
}

extension SQLRegistries {
    /// Begins a session.
    public func add(_ session: Session, author: Author) async throws(StoreError) {
        try await change(.credentials(.addSession(of: session.subject)), author: author) {
            sql throws(StoreError) in
            try Sessions.add(session, on: sql)
        }
    }

    /// Finds a session, expired ones included; the caller compares times.
    public func findSession(_ token: Digest) async throws(StoreError) -> Session? {
        try await remembered(
            { $0.sessions[token] }, keep: { $0.sessions.keep($1, for: token) }
        ) {
            sql throws(StoreError) in
            try Sessions.find(token, on: sql)
        }
    }

    /// Finds a session as it is stored, whatever lookups remember of it.
    public func findStoredSession(_ token: Digest) async throws(StoreError) -> Session? {
        try await readRegistry { sql throws(StoreError) in try Sessions.find(token, on: sql) }
    }

    /// Remembers that a session was used, and until when it lives now.
    public func touchSession(
        _ token: Digest, at time: Timestamp, until: Timestamp, author: Author
    ) async throws(StoreError) {
        try await change(.credentials(.touchSession(token)), author: author) {
            sql throws(StoreError) in
            let statement = try sql.statement(
                literal: "UPDATE sessions SET used_at = ?, expires_at = ? WHERE token = ?")
            try statement.bind(time)
            try statement.bind(until)
            try statement.bind(token)
            try statement.run()
        }
    }

    /// Ends a session and returns it: of several callers exactly one gets it.
    public func takeSession(_ token: Digest, author: Author) async throws(StoreError) -> Session? {
        try await change(
            as: { $0.map { (.credentials(.takeSession($0.token, of: $0.subject)), author) } }
        ) { sql throws(StoreError) in
            let session = try Sessions.find(token, on: sql)
            try Sessions.end(token, on: sql)
            return session
        }
    }

    /// Ends every session of a subject.
    public func endSessions(of subject: SessionSubject, author: Author) async throws(StoreError) {
        _ = try await change(
            .credentials(.endSessions(of: subject)), author: author, where: { $0 }
        ) { sql throws(StoreError) in try Sessions.end(of: subject, on: sql) }
    }

    /// Lets every session of a subject end at a moment or earlier, except one.
    public func shortenSessions(
        of subject: SessionSubject, except token: Digest, until: Timestamp, author: Author
    ) async throws(StoreError) {
        try await change(.credentials(.shortenSessions(of: subject)), author: author) {
            sql throws(StoreError) in
            try Sessions.shorten(of: subject, except: token, until: until, on: sql)
        }
    }

    /// Forgets the sessions that expired before a moment.
    public func pruneSessions(before time: Timestamp) async throws(StoreError) {
        try await change(.credentials(.pruneSessions(before: time)), author: .server) {
            sql throws(StoreError) in
            let statement = try sql.statement(
                literal: "DELETE FROM sessions WHERE expires_at < ?")
            try statement.bind(time)
            try statement.run()
        }
    }
}
