import DeskAPI
import DeskCommandLine
import DeskModel

/// `frontdesk limits`: prints every limit with the value that holds.
enum LimitsCommand {
    /// Prints them; the exit code is 0, or 2 when a setting is wrong.
    static func run(_ parsed: Parsed) -> Int32 {
        do throws(UsageError) {
            var limits = Limits(store: DataFolder.limits)
            for text in parsed.values["limit"] ?? [] {
                try LimitSetting(text).apply(to: &limits.api, &limits.server)
            }
            Output.print(text(of: limits))
            return 0
        } catch {
            Output.complain(error)
            return 2
        }
    }

    /// One line a limit: name, value, what it bounds, what happens beyond it.
    static func text(of limits: Limits) -> String {
        limits.sections.map { section in
            let names = section.rows.map(\.name.utf8.count).max() ?? 0
            let values = section.rows.map(\.value.utf8.count).max() ?? 0
            let lines = section.rows.map { row in
                let name = row.name + String(repeating: " ", count: names - row.name.utf8.count)
                let value = String(repeating: " ", count: values - row.value.utf8.count) + row.value
                return "  \(name)  \(value)  \(row.bounds); beyond: \(row.beyond)"
            }
            return ([section.title] + lines).joined(separator: "\n")
        }.joined(separator: "\n\n")
    }
}
