import DeskCommandLine

/// The commands for tests of other people's providers.
extension Catalogue {
    static let gateway = CommandDescription(
        "gateway",
        summary: "run a gateway for a test, which forgets everything when it ends",
        about: """
            Runs the gateway for tests of a provider: one registration, customers who follow scripts, a
            clock that stands still until it is advanced, everything in memory. It listens on loopback
            only, needs no data directory, and says what it is when it is ready. The other commands that
            begin with "gateway" are about the providers of a running server.
            """,
        flags: [
            Flag("ephemeral", .onOrOff, "needed: nothing that this gateway holds outlives it"),
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
            Flag("secret-file", .value("FILE"), "a file that holds the secret instead"),
            Flag(
                "clock", .value("TIME"),
                "what the clock shows first (default: \(EphemeralConfiguration.defaultStart))"),
            Flag(
                "schemas", .value("DIR"),
                "the folder of the schemas (default: beside the program)"),
            Flag(
                "log-level", .value("LEVEL"),
                "debug, info, warning or error (default: warning)"),
        ],
        examples: [
            "frontdesk gateway --ephemeral --port 0 --port-file port --endpoint http://127.0.0.1:9000"
        ])

    static let simulate = CommandDescription(
        "simulate", arguments: "SCRIPT",
        summary: "let scripted customers write to a provider",
        about: """
            Runs a script of customers in an ephemeral gateway and prints what happened: who says, picks,
            fills, pays, waits, goes silent, deletes and expects what. The same script and seed give the
            same messages. Ends with 0 when every step was done, with 1 when one was not, with 2 when the
            script or the gateway cannot be used. docs/testing-a-provider.md describes scripts.
            """,
        flags: [
            Flag("gateway", .value("URL"), "where the ephemeral gateway is"),
            Flag("seed", .value("NUMBER"), "used instead of the script's seed"),
            Flag("check", .onOrOff, "only read the script and say what is wrong with it"),
        ],
        examples: ["frontdesk simulate order.txt --gateway http://127.0.0.1:43211"])
}
