/// What one command is called, takes and does, in the words of its help page.
struct CommandDescription: Sendable {
    /// The words that call it: `["key", "create"]`.
    let words: [String]
    /// What follows the flags: `FILE…`, or empty.
    let arguments: String
    /// One line for the list of commands.
    let summary: String
    /// The paragraphs of its own help page.
    let about: String
    let flags: [Flag]
    let examples: [String]
    /// Whether its arguments are paths, and it may take long.
    let takesPaths: Bool

    init(
        _ words: String, arguments: String = "", summary: String, about: String,
        flags: [Flag] = [], examples: [String] = [], takesPaths: Bool = false
    ) {
        self.takesPaths = takesPaths
        self.words = words.split(separator: " ").map(String.init)
        self.arguments = arguments
        self.summary = summary
        self.about = about
        self.flags = flags
        self.examples = examples
    }

    /// The words in one string.
    var name: String { words.joined(separator: " ") }

    /// The flag of a name, or of the name that it had before.
    func flag(named name: String) -> Flag? {
        let name = Flag.earlierNames[name] ?? name
        return flags.first { Array($0.name.utf8) == Array(name.utf8) }
    }
}
