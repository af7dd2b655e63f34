import DeskModel

/// One flag of a command, as the parser and the help page know it.
package struct Flag: Sendable {
    /// What follows a flag on the command line.
    package enum Takes: Sendable, Equatable {
        /// Nothing, or `=on`, `=off`.
        case onOrOff
        /// One value; the word names it on the help page.
        case value(String)
        /// One value each time it is given.
        case values(String)
    }

    /// The name as typed, without the two dashes.
    package let name: String
    package let takes: Takes
    package let summary: String
    /// Whether an environment variable may replace the flag.
    package let isConfiguration: Bool
    /// Every value that it accepts, for shells to offer; empty where these are not a fixed few.
    package let choices: [String]

    package init(
        _ name: String, _ takes: Takes, _ summary: String, isConfiguration: Bool = false,
        choices: [String] = []
    ) {
        self.choices = choices
        self.name = name
        self.takes = takes
        self.summary = summary
        self.isConfiguration = isConfiguration
    }

    /// The environment variable that replaces a configuration flag: `--public-url`,
    /// `FRONTDESK_PUBLIC_URL`.
    package var variable: String {
        "FRONTDESK_" + name.uppercased().split(separator: "-").joined(separator: "_")
    }

    /// What flags were called before; these names are still read, and shown nowhere.
    static let earlierNames = [Mode.earlierName: "mode"]

    /// How the flag is written on a help page.
    package var usage: String {
        switch takes {
        case .onOrOff: "--\(name)"
        case .value(let word), .values(let word): "--\(name) \(word)"
        }
    }
}
