/// A parsed command line.
package struct Parsed: Sendable, Equatable {
    /// What each flag was given, in order; a switch that is on has `on`.
    package var values: [String: [String]] = [:]
    /// What is left beside the flags.
    package var arguments: [String] = []
    package var wantsHelp = false
    /// The flags whose values the environment gave.
    package var inherited: Set<String> = []

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

    /// Whether a flag was typed, and not merely given by the environment.
    package func isTyped(_ flag: String) -> Bool {
        values[flag] != nil && !inherited.contains(flag)
    }

    /// Whether a switch is on, off, or was not said.
    package func claim(_ flag: String) -> Bool? {
        self[flag].map { $0 == "on" }
    }
}
