import DeskStore

/// Why a database cannot be used, and what to do, in words for the terminal.
enum DatabaseFailure {
    /// The sentence for what opening it threw.
    static func failure(_ error: StoreError, at address: DatabaseAddress) -> Installation.Failure {
        switch error.code {
        case .unavailable where error.detail == "postgres 42501":
            Installation.Failure(
                "the database cannot be used: its role may not use the tables that are there",
                hint: "name the role that made them: only it may change them in an upgrade")
        case .unavailable:
            Installation.Failure(
                "the database cannot be reached: \(StoreFailure.words(error))",
                hint: hint(error.detail))
        case .refused where error.detail.hasPrefix("postgres "):
            Installation.Failure("the database cannot be used: \(StoreFailure.words(error))")
        case .refused:
            Installation.Failure(error.detail)
        case .tooNew:
            Installation.Failure(
                "the database was made by a newer version of Frontdesk (\(error.detail))",
                hint: "run that version, or name another database or schema")
        case .keyMissing:
            Installation.Failure(
                "the database cannot be opened: \(error.detail)",
                hint: "every node needs the same keys: copy the file of another node, or name it "
                    + "with --encryption-key-file; when no copy is left: frontdesk secrets forget")
        case .full:
            Installation.Failure(
                "the disk of the database is full", hint: "make room, then start again")
        case .busy, .failed, .unknown, .closed, .damaged, .overloaded, .superseded:
            Installation.Failure("the database cannot be opened: \(StoreFailure.words(error))")
        }
    }

    /// The sentence for what reading it alone threw.
    static func reading(
        _ error: StoreError, at address: DatabaseAddress
    ) -> Installation.Failure {
        guard error.code == .tooNew else { return failure(error, at: address) }
        return Installation.Failure("the database cannot be read: \(error.detail)")
    }

    /// Refuses a database to a command that copies a data directory.
    static func requireNone(_ address: DatabaseAddress?) throws(Installation.Failure) {
        guard address != nil else { return }
        throw Installation.Failure(
            "a database is backed up and restored by PostgreSQL's own programs",
            hint: "docs/scale-out.md, Backup and restore, has the commands")
    }

    /// Pieces of what libpq and the server say, in English, and what to do.
    private static let hints: [(piece: String, hint: String)] = [
        (
            "could not translate host name",
            "the name resolves to no address: look for a slip in it, or ask getent hosts NAME"
        ),
        (
            "password authentication failed",
            "put the role's password into a file and name it with --database-password-file or PGPASSFILE"
        ),
        (
            "no password supplied",
            "put the role's password into a file and name it with --database-password-file or PGPASSFILE"
        ),
        ("does not support SSL", "turn ssl on in postgresql.conf, or say sslmode=prefer"),
        (
            "root certificate file",
            "name the file with the database's certificate authority with sslrootcert"
        ),
        (
            "certificate verify failed",
            "name the file with the database's certificate authority with sslrootcert"
        ),
        (
            "no pg_hba.conf entry",
            "allow this machine and role in the server's pg_hba.conf, then reload it"
        ),
        ("does not exist", "make it: createuser --pwprompt NAME, then createdb --owner=NAME NAME"),
        (
            "session is read-only",
            "no server among those in the address is a primary: wait for the failover, or add its host"
        ),
        ("Connection refused", "is the server running there, and does listen_addresses name it?"),
        ("No such file or directory", "is the server running, and is that its folder of sockets?"),
        (
            "timeout expired",
            "is the server running there, and does a firewall let this machine in?"
        ),
        (
            "too many clients",
            "a node needs 12 connections: raise max_connections of the server"
        ),
        ("remaining connection slots", "a node needs 12 connections: raise max_connections"),
        ("is not permitted to log in", "let the role log in: ALTER ROLE NAME LOGIN"),
        (
            "postgres 25006",
            "the server only reads: name the primary, or set default_transaction_read_only off"
        ),
        (
            "postgres 42501",
            "the role may not use its tables any more: GRANT ALL ON ALL TABLES IN SCHEMA NAME TO the role"
        ),
        (
            "postgres 42P01",
            "the tables are not where the role looks: is its schema there, and in its search path?"
        ),
    ]

    /// What to do about what libpq and the server say; nil where that is not known.
    static func hint(_ detail: String) -> String? {
        hints.first { detail.contains($0.piece) }?.hint
    }
}
