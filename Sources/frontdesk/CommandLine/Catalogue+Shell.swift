import DeskCommandLine

/// What shells and man read of this table.
extension Catalogue {
    static let completionBash = CommandDescription(
        "completion bash",
        summary: "print a script with which bash completes command lines",
        about: """
            Prints a script that completes commands, flags and the values that are known: for bash, and for
            zsh after "autoload -U +X bashcompinit && bashcompinit". make install puts it where
            bash-completion finds it.
            """,
        examples: ["source <(frontdesk completion bash)"])

    static let manual = CommandDescription(
        "manual",
        summary: "print the manual page",
        about: """
            Prints the manual page frontdesk(1) for man: all commands, flags, variables and files.
            make install puts it where man finds it.
            """,
        examples: ["frontdesk manual | man -l -"])

    /// The page, with what the table of commands does not know.
    static var manualPage: ManualPage {
        ManualPage(
            of: all, version: Version.number,
            variables: [
                (
                    "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY",
                    "the key for the bucket of --blobs, without --blobs-credentials-file"
                ),
                (
                    "PGPASSFILE and the other variables of libpq",
                    "what the address of --database leaves open"
                ),
            ],
            files: [
                ("data", "the data directory without --data, below the working directory"),
                ("data/frontdesk.sqlite", "messages, conversations, people, keys, templates"),
                ("data/blobs/", "attachments and pictures"),
                ("data/search.sqlite", "the full-text index; a start builds it again"),
                (
                    "data/encryption.key",
                    "encrypts the secrets in the database; no backup holds it, so keep a copy"
                ),
                ("data/admin.socket", "how the other commands reach the running server"),
                ("PREFIX/share/frontdesk/", "pages, schemas and documentation"),
            ],
            exits: [
                ("0", "done"),
                ("1", "it could not be done"),
                ("2", "the command line or the configuration was wrong"),
                ("70", "serve: a write or flush to disk failed"),
                ("71", "serve: the database has another log than before"),
                ("72", "serve: the database's tables were changed by a newer version"),
            ],
            others: [
                "systemd.service(5), psql(1); configuration.md, operations.md and the other pages in "
                    + "PREFIX/share/frontdesk/docs, which a running server shows at /docs"
            ])
    }
}
