import DeskModel
import Testing

/// Percentiles from counts in buckets, against the times themselves.
struct ReportSpanTests {
    @Test(arguments: [1, 7, 90] as [UInt64])
    func `a percentile is at most a fifth from the true one, however the times were added up`(
        seed: UInt64
    ) {
        var random = seed
        func next(_ most: Int64) -> Int64 {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int64(random >> 33) % most
        }
        var parts = [ReportSpans(), ReportSpans(), ReportSpans()]
        var times: [Int64] = []
        for place in 0..<999 {
            // From a second to days, most of them short.
            let time = 1_000 + next(1 << (8 + next(22)))
            times.append(time)
            parts[place % 3].add(time, to: .wait)
        }
        times.sort()
        var all = ReportSpans()
        for part in parts { all += ReportSpans(text: part.text) }
        for percent in [1, 10, 50, 90, 99, 100] as [Int64] {
            let true_ = times[Int((999 * percent + 99) / 100) - 1]
            let said = all.percentile(percent, of: .wait) ?? 0
            #expect(abs(said - true_) * 5 <= true_, "\(percent): \(said) for \(true_)")
        }
        #expect(all.percentile(50, of: .answer) == nil)
    }

    @Test func `times beyond the bounds have a place`() {
        var spans = ReportSpans()
        spans.add(0, to: .answer)
        spans.add(.max, to: .resolution)
        #expect((0..<1_000).contains(spans.percentile(50, of: .answer) ?? -1))
        #expect(spans.percentile(50, of: .resolution) == ReportSpans.bounds.last)
        #expect(ReportSpans(text: spans.text) == spans)
    }

    @Test(arguments: ["", "x1:2", "a", "a:1", "a1:", "a93:1", "a1:-1", "a1:9999999999999999"])
    func `a text that was not written by it is nothing`(text: String) {
        #expect(ReportSpans(text: text).isEmpty)
    }
}
