import DeskCommandLine

/// The commands for tests of other people's providers.
extension Catalogue {
    static let gateway = CommandDescription(
        "gateway",
        summary: "run a gateway for a test, in memory only",
        about: """
            Runs the gateway for tests of a provider: one registration, customers who follow scripts, a
            clock that stands still until it is advanced, all data in memory. It listens on loopback
            only, needs no data directory, and prints a line when it is ready. The other commands that
            begin with "gateway" manage the providers of a running server.
            """,
        flags: [
            Flag("ephemeral", .onOrOff, "needed: the gateway stores nothing beyond its end"),
            Flag("endpoint", .value("URL"), "the provider's address; /message is appended"),
            Flag("port", .value("PORT"), "where to listen; 0 picks one (default: 0)"),
            Flag(
                "host", .value("ADDRESS"),
                "the loopback address to listen on (default: 127.0.0.1)"),
            Flag("port-file", .value("FILE"), "write the port there once it is open"),
            Flag(
                "business", .value("ID"),
                "the business id (default: \(EphemeralConfiguration.defaultBusiness))"),
            Flag(
                "msp-id", .value("ID"),
                "the provider's id (default: \(EphemeralConfiguration.defaultMSP))"),
            Flag(
                "secret", .value("BASE64"),
                "16 to 256 bytes in base64 (default: a new one, which is printed)",
                isConfiguration: true),
            Flag("secret-file", .value("FILE"), "a file with the secret instead"),
            Flag(
                "webhook", .value("URL"),
                "a program that is posted every event of the business, signed"),
            Flag(
                "webhook-secret-file", .value("FILE"),
                "a file with the whsec_ or whsk_ to sign with (default: a new one, which is printed)"
            ),
            Flag(
                "clock", .value("TIME"),
                "the clock's first time (default: \(EphemeralConfiguration.defaultStart))"),
            Flag(
                "schemas", .value("DIR"),
                "the folder of the schemas (default: beside the program)"),
            Flag("pages", .onOrOff, "serve the sandbox page too, with scripts and clock"),
            Flag(
                "web", .value("DIR"), "the folder of those pages (default: beside the program)"),
            Flag(
                "log-level", .value("LEVEL"),
                "debug, info, warning or error (default: warning)", choices: logLevels),
        ],
        examples: [
            "frontdesk gateway --ephemeral --port 0 --port-file port --endpoint http://127.0.0.1:9000"
        ])

    static let simulate = CommandDescription(
        "simulate", arguments: "SCRIPT",
        summary: "run scripted customers against a provider",
        about: """
            Runs a script of customers in an ephemeral gateway and prints a transcript: they say, pick,
            fill, pay, wait, go silent, delete and expect. The same script and seed give the
            same messages. Ends with 0 when every step succeeded, with 1 when one did not, with 2 when
            the script or the gateway cannot be used. docs/testing-a-provider.md describes scripts.
            """,
        flags: [
            Flag("gateway", .value("URL"), "where the ephemeral gateway is"),
            Flag("seed", .value("NUMBER"), "used instead of the script's seed"),
            Flag("check", .onOrOff, "only read the script and report its errors"),
        ],
        examples: ["frontdesk simulate order.txt --gateway http://127.0.0.1:43211"])
}
