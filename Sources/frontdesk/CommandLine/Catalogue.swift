import DeskCommandLine
import DeskModel

/// Every command there is.
enum Catalogue {
    static let serve = CommandDescription(
        "serve", access: .serves,
        summary: "run the server",
        about: """
            Runs Frontdesk: the console, the sandbox, the customers' page and the API, with all data
            in one directory. Prints its addresses, and one-time links only on a terminal,
            then runs until it gets SIGTERM or SIGINT.
            """,
        flags: [
            Flag(
                "listen", .value("HOST:PORT"),
                "where to listen; port 0 picks one (default: 127.0.0.1:8080)",
                isConfiguration: true)
        ] + anyStore + blobs + assistant + signOn + mail + [
            Flag(
                "public-url", .value("URL"),
                "the public address of this server, for links and QR codes (default: the address "
                    + "listened on)", isConfiguration: true),
            Flag(
                "sandbox", .onOrOff,
                "offer the sandbox (by itself on where only this machine can reach it; =off turns "
                    + "it off)", isConfiguration: true),
            Flag(
                "private-endpoints", .onOrOff,
                "allow providers and upstream gateways at private addresses such as this machine's "
                    + "(by itself on where only this machine can reach it)", isConfiguration: true),
            Flag(
                "name", .value("NAME"),
                "the name of the business that the first start creates (default: My business)",
                isConfiguration: true),
            Flag(
                "web", .value("DIR"), "the folder of the pages (default: beside the program)",
                isConfiguration: true),
            Flag(
                "schemas", .value("DIR"), "the folder of the schemas (default: beside the program)",
                isConfiguration: true),
            Flag(
                "port-file", .value("FILE"), "write the port there once it is open",
                isConfiguration: true),
            Flag(
                "tls-cert", .value("FILE"),
                "certificate chain (PEM); SIGHUP reads it again", isConfiguration: true),
            Flag("tls-key", .value("FILE"), "its private key (PEM)", isConfiguration: true),
            Flag(
                "limit", .values("NAME=VALUE"),
                "change one of the limits; may be given several times, in the environment "
                    + "separated by commas", isConfiguration: true,
                choices: limitBeginnings),
            Flag(
                "trusted-proxy", .values("ADDRESS/BITS"),
                "a proxy whose X-Forwarded-For or Forwarded names the client; may be given several "
                    + "times, in the environment separated by commas", isConfiguration: true),
            Flag(
                "metrics-from", .values("ADDRESS/BITS"),
                "who may read /metrics beside this machine; may be given several times, in the "
                    + "environment separated by commas", isConfiguration: true),
            Flag(
                "push-service", .values("HOST"),
                "a push service that customers' browsers may be notified of answers by, beside those of "
                    + "the known browsers; may be given several times, in the environment separated by "
                    + "commas", isConfiguration: true),
            Flag(
                "log-level", .value("LEVEL"), "debug, info, warning or error (default: info)",
                isConfiguration: true, choices: logLevels),
            Flag(
                "check", .onOrOff,
                "start nothing: read the configuration, and say what would keep a server from starting"
            ),
        ],
        examples: [
            "frontdesk serve",
            "frontdesk serve --listen 0.0.0.0:8080 --public-url http://192.168.1.20:8080 --sandbox",
            "FRONTDESK_LISTEN=:443 frontdesk serve --tls-cert chain.pem --tls-key key.pem",
            "frontdesk serve --check --data /var/lib/frontdesk",
        ])

    /// What `--log-level` accepts.
    static let logLevels = ["debug", "info", "warning", "error"]

    static let keyCreate = CommandDescription(
        "key create", access: .serverOrStore,
        summary: "create an API key; its secret is shown once",
        about: """
            Creates a key for programs. Its secret is printed once and stored only as a hash.
            """,
        flags: [
            Flag("name", .value("NAME"), "the name of the key"),
            Flag(
                "business", .values("NAME|ID"),
                "a business that it may act for; may be given several times, all live or all test"),
            Flag(
                "scope", .values("WORD"),
                "what it may do: \(KeyScopes.named.map(\.name).joined(separator: ", ")); may be given "
                    + "several times (default: all but administration, people and wire_log)",
                choices: KeyScopes.named.map(\.name)),
            Flag(
                "address", .values("ADDRESS|NETWORK"),
                "where it may be used from, such as 192.0.2.0/24; may be given several times"),
            Flag(
                "expires", .value("TIME"), "from when it is refused, such as 2027-07-30T00:00:00Z"),
        ] + anyStore,
        examples: [
            "frontdesk key create --name shop --business \"My business\"",
            "frontdesk key create --name reports --business Shop --scope read "
                + "--expires 2027-07-30T00:00:00Z",
        ])

