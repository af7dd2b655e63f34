extension ServerLimits {
    /// One limit: its name on the command line and what it bounds.
    public struct Entry: Sendable {
        enum Place: Sendable {
            case count(any WritableKeyPath<ServerLimits, Int> & Sendable)
            case time(any WritableKeyPath<ServerLimits, Duration> & Sendable)
        }

        /// The name, as in `--limit header-bytes=32768`.
        public let name: String
        /// What happens beyond it, in a few words.
        public let beyond: String
        let place: Place
    }

    /// Why a limit was not set.
    public enum NameError: Error, Sendable, Equatable {
        /// No limit has this name.
        case unknownName(String)
        /// The text is no whole number of bytes or things, or no time such as `10s` or `500ms`.
        case badValue(String)
    }

    /// Every limit, in the order of the documentation.
    public static let entries: [Entry] = [
        Entry(name: "request-line-bytes", beyond: "414", place: .count(\.requestLineBytes)),
        Entry(name: "header-field-bytes", beyond: "431", place: .count(\.headerFieldBytes)),
        Entry(name: "header-bytes", beyond: "431", place: .count(\.headerBytes)),
        Entry(name: "header-count", beyond: "431", place: .count(\.headerCount)),
        Entry(name: "cookie-bytes", beyond: "431", place: .count(\.cookieBytes)),
        Entry(name: "chunk-extension-bytes", beyond: "400", place: .count(\.chunkExtensionBytes)),
        Entry(name: "skipped-body-bytes", beyond: "close", place: .count(\.skippedBodyBytes)),
        Entry(name: "tls-handshake", beyond: "close", place: .time(\.tlsHandshake)),
        Entry(name: "first-byte", beyond: "close", place: .time(\.firstByte)),
        Entry(name: "head-complete", beyond: "408", place: .time(\.headComplete)),
        Entry(name: "body-complete", beyond: "408", place: .time(\.bodyComplete)),
        Entry(name: "small-body-bytes", beyond: "minimum rate", place: .count(\.smallBodyBytes)),
        Entry(
            name: "upload-bytes-per-second", beyond: "408", place: .count(\.uploadBytesPerSecond)),
        Entry(name: "upload-window", beyond: "408", place: .time(\.uploadWindow)),
        Entry(name: "upload-complete", beyond: "408", place: .time(\.uploadComplete)),
        Entry(name: "keep-alive-idle", beyond: "close", place: .time(\.keepAliveIdle)),
        Entry(name: "keep-alive-requests", beyond: "close", place: .count(\.keepAliveRequests)),
        Entry(name: "handler-time", beyond: "503", place: .time(\.handlerTime)),
        Entry(name: "write-stall", beyond: "close", place: .time(\.writeStall)),
        Entry(name: "heartbeat", beyond: "ping", place: .time(\.heartbeat)),
        Entry(name: "pong", beyond: "close", place: .time(\.pong)),
        Entry(
            name: "web-socket-message-bytes", beyond: "1009", place: .count(\.webSocketMessageBytes)
        ),
        Entry(name: "web-socket-frame-bytes", beyond: "1009", place: .count(\.webSocketFrameBytes)),
        Entry(name: "web-socket-fragments", beyond: "1009", place: .count(\.webSocketFragments)),
        Entry(name: "connections", beyond: "wait", place: .count(\.connections)),
        Entry(
            name: "connections-per-address", beyond: "close", place: .count(\.connectionsPerAddress)
        ),
        Entry(name: "accept-backlog", beyond: "kernel refuses", place: .count(\.acceptBacklog)),
        Entry(name: "drain-requests", beyond: "close", place: .time(\.drainRequests)),
        Entry(name: "drain-streams", beyond: "close", place: .time(\.drainStreams)),
        Entry(name: "drain-all", beyond: "close", place: .time(\.drainAll)),
    ]

    /// Sets one limit from text: `65536`, `64KiB`, `1MiB`, or for times `10s`, `500ms`, `15min`.
    ///
    /// - Throws: when no limit has the name, or the text is not of its sort or not above zero.
    public mutating func set(name: String, value: String) throws(NameError) {
        guard let entry = ServerLimits.entries.first(where: { $0.name == name }) else {
            throw .unknownName(name)
        }
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
