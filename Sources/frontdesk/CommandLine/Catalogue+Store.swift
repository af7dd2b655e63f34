import DeskCommandLine

/// The commands for the data as a whole.
extension Catalogue {
    static let data = Flag(
        "data", .value("DIR"), "the data directory (default: data)", isConfiguration: true)

    /// What opens the store of a directory without a server.
    static let store = [
        data,
        Flag(
            "encryption-key-file", .value("FILE"),
            "the file with the keys that encrypt secrets, made at the first start (default: "
                + "encryption.key in the data directory)", isConfiguration: true),
        Flag(
            "encryption-key", .values("BASE64"),
            "such a key itself, 32 bytes, the current one first; for the environment, separated by "
                + "commas, since everybody on this machine sees a command line",
            isConfiguration: true),
    ]

    /// Where a database is.
    static let database = [
        Flag(
            "database", .value("URL"),
            "a PostgreSQL database that has the data instead of the directory, as postgresql://user@host/name; "
                + "any number of servers may use it at once", isConfiguration: true),
        Flag(
            "database-password-file", .value("FILE"),
            "a file whose first line is the password for the database (default: where libpq looks, "
                + "such as PGPASSFILE)", isConfiguration: true),
    ]

    /// What opens a store, wherever it is.
    static let anyStore = store + database

    /// Where the attachments of a database lie.
    static let blobs = [
        Flag(
            "blobs", .value("URL"),
            "a bucket of an S3 server that has the attachments instead of the database, as "
                + "s3://bucket/prefix; all servers of a database name the same",
            isConfiguration: true),
        Flag(
            "blobs-endpoint", .value("URL"),
            "the address of the S3 server, as https://host:9000 (default: Amazon's of the region)",
            isConfiguration: true),
        Flag(
            "blobs-region", .value("NAME"),
            "the region of the bucket (default: us-east-1)", isConfiguration: true),
        Flag(
            "blobs-credentials-file", .value("FILE"),
            "a file with the key for it, as lines aws_access_key_id = ID and aws_secret_access_key = "
                + "SECRET (default: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY of the environment)",
            isConfiguration: true),
    ]

    static let verify = CommandDescription(
        "verify", access: .files,
        summary: "read and verify all data, and report what is damaged",
        about: """
            Reads every message, event, note, conversation and attachment and verifies its checksum;
            nothing is changed. Works on a data directory, also while the server runs, on a backup, and
            on a database, also while servers use it, or on a standby of it. Names each damaged item in a line, then prints how much was read, and which keys
            encrypt the secrets; those keys are not needed here.
            Ends with code 0 when nothing is damaged, 1 when something is, 2 when there is nothing
            to read.
            """,
        flags: [data] + database + blobs,
        examples: [
            "frontdesk verify --data /var/lib/frontdesk",
            "frontdesk verify --database postgresql://frontdesk@127.0.0.1/frontdesk",
        ])

    static let backup = CommandDescription(
        "backup", access: .serverOrStore, arguments: "DIR",
        summary: "write a snapshot of all data, and verify the copy",
        about: """
            Creates the directory DIR, which must not exist yet: the database, the attachments that
            it references, and a description of both. Works while the server runs and interrupts
            nothing. The copy is read completely before it gets its name; a damaged one keeps the
            name DIR.damaged. It contains no certificate and no key file, so not what decrypts its
            secrets. A database is refused: PostgreSQL's own programs back it up.
            """,
        flags: anyStore, examples: ["frontdesk backup /backups/monday --data /var/lib/frontdesk"],
        takesPaths: true)

    static let restore = CommandDescription(
        "restore", access: .store, arguments: "BACKUP",
        summary: "copy a backup into an empty data directory",
        about: """
            Verifies the backup, copies it into the data directory, which must be empty or missing, and
            verifies the copy. Programs that follow streams get a reset. A database is refused:
            PostgreSQL's own programs restore it.
            """,
        flags: [data] + database,
        examples: ["frontdesk restore /backups/monday --data /var/lib/frontdesk"])

    static let move = CommandDescription(
        "move", access: .store,
        summary: "move all data from a directory into a database, or back",
        about: """
            Copies every row and attachment into an empty PostgreSQL database, or from one into an
            empty directory, and compares each row with what it was. No server may run on either.
            Positions, numbers, passwords, keys and links stay as they are; rules and deliveries go
            on where they were. Programs that follow streams get a reset, and the search index is
            built again. Interrupted, the same command goes on. Afterwards the data is served from
            its new place alone: what was left behind is refused by name, and may be removed.
            With --blobs the attachments go into that bucket, or come out of it.
            """,
        flags: [
            Flag(
                "to", .value("URL|DIR"),
                "where the data goes: a database as postgresql://user@host/name, or a directory"),
            Flag(
                "accept-damage", .onOrOff,
                "move also what was damaged before, which is named"),
        ] + anyStore + blobs,
        examples: [
            "frontdesk move --data /var/lib/frontdesk --to postgresql://frontdesk@db.example/frontdesk",
            "frontdesk move --database postgresql://frontdesk@db.example/frontdesk --to /var/lib/frontdesk-2",
        ])

