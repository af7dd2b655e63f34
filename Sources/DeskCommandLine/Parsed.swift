/// A parsed command line.
package struct Parsed: Sendable, Equatable {
    /// What each flag was given, in order; a switch that is on has `on`.
    package var values: [String: [String]] = [:]
    /// What is left beside the flags.
    package var arguments: [String] = []
    package var wantsHelp = false

    /// A command line of flags and arguments.
    package init(
        values: [String: [String]] = [:], arguments: [String] = [], wantsHelp: Bool = false
    ) {
        self.values = values
        self.arguments = arguments
        self.wantsHelp = wantsHelp
    }

    /// The value of a flag given at most once.
    package subscript(_ flag: String) -> String? { values[flag]?.last }

    /// Whether a switch is on, off, or was not said.
    package func claim(_ flag: String) -> Bool? {
        self[flag].map { $0 == "on" }
    }
}
