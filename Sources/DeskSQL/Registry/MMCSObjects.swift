public import DeskModel
public import DeskStore

extension SQLRegistries {
    /// Keeps an object; one of the same id stays as it is, and the answer is false.
    @discardableResult
    public func save(_ object: MMCSObject, author: Author) async throws(StoreError) -> Bool {
        try await change(
            .links(.saveObject(object.id, of: object.business)), author: author, where: { $0 }
        ) {
            sql throws(StoreError) in
            let statement = try sql.statement(
                literal: """
                    INSERT INTO mmcs_objects (id, business, content, key, byte_count, signature, \
                    created_at, kept_until) VALUES (?, ?, ?, ?, ?, ?, ?, ?) \
                    ON CONFLICT (id) DO NOTHING
                    """)
            try statement.bind(object.id)
            try statement.bind(object.business.value)
            try statement.bind(object.content.digest)
            try statement.bind(object.key)
            try statement.bind(object.byteCount)
            try statement.bind(object.signature)
            try statement.bind(object.createdAt)
            try statement.bind(object.keptUntil)
            return try statement.runCounting() == 1
        }
    }

    /// Finds an object by the last part of its address.
    public func findMMCSObject(_ id: String) async throws(StoreError) -> MMCSObject? {
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(
                literal: """
                    SELECT id, business, content, key, byte_count, signature, created_at, kept_until \
                    FROM mmcs_objects WHERE id = ?
                    """)
            try statement.bind(id)
            return try statement.first { row throws(StoreError) in
                try GatewayRows.readObject(row)
            }
        }
    }

    /// Forgets the objects that had expired then; returns the files that no row names any more.
    ///
    /// They stay as uploads that were given up, until their files are gone: one may be in use still, or its removal fail.
    public func pruneMMCSObjects(
        before time: Timestamp
    ) async throws(StoreError) -> [AttachmentID] {
        try await change(.links(.pruneObjects(before: time)), author: .server) {
            sql throws(StoreError) in
            let expired = try sql.statement(
                literal: """
                    SELECT id, content, business, byte_count, created_at FROM mmcs_objects \
                    WHERE kept_until < ? \
                    ORDER BY kept_until LIMIT ?
                    """)
            try expired.bind(time)
            try expired.bind(GatewayRows.prunedAtOnce)
            let over = try expired.all { row throws(StoreError) in
                (
                    id: row.text(), content: AttachmentID(try row.digest()),
                    business: BusinessID(try row.id()), byteCount: row.integer(),
                    createdAt: row.time()
                )
            }
            for object in over {
                let statement = try sql.statement(
                    literal: "DELETE FROM mmcs_objects WHERE id = ?")
                try statement.bind(object.id)
                try statement.run()
            }
            var freed: [AttachmentID] = []
            for object in over where !freed.contains(object.content) {
                let statement = try sql.statement(
                    literal: """
                        SELECT EXISTS (SELECT 1 FROM mmcs_objects WHERE content = ?1) \
                        OR EXISTS (SELECT 1 FROM attachment_holds WHERE attachment = ?1) \
                        OR EXISTS (SELECT 1 FROM businesses WHERE picture = ?1)
                        """)
                try statement.bind(object.content.digest)
                guard try statement.first({ $0.integer() }) == 0 else { continue }
                freed.append(object.content)
                let use = AttachmentUse(
                    id: object.content, name: "", mediaType: "", byteCount: object.byteCount)
                try Holds.add(
                    use, by: .business(object.business), at: object.createdAt,
                    until: Timestamp(milliseconds: 0), on: sql)
            }
            return freed
        }
    }
}