    static let keyList = CommandDescription(
        "key list", access: .serverOrStore, summary: "list the API keys",
        about: """
            Lists the API keys: id, name, businesses, when created, when used.
            Keys that were revoked more than 90 days ago are left out.
            """, flags: anyStore)

    static let keyRevoke = CommandDescription(
        "key revoke", access: .serverOrStore, arguments: "ID", summary: "revoke an API key at once",
        about: """
            Revokes a key; the next request with it is refused, and its streams end.
            With --business it is refused for this business only.
            """,
        flags: [
            Flag("business", .value("NAME|ID"), "only for this business")
        ] + anyStore,
        examples: ["frontdesk key revoke 3f0c9f0e-6a3b-4d0c-9b1e-2a4f5c6d7e8f"])

    static let ownerLink = CommandDescription(
        "owner link", access: .serverOrStore,
        summary: "print a new one-time link for an owner",
        about: """
            Prints a link to the console that works once, for 24 hours. While there is no owner it
            creates the first one; afterwards it lets an owner set a new password.
            """,
        flags: [
            Flag("email", .value("ADDRESS|ID"), "the owner, when there are several"),
            Flag(
                "public-url", .value("URL"),
                "the address of the console (default: the one that the server runs with)",
                isConfiguration: true),
        ] + anyStore)

    static let sandboxLink = CommandDescription(
        "sandbox link", access: .server,
        summary: "print the link that opens the sandbox",
        about: """
            Prints the link of the running server's sandbox. It is new at each start and valid until
            the server ends; with a database it opens the sandbox on all nodes, is new each day (UTC)
            and valid until the next day ends.
            """,
        flags: [data])

    static let logLevel = CommandDescription(
        "log level", access: .server, arguments: "[LEVEL]",
        summary: "show or change from which level on the server logs",
        about: """
            Without a level it says from which one on the running server logs. With debug, info, warning
            or error the server logs from that one on, at once and until it ends; nothing else changes, and
            the next start reads --log-level. Where several servers use one database, --data names the one.
            """,
        flags: [data], examples: ["frontdesk log level debug --data /var/lib/frontdesk"])

    static let limits = CommandDescription(
        "limits", summary: "list every limit with its value",
        about: """
            Lists every limit and deadline: its name, its value, what it bounds, what happens beyond it.
            With --limit, or FRONTDESK_LIMIT, the values that serve would run with.
            """,
        flags: [
            Flag(
                "limit", .values("NAME=VALUE"),
                "change one of the limits; may be given several times, in the environment "
                    + "separated by commas", isConfiguration: true,
                choices: limitBeginnings)
        ],
        examples: ["frontdesk limits --limit key-messages-burst=800"])

    /// What a value of `--limit` begins with.
    private static let limitBeginnings = LimitSetting.names.map { $0 + "=" }

    static let version = CommandDescription(
        "version", summary: "print the version",
        about: "Prints the version of this program and of the compiler that built it.")

    static let all = [
        serve, keyCreate, keyList, keyRevoke, ownerLink, sandboxLink, logLevel, gateway, simulate,
        listen, trigger, mcp,
        gatewayRegister,
        gatewayConnect, gatewayWhatsApp, gatewayList, gatewayRemove, verify, backup, restore,
        epochBegin, move,
        export, importing,
        secretsList, secretsRotate, secretsForget,
        readerList, readerReplay, ruleList, ruleStop, ruleStart, report, transcript,
        customerBlock, customerUnblock, memberList, secondFactorRemove, approvalsOff, mailTest,
        audit,
        lint, explain,
        doctor, translate, schemaList, schemaShow, limits, completionBash, manual, version,
    ]
}
