import DeskModel
import DeskSQL
import DeskStore
import FoundationEssentials
import TestSupport

@testable import DeskStoreSQLite

/// A data directory that has rows in every table that is moved.
enum MovedDirectory {
    /// The tables that have none in it, and why.
    static let empty: [String: String] = [:]

    /// Lays it out: the fixture of the newest version, what follows from conversations, and a row of each other table.
    static func layOut(in directory: String) async throws {
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: false)
        try await SchemaFixture.layOut(Int(Migrations.newest), in: directory)
        try await fillConversation(in: directory)
        let file = try Connection(path: directory + "/frontdesk.sqlite", mayWrite: true)
        try file.execute("INSERT INTO readers VALUES ('reports', \(0xE), 30)")
        for table in try emptyTables(of: file) where empty[table] == nil {
            try addRow(to: table, of: file)
        }
    }

    /// The tables that are moved and have no row.
    static func emptyTables(of file: Connection) throws -> [String] {
        try MovedTables.copied.filter { table in
            try file.prepare("SELECT count(*) FROM \(table)").first { $0.integer() } == 0
        }
    }

    /// Gives a conversation what lists and counts are made of: they follow its row, and so does its check sum.
    private static func fillConversation(in directory: String) async throws {
        let store = try SQLiteStore(directory: directory, newEpoch: Epoch(1))
        let (shop, talk, me) = (business(1), conversation(1), Author.agent(agent(1)))
        var label = SaveLabel.Values()
        label.name = "VIP"
        label.colour = "#336699"
        let labelID = LabelID(uniqueID(0x1A01))
        _ = try await store.one(
            SaveLabel(labelID, of: shop, isNew: true, label, by: me, at: dawn))
        var team = SaveTeam.Values()
        team.name = "Night"
        team.colour = "#336699"
        team.members = [agent(1)]
        let teamID = TeamID(uniqueID(0x1B01))
        _ = try await store.one(
            SaveTeam(
                teamID, of: shop, isNew: true, team, permitted: .handling, by: me, at: dawn))
        let attribute = AttributeDefinition(
            id: AttributeID(uniqueID(0xAA01)), business: shop, subject: .conversation, key: "tier",
            kind: .text, name: "Tier", choices: [], order: 1)
        _ = try await store.one(SaveAttribute(attribute, by: me, at: dawn))
        var metadata = Metadata.Change()
        metadata.set("order", to: "A-17")
        for change in [
            .label(add: [labelID], remove: []), .move(to: teamID),
            .attribute(["tier": .text("金")]), .annotate(metadata),
        ] as [ConversationChange] {
            _ = try await store.change(talk, change)
        }
        // A file of the library is held by it.
        let bytes = Array(SchemaFixture.files[0].utf8)
        let picture = AttachmentUse(
            id: AttachmentID(.sha256(bytes)), name: "a.png", mediaType: "image/png",
            byteCount: Int64(bytes.count))
        _ = try await store.one(
            AddLibraryFile(
                LibraryFile(
                    id: LibraryFileID(uniqueID(0x1C01)), business: shop, use: picture, width: 4,
                    height: 3, author: me, addedAt: dawn)))
        await store.close()
    }

    /// Adds a row whose columns all have a value: a move copies it, whatever it means.
    private static func addRow(to table: String, of file: Connection) throws {
        let values = try file.prepare("SELECT type FROM pragma_table_info('\(table)')")
            .all { $0.text() }
            .map { type in
                switch type {
                // The number may be a claim, which is 0 or 1.
                case "INTEGER": "1"
                case "TEXT": "'é ''金'"
                case "BLOB": "X'00FF8041000040000000000000FF8041'"
                default: throw Unexpected("a column of \(table) is \(type)")
                }
            }
        try file.execute("INSERT INTO \(table) VALUES (\(values.joined(separator: ", ")))")
    }
}
