import Synchronization

/// The registry of all metrics, under their Prometheus names.
///
/// The same name and labels return the same counter, so parts need not share objects.
public final class Metrics: Sendable {
    private struct Series: Sendable {
        var help: String
        var kind: String
        var members: [(labels: String, member: Member)] = []
    }

    private enum Member: Sendable {
        case counter(Counter)
        case gauge(Gauge)
        case histogram(Histogram)
        case reading(@Sendable () -> Double)
    }

    private let series = Mutex<[String: Series]>([:])

    /// Makes an empty registry.
    public init() {}

    /// The counter of this name and these labels; made when it is new.
    public func counter(
        _ name: StaticString, help: String, labels: KeyValuePairs<String, String> = [:]
    ) -> Counter {
        let found = member(name, help, "counter", labels) { .counter(Counter()) }
        guard case .counter(let counter) = found else {
            preconditionFailure("\(name) is no counter")
        }
        return counter
    }

    /// The gauge of this name and these labels; made when it is new.
    public func gauge(
        _ name: StaticString, help: String, labels: KeyValuePairs<String, String> = [:]
    ) -> Gauge {
        let found = member(name, help, "gauge", labels) { .gauge(Gauge()) }
        guard case .gauge(let gauge) = found else { preconditionFailure("\(name) is no gauge") }
        return gauge
    }

    /// The histogram of this name and these labels; made with these upper bounds when it is new.
    public func histogram(
        _ name: StaticString, help: String, bounds: [Int], scale: Double = 1,
        labels: KeyValuePairs<String, String> = [:]
    ) -> Histogram {
        let found = member(name, help, "histogram", labels) {
            .histogram(Histogram(bounds: bounds, scale: scale))
        }
        guard case .histogram(let histogram) = found else {
            preconditionFailure("\(name) is no histogram")
        }
        return histogram
    }

    /// Exports a number that is read at each scrape; the first reader of a name and labels stays.
    ///
    /// `isCounter` says that it only rises. Thread: the reader runs on the caller's thread and must
    /// not wait.
    public func reading(
        _ name: StaticString, help: String, isCounter: Bool = false,
        labels: KeyValuePairs<String, String> = [:], _ read: @escaping @Sendable () -> Double
    ) {
        _ = member(name, help, isCounter ? "counter" : "gauge", labels) { .reading(read) }
    }

    /// All metrics in the text format of Prometheus (0.0.4), sorted by name.
    public func text() -> String {
        let all = series.withLock { $0 }
        var text = ""
        for (name, series) in all.sorted(by: { $0.key < $1.key }) {
            text += "# HELP \(name) \(series.help)\n# TYPE \(name) \(series.kind)\n"
            for (labels, member) in series.members {
                switch member {
                case .counter(let counter): text += "\(name)\(braced(labels)) \(counter.value)\n"
                case .gauge(let gauge): text += "\(name)\(braced(labels)) \(gauge.value)\n"
                case .histogram(let histogram): text += histogram.text(name, labels)
                case .reading(let read):
                    text += "\(name)\(braced(labels)) \(Metrics.shown(read()))\n"
                }
            }
        }
        return text
    }

    private func member(
        _ name: StaticString, _ help: String, _ kind: String,
        _ labels: KeyValuePairs<String, String>, make: () -> Member
    ) -> Member {
        let labels = labels.map { "\($0)=\"\(Metrics.escaped($1))\"" }.joined(separator: ",")
        return series.withLock { all in
            var entry = all["\(name)"] ?? Series(help: help, kind: kind)
            precondition(entry.kind == kind, "\(name) is a \(entry.kind) already")
            if let known = entry.members.first(where: { $0.labels == labels }) {
                return known.member
            }
            let member = make()
            entry.members.append((labels, member))
            all["\(name)"] = entry
            return member
        }
    }

    private static func shown(_ number: Double) -> String {
        Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    }

    private func braced(_ labels: String) -> String { labels.isEmpty ? "" : "{\(labels)}" }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
