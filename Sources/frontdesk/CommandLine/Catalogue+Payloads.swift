import DeskCommandLine

/// The commands that look at payloads; they need no server.
extension Catalogue {
    private static let schemas = Flag(
        "schemas", .value("DIR"), "the folder of the schemas (default: beside the program)",
        isConfiguration: true)

    static let lint = CommandDescription(
        "lint", arguments: "FILE|DIR…",
        summary: "judge payload files with the server's own rules",
        about: """
            Judges JSON payloads as a send would. Of a folder, every *.json at any depth is judged,
            except names that begin with a dot, symbolic links, and NAME.expected.json beside a
            NAME.json. A dash stands for standard input.

            Exit code 0: nothing to complain about, or only warnings, with which a send takes the
            message; 1: at least one error; 2: the command line was wrong, or a file could not be
            read.

            Settings come from the nearest .frontdesk-lint.json in or above a file's folder; the
            command line wins. "frontdesk schema show lint-settings" describes that file.
            """,
        flags: [
            Flag("profile", .value("PROFILE"), "strict or lenient (default: strict)"),
            Flag(
                "direction", .value("DIRECTION"),
                "outbound (business to customer), inbound, or auto: each file by what it says of "
                    + "its ends, by the shape of its answer, or by a folder named inbound or "
                    + "outbound (default: outbound)"),
            Flag(
                "kind", .value("KIND"),
                "message; what a schema of another name describes, such as template or "
                    + "callback/payment-gateway-request; or auto: each file by its $schema, else by "
                    + "a folder of that name, else a message (default: message)"),
            Flag(
                "mode", .value("MODE"),
                "live or test: the kind of business that sends (default: live)"),
            Flag(
                "capabilities", .value("LIST"),
                "what the customer's device announces, such as LIST,TIME,QUICK (default: not "
                    + "known)"),
            Flag(
                "references", .value("WHETHER"),
                "taken or refused: whether the recipient accepts answers that come by "
                    + "reference, being over 10 KB (default: taken)"),
            Flag(
                "source-id", .value("ID"),
                "the sender that the envelope has to agree with (default: any)"),
            Flag(
                "destination-id", .value("ID"),
                "the receiver that the envelope has to agree with (default: any)"),
            Flag(
                "now", .value("TIME"),
                "the moment of judgement, such as 2026-06-01T00:00:00Z (default: the clock)"),
            Flag(
                "warnings", .value("WHETHER"),
                "allow, or error: a warning alone lets the lint fail too (default: allow)"),
            Flag(
                "format", .value("FORMAT"),
                "text; json, an object a line for each file; github, which annotates a pull "
                    + "request; or sarif (default: text)"),
            Flag(
                "fix", .onOrOff,
                "write the fixes that need no thought into the files; with a dash, the fixed "
                    + "text to standard output"),
            schemas,
        ],
        examples: [
            "frontdesk lint drafts", "frontdesk lint --direction auto --format github drafts",
            "frontdesk lint - < drafts/hello.json",
            "frontdesk lint --fix drafts/hello.json",
        ])

    static let explain = CommandDescription(
        "explain", arguments: "[RULE]",
        summary: "print what a rule is about, or list all rules",
        about: """
            Prints a rule's page: what it asks for, a wrong and a right payload, and why. Without a
            rule it lists all of them, with their severity in both profiles.
            """,
        examples: ["frontdesk explain", "frontdesk explain slot-not-utc"])

    static let doctor = CommandDescription(
        "doctor", arguments: "FILE",
        summary: "find and repair wrong encodings",
        about: """
            Looks for what happens to bytes on their way into a payload: hex where base64 belongs,
            base64 of hex, base64url, addresses encoded twice, JSON cut out of a log, gzip left
            packed, UTF-16, typographic quotation marks, a byte order mark, and their like. Says
            what it found and where, and shows the repaired value. A dash stands for standard
            input.

            Exit code 0: nothing found, or all of it repaired with --write; 1: something was
            found; 2: the command line was wrong, or the file could not be read.
            """,
        flags: [
            Flag(
                "write", .onOrOff,
                "write the repaired text into the file; with a dash, to standard output"),
            Flag("format", .value("FORMAT"), "text or json (default: text)"),
        ],
        examples: [
            "frontdesk doctor drafts/hello.json", "frontdesk doctor - < drafts/hello.json",
            "frontdesk doctor --write drafts/hello.json",
        ])

    static let schemaList = CommandDescription(
        "schema list",
        summary: "list the schemas of all kinds of messages, and of what goes with them",
        about: """
            Lists the schemas: direction, kind, and what each one describes. What has no direction
            is no message: call-backs of a payment, what a gateway answers, templates, messages as
            written from 2017 to 2020. "frontdesk lint --kind KIND" judges such files.
            """,
        flags: [
            Flag("direction", .value("DIRECTION"), "only outbound or only inbound ones"),
            schemas,
        ],
        examples: ["frontdesk schema list --direction outbound"])

    static let schemaShow = CommandDescription(
        "schema show", arguments: "KIND",
        summary: "print the schema of one kind",
        about: """
            Prints a JSON Schema (draft 2020-12). KIND is a name of "frontdesk schema list"; a
            customer's reply may be named by what it answers.
            """,
        flags: [
            Flag(
                "direction", .value("DIRECTION"),
                "outbound or inbound (default: outbound)"),
            schemas,
        ],
        examples: [
            "frontdesk schema show list-picker",
            "frontdesk schema show list-picker --direction inbound",
        ])
}
