import DeskCommandLine

/// The commands of a team's work: readers of the log, rules, reports, transcripts, customers, members.
extension Catalogue {
    static let readerList = CommandDescription(
        "reader list", access: .serverOrStore,
        summary: "list the readers of the log and how far they are",
        about: """
            Lists each reader of the log: its position, how many events it is behind, whether it may be
            replayed, and why it could not go on last, as far as the running server knows.
            """,
        flags: anyStore)

    static let readerReplay = CommandDescription(
        "reader replay", access: .serverOrStore, arguments: "NAME",
        summary: "have a reader begin with the oldest event again",
        about: """
            Has a reader that counts go through the whole log again; what it stored before is replaced.
            The server goes on meanwhile, and the numbers are whole again when the reader is at the end.
            What acts, such as the rules, is refused.
            """,
        flags: anyStore, examples: ["frontdesk reader replay reports"])

    static let ruleList = CommandDescription(
        "rule list", access: .serverOrStore, summary: "list the rules of businesses",
        about: "Lists the rules: id, whether it acts, what it waits for, name, business.",
        flags: [ofOneBusiness] + anyStore)

    static let ruleStop = CommandDescription(
        "rule stop", access: .serverOrStore, arguments: "ID", summary: "stop a rule",
        about: """
            Stops a rule: it acts on no further event until it is started again. Its log stays.
            """,
        flags: anyStore, examples: ["frontdesk rule stop 3f0c9f0e-6a3b-4d0c-9b1e-2a4f5c6d7e8f"])

    static let ruleStart = CommandDescription(
        "rule start", access: .serverOrStore, arguments: "ID",
        summary: "have a stopped rule act again",
        about: "Has a rule act again, on what happens from then on.", flags: anyStore)

    static let report = CommandDescription(
        "report", access: .serverOrStore, arguments: "NAME|ID",
        summary: "print the report of a business",
        about: """
            Prints the numbers of a business as the page of reports has them: conversations, messages,
            times, overdue answers. Without days it is about the last seven.
            """,
        flags: [
            Flag("from", .value("DAY"), "the first day, such as 2026-11-01"),
            Flag("to", .value("DAY"), "the last day (default: today)"),
            Flag("zone", .value("NAME"), "the time zone of the days (default: UTC)"),
            Flag(
                "by", .value("WORD"), "cut by agent, team, label, kind or entry",
                choices: ["agent", "team", "label", "kind", "entry"]),
            Flag("csv", .onOrOff, "as lines of CSV"),
        ] + anyStore,
        examples: ["frontdesk report \"My business\" --from 2026-11-01 --to 2026-11-30 --csv"])

    static let transcript = CommandDescription(
        "transcript", access: .serverOrStore, arguments: "CONVERSATION",
        summary: "print the transcript of a conversation",
        about: """
            Prints a conversation from its first message to its last one. One of more than 960 KiB is
            refused: GET /api/conversations/ID/transcript has no such bound.
            """,
        flags: [
            Flag(
                "format", .value("WORD"), "text, html or json (default: text)",
                choices: ["text", "html", "json"]),
            Flag("notes", .onOrOff, "with the notes for colleagues"),
        ] + anyStore,
        examples: ["frontdesk transcript 3f0c9f0e-6a3b-4d0c-9b1e-2a4f5c6d7e8f --format html"])

    static let customerBlock = CommandDescription(
        "customer block", access: .serverOrStore, arguments: "CONVERSATION",
        summary: "block the customer of a conversation",
        about: """
            Blocks the contact of a conversation's customer: nothing that the customer sends is stored
            from then on. It is an event of the conversation.
            """,
        flags: anyStore,
        examples: ["frontdesk customer block 3f0c9f0e-6a3b-4d0c-9b1e-2a4f5c6d7e8f"])

    static let customerUnblock = CommandDescription(
        "customer unblock", access: .serverOrStore, arguments: "CONVERSATION",
        summary: "let a blocked customer write again",
        about: "Lets the customer of a conversation write again.", flags: anyStore)

    static let memberList = CommandDescription(
        "member list", access: .serverOrStore, summary: "list the members of businesses",
        about: """
            Lists the members: id, role, what they chose of being there, name, address, business.
            """,
        flags: [ofOneBusiness] + anyStore)

    static let secondFactorRemove = CommandDescription(
        "second-factor remove", access: .serverOrStore, arguments: "ADDRESS|ID",
        summary: "remove a person's second factor and passkeys",
        about: """
            Removes the second factor and the passkeys of a person who lost the device and the recovery codes: from then on
            the password alone signs in. Make sure who asks. Where a business requires a second factor, the
            person has no access to it before one is set up.
            """,
        flags: anyStore,
        examples: ["frontdesk second-factor remove ben@example.com"])

    static let approvalsOff = CommandDescription(
        "approvals off", access: .serverOrStore, arguments: "NAME|ID",
        summary: "have nothing of a business wait for a second person",
        about: """
            Switches the approvals of a business off, such as after its last other owner has left: what waits for one can
            be done by one owner from then on. Make sure who asks; owners choose anew under Settings, Approvals.
            """,
        flags: anyStore,
        examples: ["frontdesk approvals off \"My business\""])

    static let audit = CommandDescription(
        "audit", access: .serverOrStore, summary: "print who changed what",
        about: """
            Prints the audit's records, newest first: number, moment, what was done, by whom, and of what.
            Without --business those of the whole server, which include what belongs to no business, such
            as its settings.
            """,
        flags: [
            ofOneBusiness,
            Flag("kind", .value("WORD"), "only those of this kind, such as key_revoked"),
            Flag("limit", .value("NUMBER"), "how many at most, up to 300 (default: 50)"),
            Flag("before", .value("NUMBER"), "only those older than the record of this number"),
        ] + anyStore,
        examples: ["frontdesk audit --business \"My shop\" --kind key_revoked"])

    private static let ofOneBusiness = Flag(
        "business", .value("NAME|ID"), "only those of this business")
}
