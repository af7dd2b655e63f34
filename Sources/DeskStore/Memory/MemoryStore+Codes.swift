public import DeskModel

extension MemoryStore: SessionRegistry {
    /// Begins a session.
    public func add(_ session: Session) async throws(StoreError) {
        try edit { $0.sessions[session.token] = session }
    }

    /// Finds a session, expired ones included; the caller compares times.
    public func findSession(_ token: Digest) async throws(StoreError) -> Session? {
        try look { $0.sessions[token] }
    }

    /// Remembers that a session was used, and until when it lives now.
    public func touchSession(
        _ token: Digest, at time: Timestamp, until: Timestamp
    ) async throws(StoreError) {
        try edit { state in
            state.sessions[token]?.usedAt = time
            state.sessions[token]?.expiresAt = until
        }
    }

    /// Ends a session and returns it: of several callers exactly one gets it.
    public func takeSession(_ token: Digest) async throws(StoreError) -> Session? {
        try edit { $0.sessions.removeValue(forKey: token) }
    }

    /// Ends every session of a subject.
    public func endSessions(of subject: SessionSubject) async throws(StoreError) {
        try edit { state in
            state.sessions = state.sessions.filter { $0.value.subject != subject }
        }
    }

    /// Lets every session of a subject end at a moment or earlier, except one.
    public func shortenSessions(
        of subject: SessionSubject, except token: Digest, until: Timestamp
    ) async throws(StoreError) {
        try edit { state in
            for (name, session) in state.sessions
            where session.subject == subject && name != token {
                state.sessions[name]?.expiresAt = min(session.expiresAt, until)
            }
        }
    }

    /// Forgets the sessions that expired before a moment.
    public func pruneSessions(before time: Timestamp) async throws(StoreError) {
        try edit { state in
            state.sessions = state.sessions.filter { $0.value.expiresAt >= time }
        }
    }
}

extension MemoryStore: JoinCodeRegistry {
    /// Adds a code.
    public func add(_ code: JoinCode) async throws(StoreError) {
        try edit { $0.codes.append(code) }
    }

    /// Finds a code by its public name, dead ones included until they are pruned.
    public func findJoinCode(_ id: String) async throws(StoreError) -> JoinCode? {
        try look { state in state.codes.first { $0.id.utf8.elementsEqual(id.utf8) } }
    }

    /// Finds a living code by the hash of its link.
    public func findJoinCode(
        link: Digest, at time: Timestamp
    ) async throws(StoreError) -> JoinCode? {
        try look { state in state.codes.first { $0.link == link && $0.isAlive(at: time) } }
    }

    /// Finds a living code by its typed form; a wrong second half costs the code a try.
    public func typeJoinCode(
        locator: String, typed: Digest, at time: Timestamp
    ) async throws(StoreError) -> JoinCode? {
        try edit { state in
            let places = state.codes.indices.filter {
                let code = state.codes[$0]
                return code.locator.utf8.elementsEqual(locator.utf8) && code.triesLeft > 0
                    && code.isAlive(at: time)
            }
            if let found = places.first(where: { state.codes[$0].typed == typed }) {
                return state.codes[found]
            }
            for place in places { state.codes[place].triesLeft -= 1 }
            return nil
        }
    }

    /// Forgets the codes that expired before a moment.
    public func pruneJoinCodes(before time: Timestamp) async throws(StoreError) {
        try edit { $0.codes.removeAll { $0.expiresAt < time } }
    }
}

extension JoinCode {
    fileprivate func isAlive(at time: Timestamp) -> Bool { expiresAt > time && usesLeft > 0 }
}

extension MemoryStore: TemplateRegistry {
    /// Finds a version, or with nil the newest.
    public func findTemplate(
        _ name: TemplateName, of business: BusinessID, version: Int?
    ) async throws(StoreError) -> Template? {
        try look { state in
            let versions = state.templates[.init(business: business, name: name)] ?? []
            guard let version else { return versions.last }
            return versions.first { $0.version == version }
        }
    }

    /// Lists the newest version of each template, by name; `after` continues a page.
    public func templates(
        of business: BusinessID, after name: TemplateName?, limit: Int
    ) async throws(StoreError) -> Page<Template> {
        let limit = min(max(limit, 1), 300)
        return try look { state in
            let all = state.templates.filter { $0.key.business == business }
                .compactMap(\.value.last)
                .filter { template in
                    name.map {
                        $0.text.utf8.lexicographicallyPrecedes(template.name.text.utf8)
                    } ?? true
                }
                .sorted { $0.name.text.utf8.lexicographicallyPrecedes($1.name.text.utf8) }
            let count = PageSize.count(of: all, limit: limit) { $0.payload.count }
            return Page(elements: Array(all.prefix(count)), hasMore: count < all.count)
        }
    }
}

extension MemoryStore: AnswerRegistry {
    /// Finds the answer that a scope was given, or the message that it stored.
    public func findAnswer(_ scope: String) async throws(StoreError) -> RememberedAnswer? {
        try look { state in state.answers[Array(scope.utf8)] }
    }

    /// Remembers an answer unless the scope has one.
    public func remember(_ answer: RememberedAnswer) async throws(StoreError) {
        try edit { state in
            let key = Array(answer.scope.utf8)
            if state.answers[key] == nil { state.answers[key] = answer }
        }
    }

    /// Forgets answers given before a moment.
    public func pruneAnswers(before time: Timestamp) async throws(StoreError) {
        try edit { state in state.answers = state.answers.filter { $0.value.time >= time } }
    }
}

extension MemoryStore: SettingRegistry {
    /// Finds a setting's bytes.
    public func findSetting(_ name: String) async throws(StoreError) -> [UInt8]? {
        try look { $0.settings[Array(name.utf8)] }
    }

    /// Sets or with nil removes a setting.
    public func setSetting(_ name: String, to value: [UInt8]?) async throws(StoreError) {
        try edit { $0.settings[Array(name.utf8)] = value }
    }
}
