public import DeskModel
public import DeskStore

/// The rows of libraries.
///
/// Their names, and the bytes, may be about customers: agents keep what they were sent.
package enum LibraryRows {
    package static let columns = """
        SELECT id, business, attachment, name, media_type, byte_count, width, height, author_kind, \
        author_name, added_at, number FROM library_files
        """

    package static func read(_ row: any SQLStatement) throws(StoreError) -> LibraryFile {
        let id = LibraryFileID(try row.id())
        let business = BusinessID(try row.id())
        let use = AttachmentUse(
            id: AttachmentID(try row.digest()), name: row.text(), mediaType: row.text(),
            byteCount: row.integer())
        let width = row.integerIfAny().map { Int($0) }
        let height = row.integerIfAny().map { Int($0) }
        let kind = row.text()
        return LibraryFile(
            id: id, business: business, use: use, width: width, height: height,
            author: try row.value { Author(kind: kind, name: $0) }, addedAt: row.time())
    }

    /// The library of a business, the newest first.
    package static func all(
        of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> [ListedLibraryFile] {
        let statement = try sql.statement("\(columns) WHERE business = ? ORDER BY number DESC")
        try statement.bind(business.value)
        return try statement.all { row throws(StoreError) in
            let file = try read(row)
            return ListedLibraryFile(place: row.integer(), file: file)
        }
    }

    /// Adds a file.
    package static func add(_ file: LibraryFile, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO library_files (id, business, attachment, name, media_type, byte_count, \
                width, height, author_kind, author_name, added_at) \
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        try statement.bind(file.id.value)
        try statement.bind(file.business.value)
        try statement.bind(file.use.id.digest)
        try statement.bind(file.use.name)
        try statement.bind(file.use.mediaType)
        try statement.bind(file.use.byteCount)
        try statement.bind(file.width.map { Int64($0) })
        try statement.bind(file.height.map { Int64($0) })
        try statement.bind(file.author.kind)
        try statement.bind(file.author.name)
        try statement.bind(file.addedAt)
        try statement.run()
    }

    /// Keeps the name of a file.
    package static func rename(_ file: LibraryFile, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            literal: "UPDATE library_files SET name = ? WHERE id = ?")
        try statement.bind(file.use.name)
        try statement.bind(file.id.value)
        try statement.run()
    }

    /// Removes a file; the library holds its bytes until a moment yet.
    package static func remove(
        _ file: LibraryFile, keptUntil end: Timestamp, on sql: any SQLSession
    ) throws(StoreError) {
        let row = try sql.statement(literal: "DELETE FROM library_files WHERE id = ?")
        try row.bind(file.id.value)
        try row.run()
        try Holds.end(file.use.id, heldBy: .library(file.business), at: end, on: sql)
    }
}

extension SQLRegistries {
    /// Lists a business's library, the newest first.
    public func library(of business: BusinessID) async throws(StoreError) -> [ListedLibraryFile] {
        try await readRegistry { sql throws(StoreError) in
            try LibraryRows.all(of: business, on: sql)
        }
    }
}
