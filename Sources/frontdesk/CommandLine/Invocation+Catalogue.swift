import DeskCommandLine

extension Invocation {
    /// Understands a whole command line of this program, its own name left out.
    init(_ words: [String], environment: [String: String]) throws(UsageError) {
        try self.init(words, environment: environment, commands: Catalogue.all)
    }
}
