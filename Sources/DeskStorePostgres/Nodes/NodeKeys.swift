import DeskSQL
import DeskStore

/// Which encryption keys a node has that runs on the database.
///
/// A node says it in a row of `leases` beside that of its place, which has the place's term: what an
/// earlier node of the place said counts for nothing. A node of an earlier version says nothing.
struct NodeKeys {
    private static let mark = "keys of "

    /// The lease of the node's place: `node 3`.
    let place: String
    /// The ids of its keys in their order; nil where it has not said.
    let ids: [String]?

    // MARK: What nodes say

    /// Keeps every lease from being acquired, renewed or given back until the transaction ends.
    ///
    /// It is the first statement: the transaction then sees what those before it have done.
    static func lockLeases(on sql: any SQLSession) throws(StoreError) {
        try sql.statement(once: "LOCK TABLE leases IN SHARE ROW EXCLUSIVE MODE").run()
    }

    /// The nodes that run; one that was killed counts for as long as its lease lives.
    static func ofRunning(on sql: any SQLSession) throws(StoreError) -> [NodeKeys] {
        let statement = try sql.statement(
            literal: """
                SELECT place.name, said.name FROM leases AS place LEFT JOIN leases AS said \
                ON said.term = place.term AND said.name LIKE 'keys of ' || place.name || ': %' \
                WHERE place.name LIKE 'node %' AND place.name <> 'node begins' \
                AND place.until > clock_timestamp()
                """)
        return try statement.all { row throws(StoreError) in
            let place = row.text()
            return NodeKeys(place: place, said: row.textIfAny())
        }
    }

    private init(place: String, said: String?) {
        self.place = place
        ids = said.map { text in
            let list = text.split(separator: ":").last ?? ""
            return list.split(separator: " ").map(String.init)
        }
    }

    private static func say(
        _ keys: EncryptionKeys, at place: Lease, on sql: any SQLSession
    ) throws(StoreError) {
        let name = "\(mark)\(place.name): "
        let former = try sql.statement(literal: "DELETE FROM leases WHERE name LIKE ?")
        try former.bind(name + "%")
        try former.run()
        let row = try sql.statement(
            literal: "INSERT INTO leases (name, term, until) VALUES (?, ?, clock_timestamp())")
        try row.bind(name + keys.ids.map(\.text).joined(separator: " "))
        try row.bind(place.term)
        try row.run()
    }

    // MARK: What follows from it

    /// Says which keys the node of a place has, and encrypts with its current key what others encrypt,
    /// once every node that runs has that key; returns whether it encrypted something.
    ///
    /// - Throws: `keyMissing` when a secret needs a key that it lacks, as after a rotation while it
    ///   started; `refused` when it and a node that runs could not read what the other encrypts;
    ///   `superseded` when the place is another's.
    static func use(
        _ keys: EncryptionKeys, at place: Lease, on sql: any SQLSession
    ) throws(StoreError) -> Bool {
        try lockLeases(on: sql)
        let held = try sql.statement(literal: "SELECT term FROM leases WHERE name = ? AND term = ?")
        try held.bind(place.name)
        try held.bind(place.term)
        guard try held.first({ row throws(StoreError) in row.integer() }) != nil else {
            throw StoreError(.superseded)
        }
        let needed = try Secrets.count(on: sql).keys
        let lacking = needed.filter { !keys.ids.contains($0) }.map(\.text).sorted()
        guard lacking.isEmpty else {
            throw StoreError(
                .keyMissing,
                "while this node started, secrets in it were encrypted with the key "
                    + "\(lacking.joined(separator: " and ")), which it lacks")
        }
        let own = place.name
        let others = try ofRunning(on: sql).filter { $0.place != own }
        for other in others {
            guard let why = other.conflict(with: keys) else { continue }
            throw StoreError(.refused, "the database cannot be used: \(why)")
        }
        try say(keys, at: place, on: sql)
        let allHaveSaid = others.allSatisfy { $0.ids != nil }
        guard allHaveSaid, try Secrets.isWorkDue(keys, on: sql) else { return false }
        try Secrets.encryptAll(keys, on: sql)
        return true
    }

    /// Why a node with these keys must not run beside this one; nil where it may.
    func conflict(with keys: EncryptionKeys) -> String? {
        guard let ids, let current = ids.first else { return nil }
        guard ids.contains(keys.current.text) else {
            return "\(place), which runs on it, lacks the key \(keys.current), with which this "
                + "server would encrypt: give every node the new key as its last one first, and "
                + "when all have it, as the first one"
        }
        guard keys.ids.contains(where: { $0.text == current }) else {
            return "\(place), which runs on it, encrypts with the key \(current), which this "
                + "server lacks: copy the file of keys of that node"
        }
        return nil
    }
}
