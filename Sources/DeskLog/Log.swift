/// Writes structured records: one event name and its values a line.
///
/// `log.info("server_started", ["port": .number(8080)])` becomes
/// `time=… level=info event=server_started port=8080`. Names and values are data, not sentences, so
/// that programs can count records.
public struct Log: Sendable {
    private let sink: any LogSink
    private let threshold: LogThreshold
    private let context: [(String, LogValue)]

    /// Makes a log that drops everything below `least`.
    public init(to sink: any LogSink = StandardErrorSink.shared, from least: LogLevel = .info) {
        self.init(sink, LogThreshold(least), [])
    }

    private init(
        _ sink: any LogSink, _ threshold: LogThreshold, _ context: [(String, LogValue)]
    ) {
        self.sink = sink
        self.threshold = threshold
        self.context = context
    }

    /// A log that drops everything.
    public static let silent = Log(to: NullSink(), from: .error)

    /// The same log with values that go into each of its records.
    public func with(_ name: String, _ value: LogValue) -> Log {
        Log(sink, threshold, context + [(name, value)])
    }

    /// Whether records of this level are written.
    public func writes(_ level: LogLevel) -> Bool { threshold.admits(level) }

    /// The least level that is written.
    public var level: LogLevel { threshold.level }

    /// Writes from another level on; so does every log that was made of the same one by ``with(_:_:)``.
    ///
    /// Thread: any; records of other threads follow at once.
    public func setLevel(_ level: LogLevel) { threshold.level = level }

    /// Writes a record when its level is high enough; `values` is not evaluated otherwise.
    ///
    /// Limit: a record of more than 4 KiB is cut. Thread: any; one write call for each record.
    public func write(
        _ level: LogLevel, _ event: StaticString,
        _ values: @autoclosure () -> KeyValuePairs<String, LogValue> = [:]
    ) {
        guard writes(level) else { return }
        var line = LogLine(level: level, event: event)
        for (name, value) in context { line.append(name, value) }
        for (name, value) in values() { line.append(name, value) }
        sink.write(line.finish())
    }

    /// Writes at `debug`.
    public func debug(
        _ event: StaticString, _ values: @autoclosure () -> KeyValuePairs<String, LogValue> = [:]
    ) {
        write(.debug, event, values())
    }

    /// Writes at `info`.
    public func info(
        _ event: StaticString, _ values: @autoclosure () -> KeyValuePairs<String, LogValue> = [:]
    ) {
        write(.info, event, values())
    }

    /// Writes at `warning`.
    public func warning(
        _ event: StaticString, _ values: @autoclosure () -> KeyValuePairs<String, LogValue> = [:]
    ) {
        write(.warning, event, values())
    }

    /// Writes at `error`.
    public func error(
        _ event: StaticString, _ values: @autoclosure () -> KeyValuePairs<String, LogValue> = [:]
    ) {
        write(.error, event, values())
    }
}
