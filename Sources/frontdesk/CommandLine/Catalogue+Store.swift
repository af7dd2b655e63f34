import DeskCommandLine

/// The commands that look after the data as a whole.
extension Catalogue {
    static let data = Flag(
        "data", .value("DIR"), "the data directory (default: data)", isConfiguration: true)

    static let verify = CommandDescription(
        "verify",
        summary: "read all data through and name what is damaged",
        about: """
            Reads every message, event, note, conversation and attachment and verifies it by its check
            sum; nothing is changed. Works on a data directory, also while the server runs, and on a
            backup. Names each damaged thing in a line, then says how much was read.
            Ends with code 0 when all is whole, 1 when something is damaged, 2 when there is nothing
            to read.
            """,
        flags: [data], examples: ["frontdesk verify --data /var/lib/frontdesk"])

    static let backup = CommandDescription(
        "backup", arguments: "DIR",
        summary: "copy all data as one moment has it, and verify the copy",
        about: """
            Makes the directory DIR, which must not be there yet: the database, the attachments that
            it names, and a note of what they were. Works while the server runs and stops nothing.
            The copy is read through before it gets its name; one that is not whole keeps the name
            DIR.damaged. It holds no certificate and no key file.
            """,
        flags: [data], examples: ["frontdesk backup /backups/monday --data /var/lib/frontdesk"],
        takesPaths: true)

    static let restore = CommandDescription(
        "restore", arguments: "BACKUP",
        summary: "put a backup into an empty data directory",
        about: """
            Verifies the backup, copies it into the data directory, which must be empty or missing, and
            verifies the copy. Programs that follow streams get a reset.
            """,
        flags: [data], examples: ["frontdesk restore /backups/monday --data /var/lib/frontdesk"])

    static let export = CommandDescription(
        "export", arguments: "FILE|-",
        summary: "write all data as lines of JSON, as one moment has it",
        about: """
            Writes businesses, links, people, templates, attachments, conversations, notes, messages
            and events to FILE, or with - to standard output: a line of JSON each, the payloads byte
            for byte, the attachments as base64 within. The last line has counts and a SHA-256 over
            everything before it. Works while the server runs and stops nothing; what reads from -
            is cut off when it takes nothing for 10 seconds.
            No password, session, key or code is in it. What is damaged ends it with code 1.
            """,
        flags: [data],
        examples: [
            "frontdesk export /backups/monday.jsonl --data /var/lib/frontdesk",
            "frontdesk export - | xz > monday.jsonl.xz",
        ])

    static let importing = CommandDescription(
        "import", arguments: "FILE|-",
        summary: "make a store of an export, or add an export's messages to one",
        about: """
            Makes an exact copy of what was exported in the data directory, which must be empty or
            missing: positions and numbers are the same, the epoch is a new one. The copy is made
            aside, verified, and put in place at once; what is cut off or changed is refused with its
            line, and leaves nothing. People need new passwords, programs new keys.
            With --merge, and no server running, a store that has data takes the messages that it
            lacks, as if they were sent just now; what it has stays. Taking a file twice adds nothing.
            """,
        flags: [
            Flag("merge", .onOrOff, "add the messages that are missing to a store that has data"),
            data,
        ],
        examples: [
            "frontdesk import monday.jsonl --data /var/lib/frontdesk",
            "xz -dc monday.jsonl.xz | frontdesk import -",
        ])
}
