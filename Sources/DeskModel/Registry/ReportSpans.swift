/// Durations as counts in fixed buckets: they can be added up over slots, days and members, and say
/// the median and other percentiles of what was added.
///
/// The bounds are a second times the powers of the fourth root of two. So a percentile is at most a fifth from
/// the true one, and within a second below one second; from 81 days on it is 81 days.
public struct ReportSpans: Hashable, Sendable {
    /// What lasted.
    public enum Kind: String, Sendable, CaseIterable {
        /// From a customer's first message to the first answer.
        case answer = "a"
        /// From the beginning to the close.
        case resolution = "r"
        /// From a customer's message to an answer.
        case wait = "w"
    }

    /// Where each bucket but the last ends, in milliseconds; the first begins with zero.
    package static let bounds: [Int64] = (0..<92).map {
        [1_000, 1_189, 1_414, 1_682][$0 % 4] << ($0 / 4)
    }

    private struct Place: Hashable {
        let kind: Kind
        let bucket: Int
    }

    private var counts: [Place: Int64] = [:]

    /// Nothing was added.
    public init() {}

    /// Whether nothing was added.
    public var isEmpty: Bool { counts.isEmpty }

    /// Adds a time of so many milliseconds.
    public mutating func add(_ milliseconds: Int64, to kind: Kind) {
        var low = 0
        var high = Self.bounds.count
        while low < high {
            let middle = (low + high) / 2
            if milliseconds < Self.bounds[middle] { high = middle } else { low = middle + 1 }
        }
        counts[Place(kind: kind, bucket: low), default: 0] += 1
    }

    /// Adds what happened in another time.
    public static func += (left: inout ReportSpans, right: ReportSpans) {
        for (place, count) in right.counts { left.counts[place, default: 0] += count }
    }

    /// The time below which a share of all lies, in milliseconds; nil where nothing was added.
    ///
    /// Within a bucket times count as spread evenly.
    /// - Parameter percent: 1 to 100.
    public func percentile(_ percent: Int64, of kind: Kind) -> Int64? {
        let buckets = counts.filter { $0.key.kind == kind }
            .map { (bucket: $0.key.bucket, count: $0.value) }.sorted { $0.bucket < $1.bucket }
        let all = buckets.reduce(0) { $0 + $1.count }
        guard all > 0 else { return nil }
        var rank = (all * percent + 99) / 100
        for (bucket, count) in buckets {
            guard rank > count else {
                let low = bucket == 0 ? 0 : Self.bounds[bucket - 1]
                let high = bucket < Self.bounds.count ? Self.bounds[bucket] : low
                return low + (high - low) * (2 * rank - 1) / (2 * count)
            }
            rank -= count
        }
        return nil
    }

    /// The counts in one text, such as `a5:1 w12:3`; `init(text:)` reads it.
    public var text: String {
        counts.map { (name: "\($0.key.kind.rawValue)\($0.key.bucket)", count: $0.value) }
            .sorted { $0.name < $1.name }.map { "\($0.name):\($0.count)" }.joined(separator: " ")
    }

    /// Reads what `text` wrote; parts that it did not write are passed over.
    public init(text: String) {
        for part in text.utf8.split(separator: UInt8(ascii: " ")) {
            guard let first = part.first,
                let kind = Kind(rawValue: String(UnicodeScalar(first))),
                let colon = part.firstIndex(of: UInt8(ascii: ":")),
                let bucket = Self.number(part[part.index(after: part.startIndex)..<colon]),
                let count = Self.number(part[part.index(after: colon)...]),
                bucket <= Self.bounds.count
            else { continue }
            counts[Place(kind: kind, bucket: Int(bucket)), default: 0] += count
        }
    }

    private static func number(_ digits: Substring.UTF8View) -> Int64? {
        guard (1...15).contains(digits.count) else { return nil }
        var number: Int64 = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            number = number * 10 + Int64(digit - 0x30)
        }
        return number
    }
}
