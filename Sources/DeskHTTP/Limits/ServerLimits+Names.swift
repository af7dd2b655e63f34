extension ServerLimits {
    /// One limit: its name on the command line and what it bounds.
    public struct Entry: Sendable {
        enum Place: Sendable {
            case count(any WritableKeyPath<ServerLimits, Int> & Sendable)
            case time(any WritableKeyPath<ServerLimits, Duration> & Sendable)
        }

        /// The name, as in `--limit keep-alive-idle=75s`.
        public let name: String
        /// What it bounds, as docs/limits.md says it.
        public let bounds: String
        /// What happens beyond it, in a few words.
        public let beyond: String
        let place: Place

        /// Whether an operator may set it; the others are fixed.
        public var isSettable: Bool { ServerLimits.settable.contains(name) }
    }

    /// What an operator sets: connections, what a proxy or a service manager must agree with, and
    /// how a drain goes.
    private static let settable: Set = [
        "keep-alive-idle", "keep-alive-requests", "handler-time", "connections",
        "connections-per-address", "drain-streams", "drain-all",
    ]

    /// Why a limit was not set.
    public enum NameError: Error, Sendable, Equatable {
        /// No limit has this name.
        case unknownName(String)
        /// The limit is fixed; the text is its value.
        case fixed(String)
        /// The text is no whole number of bytes or things, or no time such as `10s` or `500ms`.
        case badValue(String)
    }

    /// Sets one limit from text: `65536`, `64KiB`, `1MiB`, or for times `10s`, `500ms`, `15min`.
    ///
    /// - Throws: when no limit has the name, or the text is not of its sort, not above zero or beyond
    ///   2^40.
    public mutating func set(name: String, value: String) throws(NameError) {
        guard let entry = ServerLimits.entries.first(where: { $0.name == name }) else {
            throw .unknownName(name)
        }
        guard entry.isSettable else { throw .fixed(text(of: name) ?? "") }
        switch entry.place {
        case .count(let place):
            guard let count = ServerLimits.count(value) else { throw .badValue(value) }
            self[keyPath: place] = count
        case .time(let place):
            guard let time = ServerLimits.time(value) else { throw .badValue(value) }
            self[keyPath: place] = time
        }
    }

    /// The value of one limit in the text that `set` reads; nil when no limit has the name.
    public func text(of name: String) -> String? {
        guard let entry = ServerLimits.entries.first(where: { $0.name == name }) else { return nil }
        switch entry.place {
        case .count(let place): return "\(self[keyPath: place])"
        case .time(let place):
            let (seconds, attoseconds) = self[keyPath: place].components
            let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
            return milliseconds % 1000 == 0 ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
        }
    }

    private static func count(_ text: String) -> Int? {
        amount(text, units: [("KiB", 1024), ("MiB", 1024 * 1024), ("", 1)])
    }

    private static func time(_ text: String) -> Duration? {
        amount(text, units: [("ms", 1), ("min", 60_000), ("s", 1000)])
            .map { .milliseconds($0) }
    }

    /// Limit: values up to 2^40, so that no sum of limits can overflow.
    private static func amount(_ text: String, units: [(suffix: String, factor: Int)]) -> Int? {
        for (suffix, factor) in units where text.hasSuffix(suffix) {
            let digits = text.utf8.dropLast(suffix.utf8.count)
            guard !digits.isEmpty, digits.allSatisfy(ByteClass.isDigit),
                let number = Int(String(Substring(digits)))
            else { continue }
            let (product, overflows) = number.multipliedReportingOverflow(by: factor)
            return !overflows && product > 0 && product <= 1 << 40 ? product : nil
        }
        return nil
    }
}
