/// One `--limit NAME=VALUE`.
struct LimitSetting: Sendable, Equatable {
    let name: String
    let value: Int

    /// Reads `name=number`.
    init(_ text: String) throws(UsageError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, let value = Int(parts[1]), value >= 0 else {
            throw UsageError(
                "--limit takes NAME=NUMBER, not \"\(text)\"",
                hint: "for example --limit key-messages-per-second=200")
        }
        name = String(parts[0])
        self.value = value
    }
}
