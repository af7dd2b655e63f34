import DeskModel

extension RuleTable {
    /// The page that `docs/rules/README.md` is: every rule with its severities.
    public static var markdown: String {
        var lines = [introduction]
        for group in groups {
            lines.append("## \(group.heading)\n")
            lines.append("| rule | strict | lenient | | the channel | how that is known |")
            lines.append("|---|---|---|---|---|---|")
            for row in group.rows {
                let id = row.rule.id
                lines.append(
                    "| [\(id)](\(id).md) | \(words(row, .strict)) | \(words(row, .lenient)) | "
                        + "\(row.title) | \(row.channel.words) | \(row.source) |")
            }
            lines.append("")
        }
        return lines.joined(separator: "\n") + "\n" + requests
    }

    /// A severity as the docs put it, live and test business apart where they differ.
    public static func words(_ row: Row, _ profile: Profile) -> String {
        let live = word(row[profile, .live])
        let test = word(row[profile, .test])
        return live == test ? live : "\(live) in a live business, \(test) in a test business"
    }

    private static func word(_ severity: Severity?) -> String { severity?.rawValue ?? "off" }

    private static let introduction = """
        # The rules

        Every payload is judged once, by the same rules in console, sandbox, API, gateway and \
        `frontdesk lint`. An error refuses the message; a warning travels with it; an info only \
        says what will happen next; a rule that is off says nothing. Console, sandbox, API and \
        lint judge **strict** by default, the gateway and inbound traffic **lenient**.

        Severities follow from what the real channel does. What it refuses is an error in both \
        profiles. What it accepts without effect is a warning. What it accepts and devices show as \
        meant is never an error, however old or odd its spelling. The strict profile adds errors \
        only where something else would be seen than was meant. A member that is `null` counts as \
        one left out, as typed serialisers write it. Where it is not known what the channel does, \
        the table says so, and the strict profile is the careful one. Files that Frontdesk alone \
        reads (templates, settings of `lint`) are judged whole: whatever breaks their schema is \
        an error.

        This is the one table of severities, written from the code's own \
        (`FRONTDESK_RENDER=1 swift test --filter RuleTableTests` writes it anew, and without the \
        variable compares). A text that is no JSON at all is refused before any rule is asked \
        ([malformed-json](malformed-json.md)).

        """

    private static let requests = """
        ## Requests

        These are not rules of messages: they speak of a request's own JSON, are always errors, \
        and have no profile.

        - [request-missing](request-missing.md): a member of the request is missing
        - [request-unknown](request-unknown.md): a member or parameter of the request is unknown
        - [request-type](request-type.md): the wrong kind of JSON value in a request
        - [request-value](request-value.md): a value that is not allowed in a request

        """
}
