/// A command's name, arguments and purpose, in the words of its help page.
package struct CommandDescription: Sendable {
    /// The words that call it: `["key", "create"]`.
    package let words: [String]
    /// What follows the flags: `FILE…`, or empty.
    package let arguments: String
    /// One line for the list of commands.
    package let summary: String
    /// The paragraphs of its own help page.
    package let about: String
    package let flags: [Flag]
    package let examples: [String]
    /// Whether its arguments are paths, and it may run long.
    package let takesPaths: Bool
    /// How it reaches the data that it works on.
    package let access: DataAccess

    package init(
        _ words: String, access: DataAccess = .nothing, arguments: String = "", summary: String,
        about: String, flags: [Flag] = [], examples: [String] = [], takesPaths: Bool = false
    ) {
        self.access = access
        self.takesPaths = takesPaths
        self.words = words.split(separator: " ").map(String.init)
        self.arguments = arguments
        self.summary = summary
        self.about = about
        self.flags = flags
        self.examples = examples
    }

    /// The words in one string.
    package var name: String { words.joined(separator: " ") }

    /// The flag of a name, or of the name that it had before.
    package func flag(named name: String) -> Flag? {
        let name = Flag.earlierNames[name] ?? name
        return flags.first { Array($0.name.utf8) == Array(name.utf8) }
    }
}
