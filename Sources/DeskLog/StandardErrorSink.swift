import Glibc
import Synchronization

/// Writes lines to standard error, one system call each so that lines never mix.
///
/// A reader of it that stalls, as a terminal that is stopped or a container's log driver, stops nothing else: lines wait
/// for it, and those that are too many are dropped and counted by `log_lines_dropped`.
public final class StandardErrorSink: LogSink {
    /// The instance that the whole process shares.
    public static let shared = StandardErrorSink(2)

    /// Most bytes of lines that wait.
    static let mostBytes = 262_144

    private struct Waiting {
        var lines: [[UInt8]] = []
        var byteCount = 0
        var dropped = 0
        var isWatched = false

        var isEmpty: Bool { lines.isEmpty && dropped == 0 }
    }

    private let descriptor: Int32
    private let waiting = Mutex(Waiting())

    /// Makes a sink of an open file.
    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Writes the line now, or when the reader goes on; a line that the file does not accept is lost.
    public func write(_ line: [UInt8]) {
        let begins = waiting.withLock { waiting in
            if putWaiting(&waiting), isReady {
                put(line)
                return false
            }
            // Once a line was dropped, so are those behind it: the note on them stands where they are missing.
            guard waiting.dropped == 0, waiting.byteCount + line.count <= Self.mostBytes else {
                waiting.dropped += 1
                return false
            }
            waiting.lines.append(line)
            waiting.byteCount += line.count
            defer { waiting.isWatched = true }
            return !waiting.isWatched
        }
        guard begins else { return }
        Task.detached { await self.watch() }
    }

    /// Writes what waits, before the process ends; gives up after a second.
    public func finish() async {
        for _ in 0..<100 where !waiting.withLock({ putWaiting(&$0) }) {
            // Safe: it is never cancelled.
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    private func watch() async {
        while true {
            let isDone = waiting.withLock { waiting in
                let isDone = putWaiting(&waiting)
                waiting.isWatched = !isDone
                return isDone
            }
            guard !isDone else { return }
            // Safe: it is never cancelled.
            try? await Task.sleep(for: .milliseconds(100))
        }
    }

    /// Writes what waits while the reader follows, in order; whether nothing waits any more.
    private func putWaiting(_ waiting: inout Waiting) -> Bool {
        guard !waiting.isEmpty else { return true }
        var written = 0
        while written < waiting.lines.count, isReady {
            put(waiting.lines[written])
            waiting.byteCount -= waiting.lines[written].count
            written += 1
        }
        waiting.lines.removeFirst(written)
        guard waiting.lines.isEmpty, waiting.dropped > 0, isReady else { return waiting.isEmpty }
        var line = LogLine(level: .warning, event: "log_lines_dropped")
        line.append("count", .number(waiting.dropped))
        put(line.finish())
        waiting.dropped = 0
        return true
    }

    /// Whether a line can be written without waiting.
    ///
    /// A pipe says so while a page of it is free, which is as much as the longest line; another process that fills the
    /// same pipe in between would still keep the write. An error counts as ready: the write ends at once.
    private var isReady: Bool {
        var asked = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return unsafe poll(&asked, 1, 0) != 0
    }

    private func put(_ line: [UInt8]) {
        _ = unsafe line.withUnsafeBytes {
            unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
        }
    }
}
