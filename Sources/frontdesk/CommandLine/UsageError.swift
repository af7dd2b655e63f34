/// A command line that cannot be run as it stands; ends the process with code 2.
struct UsageError: Error, Equatable {
    let message: String
    /// What the reader may have meant, or where to look.
    let hint: String?

    init(_ message: String, hint: String? = nil) {
        self.message = message
        self.hint = hint
    }
}
