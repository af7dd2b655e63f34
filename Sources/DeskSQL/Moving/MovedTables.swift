/// What a move from one engine to the other does with each table.
package enum MovedTables {
    /// The tables that both engines have, in an order in which every row comes after those it refers to.
    package static let copied = RegistrySchema.tables + LogSchema.tables

    /// Large tables whose rows never move: a move that was interrupted goes on behind the last of them.
    static let continued: Set<String> = ["events", "messages"]

    /// The tables of each engine that are not copied, and why the other side needs none of their rows.
    package static let rebuilt: [String: String] = [
        "settled": "SQLite's: how far the rows of conversations follow the log; written at the end",
        "schema_version": "PostgreSQL's: made with the tables",
        "log_turn": "PostgreSQL's: has no rows",
        "commits": "PostgreSQL's: groups of nodes that run",
        "leases": "PostgreSQL's: of nodes that run",
        "nodes": "PostgreSQL's: nodes that run",
        "credential_changes": "PostgreSQL's: notices between nodes that run",
        "blob_uploads": "PostgreSQL's: uploads under way",
        "blobs": "PostgreSQL's: attachments are copied as such, from and to wherever they lie",
        "blob_pieces": "PostgreSQL's: as blobs",
        "search_state": "PostgreSQL's: the search index is built again",
        "search_terms": "PostgreSQL's: as search_state",
        "search_note_state": "PostgreSQL's: as search_state",
        "search_notes": "PostgreSQL's: as search_state",
        MoveMark.table: "of a move that is under way",
        MoveNote.table: "of a database that was moved away",
    ]
}

/// One table as a move sees it.
package struct TableShape: Sendable, Equatable {
    /// What a column holds.
    package enum Kind: Sendable {
        /// A number, or a claim as 0 or 1.
        case integer
        /// A text in UTF-8.
        case text
        /// Bytes.
        case bytes
    }

    /// One column.
    package struct Column: Sendable, Equatable {
        let name: String
        let kind: Kind
        /// Its place in the primary key, from 1; 0 when it is not part of it.
        let keyPlace: Int

        /// A column of a table.
        package init(name: String, kind: Kind, keyPlace: Int) {
            self.name = name
            self.kind = kind
            self.keyPlace = keyPlace
        }
    }

    package let name: String
    /// In the order of their names, so that both engines have the same.
    package let columns: [Column]

    /// A table with its columns in any order.
    package init(name: String, columns: [Column]) {
        self.name = name
        self.columns = columns.sorted { $0.name < $1.name }
    }

    /// The places of the key's columns among all; empty for a table without one, which has few rows.
    var key: [Int] {
        columns.indices.filter { columns[$0].keyPlace > 0 }
            .sorted { columns[$0].keyPlace < columns[$1].keyPlace }
    }
}