    static let epochBegin = CommandDescription(
        "epoch begin", access: .serverOrStore,
        summary: "have readers begin anew, after a database was restored",
        about: """
            For a database that PostgreSQL's own programs have restored to an earlier moment, before a
            server is started on it: programs that follow streams get a reset, since a cursor of before
            names something else now. Servers that run on the database end with code 71.
            """,
        flags: anyStore,
        examples: ["frontdesk epoch begin --database postgresql://frontdesk@127.0.0.1/frontdesk"])

    static let export = CommandDescription(
        "export", access: .serverOrStore, arguments: "FILE|-",
        summary: "write a snapshot of all data as lines of JSON",
        about: """
            Writes businesses, links, people, templates, attachments, conversations, notes, messages
            and events to FILE, or with - to standard output: a line of JSON each, the payloads byte
            for byte, the attachments as base64 within. The last line has counts and a SHA-256 over
            everything before it. Works while the server runs and interrupts nothing; a program that
            reads from - is disconnected when it accepts nothing for 10 seconds. A database is read in
            one long transaction, which slows busy servers down: name a standby of it if there is one.
            It contains no password, session, key or code. At a damaged item it ends with code 1.
            With --as it asks a server that runs, with a key, for one table of a business as csv or jsonl: a
            row a line, always the same columns, for spreadsheets and columnar files.
            """,
        flags: [
            Flag(
                "as", .value("WORD"), "a table as csv or jsonl instead of the snapshot",
                choices: ["csv", "jsonl"]),
            Flag(
                "table", .value("NAME"),
                "customers, conversations, messages or notes (default: messages)",
                choices: ["customers", "conversations", "messages", "notes"]),
            Flag("business", .value("NAME|ID"), "whose table it is"),
            Flag("since", .value("TIME"), "only what is from this day or moment on"),
            Flag("until", .value("TIME"), "only what is before this day or moment"),
            server, key, keyFile,
        ] + anyStore + blobs,
        examples: [
            "frontdesk export messages.csv --as csv --since 2026-01-01 --server https://desk.example --key-file key",
            "frontdesk export /backups/monday.jsonl --data /var/lib/frontdesk",
            "frontdesk export - | xz > monday.jsonl.xz",
        ])

    static let importing = CommandDescription(
        "import", access: .store, arguments: "FILE|-",
        summary: "create a store from an export, or add an export's messages to one",
        about: """
            Creates an exact copy of the exported data in the data directory, which must be empty or
            missing: positions and numbers are the same, the epoch is a new one. The copy is built
            separately, verified, and moved into place at once; a truncated or changed file is refused
            with its line, and leaves nothing behind. People need new passwords, programs new keys.
            With --database the copy is made in a database whose schema has no tables yet, in one
            transaction: no server starts on it before the end.
            With --merge missing messages are added to a store that has data, as if they were sent just
            now; its own data stays. No server may run on a data directory meanwhile; those of a database
            may. A second merge of a file adds nothing.
            With --from it imports what another system has, over the API of a server that runs, with a key:
            customers, conversations, messages, labels, templates. Nothing is sent to customers, and a second
            import of a file adds nothing. docs/import.md says what becomes of what.
            """,
        flags: [
            Flag("merge", .onOrOff, "add missing messages to a store that has data"),
            Flag(
                "from", .value("SYSTEM"),
                "chatwoot: answers of its API, one after the other; jsonl: lines of JSON",
                choices: ["chatwoot", "jsonl"]),
            Flag("business", .value("NAME|ID"), "the business that gets it"),
            Flag(
                "source", .value("NAME"),
                "what the system is called here; part of the names of what is imported (default: chatwoot "
                    + "or import)"),
            Flag("dry-run", .onOrOff, "import nothing, and say what would be imported"),
            server, key, keyFile,
        ] + anyStore,
        examples: [
            "frontdesk import monday.jsonl --data /var/lib/frontdesk",
            "xz -dc monday.jsonl.xz | frontdesk import -",
            "frontdesk import monday.jsonl --database postgresql://frontdesk@127.0.0.1/frontdesk",
            "frontdesk import answers.json --from chatwoot --dry-run --server https://desk.example --key-file key",
        ])
}
