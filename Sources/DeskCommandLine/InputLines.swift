import Dispatch
import Glibc
import Synchronization

/// The lines of standard input, read as they are asked for.
///
/// Limit: a line has `limit` bytes. Thread: reading blocks one of its own.
package final class InputLines: Sendable {
    /// One line of what is piped in.
    package enum Line: Sendable, Equatable {
        /// Without its end.
        case whole([UInt8])
        /// Longer than the limit; all of it was passed over.
        case tooLong
    }

    private struct State {
        var splitter: LineSplitter
        /// Those that were read and not asked for yet: of one piece.
        var lines: ArraySlice<Line> = []
        var hasEnded = false
    }

    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "frontdesk.input")

    /// Begins to read; one for the process.
    package init(upTo limit: Int) { state = Mutex(State(splitter: LineSplitter(limit: limit))) }

    /// The next line; nil at the end.
    ///
    /// One caller at a time.
    package func next() async -> Line? {
        await withCheckedContinuation { waiter in
            queue.async { waiter.resume(returning: self.read()) }
        }
    }

    private func read() -> Line? {
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            if let line = state.withLock({ $0.lines.popFirst() }) { return line }
            if state.withLock({ $0.hasEnded }) { return nil }
            let count = unsafe piece.withUnsafeMutableBytes { bytes in
                unsafe Glibc.read(STDIN_FILENO, bytes.baseAddress, bytes.count)
            }
            if count < 0, errno == EINTR { continue }
            state.withLock { state in
                if count > 0 {
                    state.lines = state.splitter.split(piece[..<count])[...]
                } else {
                    state.hasEnded = true
                    state.lines = state.splitter.end().map { [$0] } ?? []
                }
            }
        }
    }
}

/// Splits bytes into lines, however they come.
package struct LineSplitter: Sendable {
    private let limit: Int
    private var line: [UInt8] = []
    private var isTooLong = false

    /// Begins with a limit of bytes for a line.
    package init(limit: Int) { self.limit = limit }

    /// The lines that end within a piece.
    package mutating func split(_ piece: ArraySlice<UInt8>) -> [InputLines.Line] {
        var lines: [InputLines.Line] = []
        var rest = piece
        while let end = rest.firstIndex(of: 0x0A) {
            take(rest[..<end])
            lines.append(finish())
            rest = rest[(end + 1)...]
        }
        take(rest)
        return lines
    }

    /// The last line, where it has no end.
    package mutating func end() -> InputLines.Line? {
        line.isEmpty && !isTooLong ? nil : finish()
    }

    private mutating func take(_ bytes: ArraySlice<UInt8>) {
        guard !isTooLong, bytes.count <= limit - line.count else {
            isTooLong = isTooLong || !bytes.isEmpty
            line.removeAll()
            return
        }
        line += bytes
    }

    private mutating func finish() -> InputLines.Line {
        defer {
            line.removeAll(keepingCapacity: true)
            isTooLong = false
        }
        if isTooLong { return .tooLong }
        if line.last == 0x0D { line.removeLast() }
        return .whole(line)
    }
}
