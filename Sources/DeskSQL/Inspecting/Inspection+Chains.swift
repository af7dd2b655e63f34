import DeskModel
import DeskStore

extension Inspection {
    /// Some messages of a chain, from one back to those before it.
    private static let links = """
        WITH RECURSIVE chain (position, conversation, sequence, previous, digest, checksum) AS (\
        SELECT position, conversation, sequence, previous, digest, checksum FROM messages \
        WHERE position = ? UNION ALL \
        SELECT m.position, m.conversation, m.sequence, m.previous, m.digest, m.checksum \
        FROM chain c JOIN messages m ON m.position = c.previous \
        WHERE c.previous < c.position AND c.sequence > 1) \
        SELECT position, conversation, sequence, previous, digest, checksum FROM chain LIMIT 500
        """

    /// One message's part in its conversation's chain.
    private struct Link {
        let position: Int64
        let conversation: Int64
        let sequence: Int64
        let previous: Int64
        let digest: Digest?
        let checksum: UInt32

        init(_ row: any SQLStatement) {
            position = row.integer()
            conversation = row.integer()
            sequence = row.integer()
            previous = row.integer()
            digest = row.digestIfAny()
            checksum = UInt32(truncatingIfNeeded: row.integer())
        }
    }

    /// What is wrong with a conversation's chain of messages; nil when nothing is.
    static func chain(
        of one: ConversationRow, on sql: any SQLSession
    ) throws(StoreError) -> String? {
        let statement = try sql.statement(Self.links)
        var links: [(digest: Digest, checksum: UInt32)] = []
        var place = one.end
        var expected = one.conversation.newest.value
        while expected > 0 {
            try statement.bind(place)
            let found = try statement.all { Link($0) }
            guard !found.isEmpty else { return broken(at: expected) }
            for link in found {
                guard let digest = link.digest, link.position == place,
                    link.conversation == one.number, link.sequence == expected,
                    link.previous < place
                else { return broken(at: expected) }
                links.append((digest, link.checksum))
                place = link.previous
                expected -= 1
            }
        }
        var head: Digest?
        for link in links.reversed() {
            head = MessageChecksum.head(after: head, digest: link.digest, checksum: link.checksum)
        }
        return place == 0 && head == one.head ? nil : "its messages do not give its head"
    }

    private static func broken(at sequence: Int64) -> String {
        "the chain of its messages breaks at \(sequence)"
    }
}
