import Glibc

/// Writes to the terminal: what was asked for to standard output, complaints to standard error.
package enum Output {
    /// Where to.
    package enum Stream: Sendable {
        /// What was asked for.
        case standard
        /// Complaints, and what is said beside the output.
        case error
    }

    /// Whether a person reads standard output as it is written.
    package static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Writes bytes as they are, at once.
    package static func write(_ bytes: [UInt8], to stream: Stream) {
        switch stream {
        case .standard: write(bytes[...], to: STDOUT_FILENO)
        case .error: write(bytes[...], to: STDERR_FILENO)
        }
    }

    /// Prints a line at once, also when the output is a pipe; what would command a terminal in it is escaped.
    package static func print(_ text: String) {
        write(TerminalText.harmless(text) + "\n", to: STDOUT_FILENO)
    }

    /// Prints lines of ours with the colours that they have.
    package static func draw(_ text: String) { write(text + "\n", to: STDOUT_FILENO) }

    /// Says something beside what was asked for, on standard error.
    package static func note(_ text: String) {
        write("frontdesk: \(TerminalText.harmless(text))\n", to: STDERR_FILENO)
    }

    /// Says what is wrong and what may have been meant.
    package static func complain(_ error: UsageError) {
        complain(error.message, hint: error.hint)
    }

    /// Says what is wrong and, where there is more to say, what to do.
    package static func complain(_ message: String, hint: String? = nil) {
        note(message)
        if let hint { write("  \(TerminalText.harmless(hint))\n", to: STDERR_FILENO) }
    }

    private static func write(_ text: String, to descriptor: Int32) {
        write(Array(text.utf8)[...], to: descriptor)
    }

    private static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) {
        var rest = bytes
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { bytes in
                unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
            }
            // The terminal is gone: there is no place left to report the failure to.
            guard count > 0 || (count < 0 && errno == EINTR) else { return }
            rest = rest.dropFirst(max(0, count))
        }
    }
}
