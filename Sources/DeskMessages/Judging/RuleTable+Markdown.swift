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

        Every payload is checked once, by the same rules in console, sandbox, API, gateway and \
        `frontdesk lint`. An error refuses the message. A warning is stored with it. An info \
        only announces what will happen next. A rule that is off gives no finding. Console, \
        sandbox, API and lint use the profile **strict** by default, the gateway and inbound \
        traffic **lenient**.

        Severities follow from the behaviour of the real channel. What it refuses is an error in \
        both profiles. What it accepts without effect is a warning. What it accepts and devices \
        show as intended is never an error, however old or odd its spelling. The strict profile \
        adds errors only where devices would show something other than intended. A member that \
        is `null` counts as absent, as typed serialisers write it. Where the channel's behaviour \
        is not known, the table says so, and the strict profile is the careful one. Files that \
        only Frontdesk reads (templates, settings of `lint`) are checked completely: every \
        violation of their schema is an error.

        This is the one table of severities, generated from the code's own (`FRONTDESK_RENDER=1 \
        swift test --filter RuleTableTests` writes it again, and without the variable compares). \
        A text that is not JSON is refused before any rule is applied \
        ([malformed-json](malformed-json.md)).

        """

    private static let requests = """
        ## Requests

        These are not rules of messages: they apply to a request's own JSON, are always errors, \
        and have no profile.

        - [request-missing](request-missing.md): a member of the request is missing
        - [request-unknown](request-unknown.md): a member or parameter of the request is unknown
        - [request-type](request-type.md): the wrong kind of JSON value in a request
        - [request-value](request-value.md): a value that is not allowed in a request

        """
}
