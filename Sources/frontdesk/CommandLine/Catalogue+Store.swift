/// The commands that look after the data as a whole.
extension Catalogue {
    static let data = Flag(
        "data", .value("DIR"), "the data directory (default: data)", isConfiguration: true)

    static let verify = CommandDescription(
        "verify",
        summary: "read all data through and name what is damaged",
        about: """
            Reads every message, event, note, conversation and attachment and proves it by its check
            sum; nothing is changed. Works on a data directory, also while the server runs, and on a
            backup. Names each damaged thing in a line, then says how much was read.
            Ends with code 0 when all is whole, 1 when something is damaged, 2 when there is nothing
            to read.
            """,
        flags: [data], examples: ["frontdesk verify --data /var/lib/frontdesk"])

    static let backup = CommandDescription(
        "backup", arguments: "DIR",
        summary: "copy all data as one moment has it, and prove the copy",
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
            Proves the backup, copies it into the data directory, which must be empty or missing, and
            proves the copy. Programs that follow streams are told to begin anew.
            """,
        flags: [data], examples: ["frontdesk restore /backups/monday --data /var/lib/frontdesk"])
}
