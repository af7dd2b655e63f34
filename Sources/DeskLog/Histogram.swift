/// Counts whole numbers (bytes, microseconds) into buckets.
///
/// Thread: any, without a lock; a text that is made meanwhile may have a value in its bucket and not
/// yet in the sum.
public final class Histogram: Sendable {
    private let bounds: [Int]
    private let scale: Double
    /// One for each bound, and one for what is above them all.
    private let buckets: [Counter]
    private let sum = Counter()

    /// `scale` is what one unit is worth in the text: 0.000001 shows microseconds as seconds.
    init(bounds: [Int], scale: Double) {
        self.bounds = bounds.sorted()
        self.scale = scale
        buckets = (0...bounds.count).map { _ in Counter() }
    }

    /// Counts one value; it falls into the first bucket whose bound is not below it.
    public func record(_ value: Int) {
        buckets[bounds.firstIndex { value <= $0 } ?? bounds.count].add()
        sum.add(value)
    }

    /// How many values were counted.
    public var count: Int { buckets.reduce(0) { $0 + $1.value } }

    func text(_ name: String, _ labels: String) -> String {
        let prefix = labels.isEmpty ? "" : "\(labels),"
        let braced = labels.isEmpty ? "" : "{\(labels)}"
        var text = ""
        var total = 0
        for (place, bucket) in buckets.enumerated() {
            total += bucket.value
            let bound = place < bounds.count ? shown(bounds[place]) : "+Inf"
            text += "\(name)_bucket{\(prefix)le=\"\(bound)\"} \(total)\n"
        }
        text += "\(name)_sum\(braced) \(shown(sum.value))\n"
        text += "\(name)_count\(braced) \(total)\n"
        return text
    }

    private func shown(_ value: Int) -> String {
        // A division by the whole number of units in one shows 0.0001 as such.
        scale == 1 ? "\(value)" : "\(Double(value) / (1 / scale).rounded())"
    }
}
