/// A command line after the parser has taken it apart.
struct Parsed: Sendable, Equatable {
    /// What each flag was given, in order; a switch that is on has `on`.
    var values: [String: [String]] = [:]
    /// What is left beside the flags.
    var arguments: [String] = []
    var wantsHelp = false

    /// The value of a flag given at most once.
    subscript(_ flag: String) -> String? { values[flag]?.last }

    /// Whether a switch is on, off, or was not said.
    func claim(_ flag: String) -> Bool? {
        self[flag].map { $0 == "on" }
    }
}
