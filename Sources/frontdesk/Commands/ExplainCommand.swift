import DeskCommandLine
import DeskMessages
import DeskModel

/// `frontdesk explain`: prints a rule's page, or the list of all rules.
enum ExplainCommand {
    /// 0 when the rule is known, 2 when it is not.
    static func run(_ parsed: Parsed, executable: String) -> Int32 {
        do throws(UsageError) {
            switch parsed.arguments.count {
            case 0: Output.print(list())
            case 1: Output.print(try page(of: parsed.arguments[0], executable))
            default:
                throw UsageError(
                    "one rule at a time", hint: "frontdesk explain lists all of them")
            }
            return 0
        } catch {
            Output.complain(error)
            return 2
        }
    }

    private static func page(
        of word: String, _ executable: String
    ) throws(UsageError) -> String {
        // A finding's link and the brackets of the text format are as good as the bare id.
        let last = word.split(separator: "/").last.map(String.init) ?? word
        let rule = last.filter { $0 != "[" && $0 != "]" }
        guard (RulePages.rules + RulePages.requestRules).contains(rule) else {
            throw UsageError("there is no rule \"\(word)\"", hint: hint(rule.lowercased()))
        }
        guard let pages = RulePages(executable: executable) else {
            throw UsageError("this installation has no documentation")
        }
        let page = try pages.page(of: rule)
        return page.hasSuffix("\n") ? String(page.dropLast()) : page
    }

    /// The rule meant by a slip of the fingers, else those that share a word with what was typed.
    private static func hint(_ word: String) -> String {
        if let near = Nearest.find(word, among: RulePages.rules) { return "did you mean \(near)?" }
        let parts = word.split(separator: "-").filter { $0.utf8.count > 2 }
        let like = RulePages.rules.filter { rule in
            rule.split(separator: "-").contains { part in
                parts.contains { part.hasPrefix($0) || $0.hasPrefix(part) }
            }
        }
        guard !like.isEmpty, like.count <= 6 else { return "frontdesk explain lists all of them" }
        return "perhaps " + like.joined(separator: ", ")
    }

    private static func list() -> String {
        let width = RulePages.rules.map(\.utf8.count).max() ?? 0
        let rows = RulePages.rules.map { id in
            let rule = Rule(rawValue: id)
            let columns = [
                padded(id, width), padded(word(rule, .strict), 7), padded(word(rule, .lenient), 7),
                rule?.title ?? LintRemark.malformedTitle,
            ]
            return columns.joined(separator: "  ")
        }
        let head = [padded("RULE", width), "STRICT ", "LENIENT", "WHAT IT SAYS"]
        return ([head.joined(separator: "  ")] + rows).joined(separator: "\n")
    }

    private static func word(_ rule: Rule?, _ profile: Profile) -> String {
        guard let rule else { return Severity.error.rawValue }
        return rule.severity(profile, .live)?.rawValue ?? "off"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.utf8.count))
    }
}
