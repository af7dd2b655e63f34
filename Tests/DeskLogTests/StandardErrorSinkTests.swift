import Glibc
import Testing

@testable import DeskLog

/// A log whose reader stalls.
@Suite struct StandardErrorSinkTests {
    /// A pipe, its sink, and what is read of it.
    private struct Stalled {
        let reader: Int32
        let writer: Int32
        let sink: StandardErrorSink

        init() {
            var ends: [Int32] = [0, 0]
            let code = unsafe pipe(&ends)
            precondition(code == 0)
            (reader, writer) = (ends[0], ends[1])
            sink = StandardErrorSink(writer)
        }

        /// Everything that is written, until the last line contains `last`; for half a minute at most.
        func lines(until last: String) async throws -> [String] {
            _ = fcntl(reader, F_SETFL, O_NONBLOCK)
            var bytes: [UInt8] = []
            var lines: [Substring] = []
            for _ in 0..<3_000
            where bytes.last != UInt8(ascii: "\n") || lines.last?.contains(last) != true {
                var piece = [UInt8](repeating: 0, count: 65_536)
                let count = unsafe read(reader, &piece, piece.count)
                guard count > 0 else {
                    // The sink writes on a thread that this one would keep.
                    try await Task.sleep(for: .milliseconds(10))
                    continue
                }
                bytes += piece[..<count]
                lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            }
            return lines.map(String.init)
        }

        func close() {
            _ = Glibc.close(reader)
            _ = Glibc.close(writer)
        }
    }

    private static func line(_ number: Int) -> [UInt8] {
        let text = "\(number)"
        return Array((text + String(repeating: " ", count: 99 - text.count) + "\n").utf8)
    }

    private static func number(_ line: String) -> Int? {
        Int(line.prefix { $0 != " " })
    }

    @Test(.timeLimit(.minutes(1)))
    func `lines wait for a reader that stalls, and come in order`() async throws {
        let stalled = Stalled()
        // More than a pipe holds, less than what may wait.
        for number in 0..<2_000 { stalled.sink.write(Self.line(number)) }
        let lines = try await stalled.lines(until: "1999")
        #expect(lines.map(Self.number) == (0..<2_000).map { $0 })
        stalled.sink.write(Self.line(7))
        #expect(try await stalled.lines(until: "7").map(Self.number) == [7])
        stalled.close()
    }

    @Test(.timeLimit(.minutes(1)))
    func `what waits is bounded, and what was dropped is counted`() async throws {
        let stalled = Stalled()
        for number in 0..<10_000 { stalled.sink.write(Self.line(number)) }
        let lines = try await stalled.lines(until: "event=log_lines_dropped")
        let kept = lines.dropLast()
        #expect(kept.map(Self.number) == kept.indices.map { $0 })
        #expect(kept.count * 100 >= StandardErrorSink.mostBytes - 100)
        #expect(
            lines.last?.hasSuffix(
                " level=warning event=log_lines_dropped count=\(10_000 - kept.count)") == true)
        stalled.close()
    }

    @Test(.timeLimit(.minutes(1)))
    func `a process that ends waits for a stalled reader no longer than a moment`() async throws {
        let stalled = Stalled()
        for number in 0..<2_000 { stalled.sink.write(Self.line(number)) }
        await stalled.sink.finish()
        #expect(try await stalled.lines(until: "1999").count == 2_000)
        stalled.close()
    }

    @Test func `a reader that is gone keeps no one waiting`() async {
        signal(SIGPIPE, SIG_IGN)
        let stalled = Stalled()
        _ = Glibc.close(stalled.reader)
        for number in 0..<2_000 { stalled.sink.write(Self.line(number)) }
        await stalled.sink.finish()
        _ = Glibc.close(stalled.writer)
    }
}
