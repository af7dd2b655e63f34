import DeskAPI
import DeskBroker
import DeskCommandLine
import DeskModel
import DeskStore
import DeskWeb

/// The commands of API keys.
extension AdminCommands {
    func createKey(_ parsed: Parsed) async throws(StoreError) -> Result {
        guard let name = parsed["name"], (1...100).contains(name.utf8.count) else {
            return .failed("--name is needed: what to call the key, 1 to 100 bytes")
        }
        let wanted = parsed.values["business"] ?? []
        let all = try await store.businesses()
        guard !wanted.isEmpty else {
            return .failed("--business is needed; there are:\n\(Self.list(all))")
        }
        var businesses: [Business] = []
        for word in wanted {
            switch Self.find(word, in: all) {
            case .failure(let failed): return failed.result
            case .success(let business):
                if !businesses.contains(business) { businesses.append(business) }
            }
        }
        guard let mode = businesses.first?.mode, businesses.allSatisfy({ $0.mode == mode })
        else { return .failed("a key is for live businesses or for test businesses, not for both") }
        let limits: KeyLimits
        switch keyLimits(parsed) {
        case .failure(let failed): return failed.result
        case .success(let read): limits = read
        }
        let (secret, text) = KeySecret.make(mode: mode)
        let isAdded = try await store.add(
            APIKey(
                id: secret.id, name: name, secret: secret.digest(within: limits), mode: mode,
                businesses: businesses.map(\.id), limits: limits, createdAt: time.now()),
            author: .command, permitted: [])
        guard isAdded else {
            return .failed(
                "one of the businesses has \(APIKey.most) keys in force already: revoke one that is "
                    + "not used (frontdesk key list)")
        }
        return .done(
            """
            \(text)

            This is the key "\(name)" for \(businesses.map(\.name).joined(separator: ", ")). \
            It is shown this once.
            Its id, for frontdesk key revoke: \(secret.id.text)
            """)
    }

    func listKeys() async throws(StoreError) -> Result {
        let now = time.now()
        let keys = try await store.keys(of: nil, revokedSince: APIKey.revokedSince(now))
        guard !keys.isEmpty else { return .done("There are no keys.") }
        let names = Dictionary(
            try await store.businesses().map { ($0.id, $0.name) }, uniquingKeysWith: { $1 })
        let rows = keys.map { key in
            let businesses = key.businesses.map { names[$0] ?? $0.text }.joined(separator: ", ")
            var words = [key.id.text, key.mode.rawValue, key.name, "(\(businesses))"]
            words.append("made \(key.createdAt.text), \(Self.use(of: key, now: now))")
            words.append("may \(key.scopes.names.joined(separator: " "))")
            if !key.limits.addresses.isEmpty {
                words.append("from \(key.limits.addresses.joined(separator: " "))")
            }
            return words.joined(separator: "  ")
        }
        return .done(rows.joined(separator: "\n"))
    }

    /// Whether a key is in force, and when it was used.
    private static func use(of key: APIKey, now: Timestamp) -> String {
        if let time = key.revokedAt { return "revoked \(time.text)" }
        let end = key.limits.expiresAt
        if let end, end <= now { return "expired \(end.text)" }
        if key.grants.isEmpty { return "may act for no business" }
        let use = key.usedAt.map { "used \($0.text)" } ?? "never used"
        return end.map { "\(use), expires \($0.text)" } ?? use
    }

    func revokeKey(_ parsed: Parsed) async throws(StoreError) -> Result {
        guard parsed.arguments.count == 1, let id = KeyID(parsed.arguments[0]) else {
            return .failed("name one key by its id; frontdesk key list shows them")
        }
        if let word = parsed["business"] { return try await endGrant(of: id, for: word) }
        let key = try await store.findKey(id)
        guard try await store.revokeKey(id, at: time.now(), author: .command) else {
            return .failed("no key in force has the id \(id.text)")
        }
        return try await published(id, for: key?.businesses ?? [])
            ?? .done("The key \(id.text) is refused from now on.")
    }

    private func endGrant(
        of key: KeyID, for word: String
    ) async throws(StoreError) -> Result {
        let business: Business
        switch Self.find(word, in: try await store.businesses()) {
        case .failure(let failed): return failed.result
        case .success(let found): business = found
        }
        let hasEnded = try await store.removeGrant(of: key, for: business.id, author: .command)
        guard hasEnded else {
            return .failed("no key with the id \(key.text) may act for \(business.name)")
        }
        return try await published(key, for: [business.id])
            ?? .done("The key \(key.text) is refused for \(business.name) from now on.")
    }

    /// Publishes that a key acts for businesses no longer; nil where that is done.
    private func published(
        _ key: KeyID, for businesses: [BusinessID]
    ) async throws(StoreError) -> Result? {
        try await brokering { broker throws(BrokerError) in
            try await broker.publishRevoked(key, for: businesses, by: .command)
        }
    }

    /// Reads what a new key is limited to.
    private func keyLimits(_ parsed: Parsed) -> Swift.Result<KeyLimits, Failed> {
        func failed(_ text: String) -> Swift.Result<KeyLimits, Failed> {
            .failure(Failed(result: .failed(text)))
        }
        let scopes = parsed.values["scope"] ?? []
        let known = KeyScopes.named.map(\.name)
        if let wrong = scopes.first(where: { !known.contains($0) }) {
            return failed("--scope is one of \(known.joined(separator: ", ")), not \"\(wrong)\"")
        }
        let addresses = parsed.values["address"] ?? []
        if let wrong = addresses.first(where: { AddressRange($0) == nil }) {
            return failed(
                "--address is an address or a network, such as 192.0.2.0/24, not \"\(wrong)\"")
        }
        guard addresses.count <= KeyLimits.mostAddresses else {
            return failed("--address may be given \(KeyLimits.mostAddresses) times at most")
        }
        var limits = KeyLimits(scopes: KeyScopes(names: scopes).names, addresses: addresses)
        if limits.scopes.isEmpty { limits.scopes = KeyScopes.usual.names }
        if let text = parsed["expires"] {
            guard let end = Timestamp(text), end > time.now() else {
                return failed(
                    "--expires is a time after now, such as 2027-07-30T00:00:00Z, not \"\(text)\"")
            }
            limits.expiresAt = end
        }
        return .success(limits)
    }
}
