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

    /// What opens a store, wherever it is.
    static let anyStore =
        store + [
            Flag(
                "database", .value("URL"),
                "a PostgreSQL database that has the data instead of the directory, as postgresql://user@host/name; "
                    + "any number of servers may use it at once", isConfiguration: true),
            Flag(
                "database-password-file", .value("FILE"),
                "a file whose first line is the password for the database (default: where libpq looks, "
                    + "such as PGPASSFILE)", isConfiguration: true),
        ]

    static let verify = CommandDescription(
        "verify", access: .files,
        summary: "read and verify all data, and report what is damaged",
        about: """
            Reads every message, event, note, conversation and attachment and verifies its checksum;
            nothing is changed. Works on a data directory, also while the server runs, and on a
            backup. Names each damaged item in a line, then prints how much was read, and which keys
            encrypt the secrets; those keys are not needed here.
            Ends with code 0 when nothing is damaged, 1 when something is, 2 when there is nothing
            to read.
            """,
        flags: [data], examples: ["frontdesk verify --data /var/lib/frontdesk"])

    static let backup = CommandDescription(
        "backup", access: .serverOrStore, arguments: "DIR",
        summary: "write a snapshot of all data, and verify the copy",
        about: """
            Creates the directory DIR, which must not exist yet: the database, the attachments that
            it references, and a description of both. Works while the server runs and interrupts
            nothing. The copy is read completely before it gets its name; a damaged one keeps the
            name DIR.damaged. It contains no certificate and no key file, so not what decrypts its
            secrets.
            """,
        flags: store, examples: ["frontdesk backup /backups/monday --data /var/lib/frontdesk"],
        takesPaths: true)

    static let restore = CommandDescription(
        "restore", access: .store, arguments: "BACKUP",
        summary: "copy a backup into an empty data directory",
        about: """
            Verifies the backup, copies it into the data directory, which must be empty or missing, and
            verifies the copy. Programs that follow streams get a reset.
            """,
        flags: [data], examples: ["frontdesk restore /backups/monday --data /var/lib/frontdesk"])

    static let export = CommandDescription(
        "export", access: .serverOrStore, arguments: "FILE|-",
        summary: "write a snapshot of all data as lines of JSON",
        about: """
            Writes businesses, links, people, templates, attachments, conversations, notes, messages
            and events to FILE, or with - to standard output: a line of JSON each, the payloads byte
            for byte, the attachments as base64 within. The last line has counts and a SHA-256 over
            everything before it. Works while the server runs and interrupts nothing; a program that
            reads from - is disconnected when it accepts nothing for 10 seconds.
            It contains no password, session, key or code. At a damaged item it ends with code 1.
            """,
        flags: store,
        examples: [
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
            With --merge, and no server running, missing messages are added to a store that has data,
            as if they were sent just now; its own data stays. A second merge of a file adds nothing.
            """,
        flags: [
            Flag("merge", .onOrOff, "add missing messages to a store that has data")
        ] + store,
        examples: [
            "frontdesk import monday.jsonl --data /var/lib/frontdesk",
            "xz -dc monday.jsonl.xz | frontdesk import -",
        ])
}
