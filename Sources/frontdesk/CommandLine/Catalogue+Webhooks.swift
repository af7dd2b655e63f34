import DeskCommandLine

/// The commands for programs that receive webhooks.
extension Catalogue {
    static let listen = CommandDescription(
        "listen",
        summary: "post a server's events to a local program, signed as webhooks",
        about: """
            Follows the event stream of a server and posts each event to a program on this machine, one
            after the other, signed as Standard Webhooks 1.0 says: what works here works as an endpoint.
            Prints a line an event with the receiver's answer. A receiver that is away is tried again for
            about a minute; an event that it refuses is not sent again. SIGINT ends it.
            """,
        flags: [
            Flag("forward-to", .value("URL"), "the program's address"),
            server, key, keyFile,
            Flag(
                "events", .values("TYPE"),
                "only events of these types; may be given several times, or separated by commas"),
            secretFile,
            Flag("after", .value("ID"), "begin behind this event (default: now)"),
        ],
        examples: [
            "frontdesk listen --server https://desk.example --key-file key --forward-to http://127.0.0.1:3000/hook",
            "frontdesk listen --forward-to http://127.0.0.1:3000/hook --events message.accepted",
        ])

    static let trigger = CommandDescription(
        "trigger", arguments: "TYPE",
        summary: "send a test event to endpoints or to a local program",
        about: """
            Sends the example of a type of event. With --forward-to it is posted to a program on this
            machine, signed, and no server is needed. With --server the server posts it to each of its
            endpoints that wants the type, as a test event. Ends with 0 when every receiver answered
            2xx, with 1 when one did not or none wants the type.
            """,
        flags: [
            Flag("forward-to", .value("URL"), "the address of a local program"),
            secretFile, server, key, keyFile,
            Flag("business", .value("NAME|ID"), "only endpoints of this business"),
            Flag(
                "schemas", .value("DIR"), "the folder of the schemas (default: beside the program)"
            ),
        ],
        examples: [
            "frontdesk trigger message.accepted --forward-to http://127.0.0.1:3000/hook",
            "frontdesk trigger conversation.closed --server https://desk.example --key-file key",
        ])

    static let server = Flag(
        "server", .value("URL"), "the address of the server", isConfiguration: true)
    static let key = Flag(
        "key", .value("KEY"), "an API key of it; for the environment", isConfiguration: true)
    static let keyFile = Flag(
        "key-file", .value("FILE"), "a file with the key instead", isConfiguration: true)
    private static let secretFile = Flag(
        "secret-file", .value("FILE"),
        "a file with the whsec_ or whsk_ to sign with (default: a new one, which is printed)")
}
