import DeskCommandLine
import DeskTranslate

/// The commands that look at payloads; they need no server.
extension Catalogue {
    private static let schemas = Flag(
        "schemas", .value("DIR"), "the folder of the schemas (default: beside the program)",
        isConfiguration: true)

    static let lint = CommandDescription(
        "lint", arguments: "FILE|DIR…",
        summary: "check payload files against the server's own rules",
        about: """
            Checks JSON payloads as a send would. In a folder, every *.json at any depth is checked,
            except names that begin with a dot, symbolic links, and NAME.expected.json beside a
            NAME.json. A dash is standard input.

            Exit code 0: no findings, or only warnings, with which a send accepts the
            message; 1: at least one error; 2: the command line was wrong, or a file could not be
            read.

            Settings come from the nearest .frontdesk-lint.json in or above a file's folder; the
            command line wins. "frontdesk schema show lint-settings" describes that file.
            """,
        flags: [
            Flag(
                "profile", .value("PROFILE"), "strict or lenient (default: strict)",
                choices: ["strict", "lenient"]),
            Flag(
                "direction", .value("DIRECTION"),
                "outbound (business to customer), inbound, or auto: each file by its "
                    + "addresses, by the shape of its answer, or by a folder named inbound or "
                    + "outbound (default: outbound)", choices: ["outbound", "inbound", "auto"]),
            Flag(
                "kind", .value("KIND"),
                "message; the name of a schema for another document, such as template or "
                    + "callback/payment-gateway-request; or auto: each file by its $schema, else by "
                    + "a folder of that name, else a message (default: message)"),
            Flag(
                "mode", .value("MODE"),
                "live or test: the kind of business that sends (default: live)",
                choices: ["live", "test"]),
            Flag(
                "capabilities", .value("LIST"),
                "what the customer's device announces, such as LIST,TIME,QUICK (default: not "
                    + "known)"),
            Flag(
                "references", .value("WHETHER"),
                "taken or refused: whether the receiver of answers accepts them by reference, "
                    + "which is how those over 10 KB arrive (default: taken)",
                choices: ["taken", "refused"]),
            Flag(
                "source-id", .value("ID"),
                "the sender that the envelope has to agree with (default: any)"),
            Flag(
                "destination-id", .value("ID"),
                "the receiver that the envelope has to agree with (default: any)"),
            Flag(
                "now", .value("TIME"),
                "the time that the rules compare with, such as 2026-06-01T00:00:00Z (default: "
                    + "the clock)"),
            Flag(
                "warnings", .value("WHETHER"),
                "allow, or error: a warning is enough for exit code 1 (default: allow)",
                choices: ["allow", "error"]),
            Flag(
                "format", .value("FORMAT"),
                "text; json, an object a line for each file; github, which annotates a pull "
                    + "request; or sarif (default: text)",
                choices: ["text", "json", "github", "sarif"]),
            Flag(
                "fix", .onOrOff,
                "write the mechanical fixes into the files; with a dash, the fixed "
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
        summary: "print the page of a rule, or list all rules",
        about: """
            Prints a rule's page: what it requires, a wrong and a right payload, and why. Without a
            rule it lists all of them, with their severity in both profiles.
            """,
        examples: ["frontdesk explain", "frontdesk explain slot-not-utc"])

    static let doctor = CommandDescription(
        "doctor", arguments: "FILE",
        summary: "find and repair wrong encodings",
        about: """
            Looks for encoding errors in a payload: hex where base64 belongs,
            base64 of hex, base64url, addresses encoded twice, JSON cut out of a log, gzip still
            compressed, UTF-16, typographic quotation marks, a byte order mark, and others. Reports
            each with its place, and shows the repaired value. A dash is standard
            input.

            Exit code 0: nothing found, or all of it repaired with --write; 1: something was
            found; 2: the command line was wrong, or the file could not be read.
            """,
        flags: [
            Flag(
                "write", .onOrOff,
                "write the repaired text into the file; with a dash, to standard output"),
            Flag(
                "format", .value("FORMAT"), "text or json (default: text)",
                choices: ["text", "json"]),
        ],
        examples: [
            "frontdesk doctor drafts/hello.json", "frontdesk doctor - < drafts/hello.json",
            "frontdesk doctor --write drafts/hello.json",
        ])

    static let translate = CommandDescription(
        "translate", arguments: "FILE…",
        summary: "write a message as another vendor's channel does",
        about: """
            Translates messages that a business sends between Messages for Business and WhatsApp Cloud API, RCS
            Business Messaging, LINE, Slack and Telegram, or between two of these. The result goes to standard
            output, what is lost goes to standard error: each place of the file with the reason. A
            dash is standard input.

            Exit code 0: translated, with or without losses; 1: a file is not a message of its
            shape, or nothing of it can be shown; 2: the command line was wrong, or a file could not be
            read.
            """,
        flags: [
            Flag(
                "from", .value("SHAPE"),
                "the shape of the file: messages-for-business, whatsapp, rcs, line, slack or "
                    + "telegram", choices: Shape.allCases.map(\.rawValue)),
            Flag(
                "to", .value("SHAPE"), "the shape of the result",
                choices: Shape.allCases.map(\.rawValue)),
            Flag(
                "format", .value("FORMAT"),
                "text; or json: a line for each file with message, losses, additions and findings "
                    + "(default: text)", choices: ["text", "json"]),
            schemas,
        ],
        examples: [
            "frontdesk translate --from messages-for-business --to whatsapp drafts/hello.json",
            "frontdesk translate --from messages-for-business --to slack - < drafts/hello.json",
        ])

    static let schemaList = CommandDescription(
        "schema list",
        summary: "list the schemas of all kinds of messages, and of other documents",
        about: """
            Lists the schemas: direction, kind, and what each one describes. Schemas without a
            direction are for other documents: callbacks of a payment, answers of a gateway,
            templates, messages as written from 2017 to 2020. "frontdesk lint --kind KIND" checks
            such files.
            """,
        flags: [
            Flag(
                "direction", .value("DIRECTION"), "only outbound or only inbound ones",
                choices: ["outbound", "inbound"]),
            schemas,
        ],
        examples: ["frontdesk schema list --direction outbound"])

    static let schemaShow = CommandDescription(
        "schema show", arguments: "KIND",
        summary: "print the schema of one kind",
        about: """
            Prints a JSON Schema (draft 2020-12). KIND is a name of "frontdesk schema list"; a
            customer's reply may be named by the kind that it answers.
            """,
        flags: [
            Flag(
                "direction", .value("DIRECTION"),
                "outbound or inbound (default: outbound)", choices: ["outbound", "inbound"]),
            schemas,
        ],
        examples: [
            "frontdesk schema show list-picker",
            "frontdesk schema show list-picker --direction inbound",
        ])
}
