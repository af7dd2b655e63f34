/// Cuts bytes that come in pieces into lines; holds the unfinished last one.
struct LineSplitter {
    /// One line without its end.
    enum Line: Equatable {
        case bytes([UInt8])
        /// It has more bytes than are read.
        case tooLong
    }

    /// Longest line in bytes.
    let mostBytes: Int
    private var rest: [UInt8] = []
    private var isTooLong = false

    init(mostBytes: Int) { self.mostBytes = mostBytes }

    /// The lines that end within a piece; LF ends one, and a CR before it belongs to the end.
    mutating func take(_ piece: [UInt8]) -> [Line] {
        var lines: [Line] = []
        var start = 0
        while let end = piece[start...].firstIndex(of: 0x0A) {
            append(piece[start..<end])
            lines.append(cut())
            start = end + 1
        }
        append(piece[start...])
        return lines
    }

    /// The last line where it has no end; nil where there is nothing more.
    mutating func finish() -> Line? { rest.isEmpty && !isTooLong ? nil : cut() }

    private mutating func append(_ bytes: ArraySlice<UInt8>) {
        guard !isTooLong else { return }
        // One more for a CR, which is not part of the line.
        guard rest.count + bytes.count <= mostBytes + 1 else {
            isTooLong = true
            rest = []
            return
        }
        rest += bytes
    }

    private mutating func cut() -> Line {
        defer {
            rest.removeAll(keepingCapacity: true)
            isTooLong = false
        }
        if rest.last == 0x0D { rest.removeLast() }
        return isTooLong || rest.count > mostBytes ? .tooLong : .bytes(rest)
    }
}
