/// The step of the schema's history that came with libraries of files.
///
/// A landed step is never edited: the fixtures of every earlier version hold these statements to it.
extension Migrations {
    // The files that businesses keep to send again; `attachment_holds` has their bytes held.
    static let library = """
        CREATE TABLE library_files (
            number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, business BLOB NOT NULL,
            attachment BLOB NOT NULL, name TEXT NOT NULL, media_type TEXT NOT NULL,
            byte_count INTEGER NOT NULL, width INTEGER, height INTEGER,
            author_kind TEXT NOT NULL, author_name TEXT NOT NULL, added_at INTEGER NOT NULL,
            UNIQUE (business, attachment));
        """
}
