/// What this program is.
enum Version {
    /// Raised with each release; the changelog says what it holds.
    static let number = "0.1.0"

    /// The line that `frontdesk version` prints.
    static var text: String { "frontdesk \(number), Swift \(compiler)" }

    private static var compiler: String {
        #if compiler(>=6.4)
            "6.4 or later"
        #elseif compiler(>=6.3)
            "6.3"
        #else
            "6.2"
        #endif
    }
}
