import Synchronization

/// Counts whole numbers (bytes, microseconds) into buckets.
///
/// Thread: any, behind a leaf lock.
public final class Histogram: Sendable {
    private struct Tally: Sendable {
        var buckets: [Int]
        var sum = 0
    }

    private let bounds: [Int]
    private let scale: Double
    private let tally: Mutex<Tally>

    /// `scale` is what one unit is worth in the text: 0.000001 shows microseconds as seconds.
    init(bounds: [Int], scale: Double) {
        self.bounds = bounds.sorted()
        self.scale = scale
        tally = Mutex(Tally(buckets: Array(repeating: 0, count: bounds.count + 1)))
    }

    /// Counts one value; it falls into the first bucket whose bound is not below it.
    public func record(_ value: Int) {
        let bucket = bounds.firstIndex { value <= $0 } ?? bounds.count
        tally.withLock {
            $0.buckets[bucket] += 1
            $0.sum &+= value
        }
    }

    /// How many values were counted.
    public var count: Int { tally.withLock { $0.buckets.reduce(0, +) } }

    func text(_ name: String, _ labels: String) -> String {
        let tally = tally.withLock { $0 }
        let prefix = labels.isEmpty ? "" : "\(labels),"
        let braced = labels.isEmpty ? "" : "{\(labels)}"
        var text = ""
        var total = 0
        for (bound, bucket) in zip(bounds, tally.buckets) {
            total += bucket
            text += "\(name)_bucket{\(prefix)le=\"\(shown(bound))\"} \(total)\n"
        }
        total += tally.buckets.last ?? 0
        text += "\(name)_bucket{\(prefix)le=\"+Inf\"} \(total)\n"
        text += "\(name)_sum\(braced) \(shown(tally.sum))\n"
        text += "\(name)_count\(braced) \(total)\n"
        return text
    }

    private func shown(_ value: Int) -> String {
        // A division by the whole number of units in one shows 0.0001 as such.
        scale == 1 ? "\(value)" : "\(Double(value) / (1 / scale).rounded())"
    }
}
