import DeskEventJSON
import DeskModel
import DeskStore

/// The names of what records of the audit are about, as far as it is still there.
struct AuditSubjects {
    private var names: [String: String] = [:]

    /// Reads what the records name: each list once, and only where a record needs it.
    init(
        of records: [AuditRecord], in store: any Store, _ authors: AuthorNames
    ) async throws(StoreError) {
        let people = records.flatMap { Self.people($0) }
        try await authors.load(people)
        for author in people { names[author.name] = authors.name(of: author) }
        for business in Set(records.compactMap(\.business)) {
            let kinds = Set(records.lazy.filter { $0.business == business }.map(\.kind))
            let ofBusiness = [
                "business_saved", "second_factor_required", "second_factor_optional",
                "approval_rules_saved",
            ]
            if !kinds.isDisjoint(with: ofBusiness) {
                names[business.text] = try await store.findBusiness(business)?.name
            }
            if kinds.contains("label_saved") {
                add(try await store.labels(of: business)) { ($0.id.text, $0.name) }
            }
            let ofTeams = [
                "team_saved", "hours_saved", "assignment_saved", "team_provisioned",
                "team_unprovisioned",
            ]
            if !kinds.isDisjoint(with: ofTeams) {
                add(try await store.teams(of: business)) { ($0.id.text, $0.name) }
            }
            if kinds.contains("bot_saved") {
                add(try await store.bots(of: business)) { ($0.id.text, $0.name) }
            }
            if kinds.contains("rule_saved") {
                add(try await store.rules(of: business)) { ($0.id.text, $0.name) }
            }
            if kinds.contains("attribute_saved") {
                add(try await store.attributes(of: business)) { ($0.id.text, $0.name) }
            }
            if kinds.contains("webhook_saved") {
                try await addHosts(of: business, in: store)
            }
        }
    }

    /// One whose secrets cannot be read leaves all without a name, and the records as they are.
    private mutating func addHosts(
        of business: BusinessID, in store: any Store
    ) async throws(StoreError) {
        do throws(StoreError) {
            add(try await store.webhooks(of: business)) { ($0.id.text, Self.host(of: $0.url)) }
        } catch {
            guard [.damaged, .keyMissing].contains(error.code) else { throw error }
        }
    }

    private mutating func add<Element>(
        _ found: [Element], _ named: (Element) -> (id: String, name: String)
    ) {
        for one in found.lazy.map(named) { names[one.id] = one.name }
    }

    /// What is between the slashes of an address: its path may hold a secret, which a key that reads the audit has no
    /// right to.
    private static func host(of address: String) -> String {
        address.split(separator: "/").dropFirst().first.map { String($0) } ?? ""
    }

    /// The name of a record's subject; nil where it has none, or is no longer there.
    func name(of record: AuditRecord) -> String? { names[record.subject] }

    /// The people and keys that a record names.
    private static func people(_ record: AuditRecord) -> [Author] {
        guard let id = UniqueID(record.subject) else { return [] }
        return switch record.kind {
        case "agent_saved", "first_owner_added", "role_set", "member_changed", "member_removed",
            "devices_forgotten", "identity_linked", "identities_removed", "session_begun",
            "session_ended", "sessions_ended",
            "sessions_shortened", "second_factor_begun", "second_factor_confirmed",
            "second_factor_removed", "recovery_code_used", "recovery_codes_replaced",
            "passkey_added", "passkey_removed", "passkeys_removed", "person_provisioned",
            "person_unprovisioned":
            [.agent(AgentID(id))]
        case "key_added", "key_revoked", "key_replaced", "grant_removed", "grant_confirmed":
            [.key(KeyID(id))]
        default: []
        }
    }
}
