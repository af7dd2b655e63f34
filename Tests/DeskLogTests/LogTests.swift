import DeskLog
import Testing

/// Log lines and the text of metrics.
struct LogTests {
    @Test(arguments: [
        (LogValue.number(5), "5"), (.truth(true), "true"), ("plain-text/1", "plain-text/1"),
        ("", #""""#), ("two words", #""two words""#), ("a=b", #""a=b""#),
        ("a\nlevel=error", #""a\x0alevel=error""#), ("q\"\\", #""q\"\\""#),
        ("あ\u{1b}[31m", #""\xe3\x81\x82\x1b[31m""#),
    ])
    func `a value cannot forge a line`(value: LogValue, text: String) {
        let sink = MemorySink()
        Log(to: sink).info("happened", ["v": value])
        let line = sink.lines.first ?? ""
        #expect(sink.lines.count == 1)
        #expect(line.hasSuffix(" level=info event=happened v=\(text)"))
        #expect(line.hasPrefix("time=20"))
    }

    @Test func `records below the level are not even evaluated`() {
        let sink = MemorySink()
        let log = Log(to: sink, from: .warning).with("part", "net")
        func trap() -> LogValue {
            Issue.record("evaluated")
            return 1
        }
        log.info("quiet", ["v": trap()])
        log.error("loud", ["v": 2])
        #expect(sink.lines.count == 1)
        #expect(sink.lines.first?.hasSuffix("event=loud part=net v=2") == true)
    }

    @Test func `another level counts at once for every log that was made of the same one`() {
        let sink = MemorySink()
        let log = Log(to: sink)
        let part = log.with("part", "net")
        part.debug("before")
        log.setLevel(.debug)
        part.debug("during")
        part.setLevel(.error)
        log.warning("after")
        #expect(sink.lines.count == 1)
        #expect(sink.lines.first?.hasSuffix("level=debug event=during part=net") == true)
        #expect(log.level == .error && !log.writes(.warning) && log.writes(.error))
        #expect(Log(to: sink).level == .info)
    }

    @Test func `a line has at most 4 KiB`() {
        let sink = MemorySink()
        Log(to: sink).info("long", ["v": .text(String(repeating: "a", count: 10_000))])
        #expect(sink.lines.first?.utf8.count == 4095)
        #expect(sink.lines.first?.hasSuffix("aaa...") == true)
    }

    @Test func `metrics are written as Prometheus reads them`() {
        let metrics = Metrics()
        metrics.counter("b_total", help: "Bees.", labels: ["kind": "a\"b"]).add(2)
        metrics.counter("b_total", help: "Bees.", labels: ["kind": "a\"b"]).add()
        metrics.gauge("a", help: "As.").set(-4)
        let histogram = metrics.histogram("c", help: "Cs.", bounds: [10, 1])
        for value in [0, 1, 5, 99] { histogram.record(value) }
        metrics.reading("d", help: "Ds.") { 7 }
        metrics.reading("e_total", help: "Es.", isCounter: true, labels: ["k": "v"]) { 0.25 }
        #expect(
            metrics.text() == """
                # HELP a As.
                # TYPE a gauge
                a -4
                # HELP b_total Bees.
                # TYPE b_total counter
                b_total{kind="a\\"b"} 3
                # HELP c Cs.
                # TYPE c histogram
                c_bucket{le="1"} 2
                c_bucket{le="10"} 3
                c_bucket{le="+Inf"} 4
                c_sum 105
                c_count 4
                # HELP d Ds.
                # TYPE d gauge
                d 7
                # HELP e_total Es.
                # TYPE e_total counter
                e_total{k="v"} 0.25

                """)
    }
}
