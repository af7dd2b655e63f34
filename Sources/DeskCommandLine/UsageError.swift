/// A command line that cannot be run as it was typed; ends the process with code 2.
package struct UsageError: Error, Equatable {
    package let message: String
    /// What the reader may have meant, or where to look.
    package let hint: String?

    package init(_ message: String, hint: String? = nil) {
        self.message = message
        self.hint = hint
    }
}
