/// Reads request heads strictly, without I/O; its answer is the same however the bytes are split.
public struct RequestParser: Sendable {
    /// What bytes led to.
    public enum Outcome: Sendable {
        /// All bytes were consumed and the head is incomplete.
        case needsMore
        /// The head is complete; the body or the next request follows the consumed bytes.
        case complete(RequestHead, taken: Int)
        /// The head is refused and so is everything after it.
        case refused(RequestProblem)
    }

    private let limits: HeadLimits
    private var buffer: [UInt8] = []
    private var draft = HeadDraft()
    private var lineStart = 0
    private var scanFrom = 0
    private var mayStartWithEmptyLine = true

    /// Makes a parser for the requests of one connection.
    public init(limits: ServerLimits) {
        self.limits = HeadLimits(limits)
    }

    /// Whether part of a head has arrived and its end has not.
    public var isInsideHead: Bool { !buffer.isEmpty || !mayStartWithEmptyLine }

    /// Consumes bytes up to the end of a head.
    ///
    /// After `complete` the parser is ready for the next head; after `refused` it must not be used.
    public mutating func parse(_ bytes: Span<UInt8>) -> Outcome {
        var taken = 0
        do throws(RequestProblem) {
            while taken < bytes.count {
                let end = lineGroupEnd(in: bytes, from: taken)
                append(bytes, taken..<end)
                taken = end
                if try readLines() {
                    let head = try finish()
                    return .complete(head, taken: taken)
                }
                try checkOpenLine()
            }
        } catch {
            return .refused(error)
        }
        return .needsMore
    }

    /// Where to stop copying: after the next empty line, or where the head is too large already.
    private func lineGroupEnd(in bytes: Span<UInt8>, from start: Int) -> Int {
        let room = Int(limits.headerBytes) + 1 - buffer.count
        let most = min(bytes.count, start + max(room, 1))
        var lineLength = buffer.count - lineStart
        var index = start
        while let lineFeed = LineFeed.first(in: bytes, index..<most) {
            lineLength += lineFeed - index
            let previous = lineFeed > start ? bytes[lineFeed - 1] : buffer.last ?? 0
            if lineLength == 0 || (lineLength == 1 && previous == 0x0D) { return lineFeed + 1 }
            lineLength = 0
            index = lineFeed + 1
        }
        return most
    }

    private mutating func append(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        let part = bytes.extracting(range)
        buffer.reserveCapacity(buffer.count + part.count)
        unsafe part.withUnsafeBufferPointer { unsafe buffer.append(contentsOf: $0) }
    }

    /// Checks every complete line; true when the empty line that ends the head has arrived.
    private mutating func readLines() throws(RequestProblem) -> Bool {
        // A second owner costs a count; a span of `self.buffer` would forbid touching the draft.
        let bytes = buffer
        while let lineFeed = nextLineFeed(in: bytes.span) {
            let line = lineStart..<lineFeed
            try checkLength(line.count + 1)
            guard line.count > 0, bytes[lineFeed - 1] == 0x0D else { throw .badLineEnd }
            let content = line.lowerBound..<(lineFeed - 1)
            lineStart = lineFeed + 1
            if !draft.hasRequestLine {
                if content.isEmpty {
                    try skipEmptyLine()
                    return false
                }
                try draft.readRequestLine(content, in: bytes.span)
            } else if content.isEmpty {
                return true
            } else {
                try draft.readField(content, in: bytes.span, most: Int(limits.headerCount))
            }
        }
        return false
    }

    private mutating func nextLineFeed(in text: Span<UInt8>) -> Int? {
        let found = LineFeed.first(in: text, scanFrom..<text.count)
        scanFrom = found.map { $0 + 1 } ?? text.count
        return found
    }

    /// RFC 9112 2.2: one empty line before a request is tolerated for old clients; two are not.
    private mutating func skipEmptyLine() throws(RequestProblem) {
        guard mayStartWithEmptyLine else { throw .badRequestLine }
        mayStartWithEmptyLine = false
        buffer.removeAll(keepingCapacity: true)
        lineStart = 0
        scanFrom = 0
    }

    private func checkOpenLine() throws(RequestProblem) {
        // A line that is complete but for its line feed still has to fit with it.
        try checkLength(buffer.count - lineStart)
    }

    /// Whichever limit the line reaches first names the refusal, so that splits cannot change it.
    private func checkLength(_ length: Int) throws(RequestProblem) {
        let room = Int(limits.headerBytes) - lineStart
        let own = Int(
            draft.hasRequestLine ? limits.headerFieldBytes : limits.requestLineBytes)
        guard length > min(room, own) else { return }
        if !draft.hasRequestLine { throw RequestProblem(.uriTooLong, "request_line_too_long") }
        throw RequestProblem(
            .headerFieldsTooLarge, own <= room ? "header_too_large" : "headers_too_large")
    }

    private mutating func finish() throws(RequestProblem) -> RequestHead {
        let bytes = buffer
        let draft = draft
        buffer = []
        self.draft = HeadDraft()
        lineStart = 0
        scanFrom = 0
        mayStartWithEmptyLine = true
        return try draft.finish(bytes: bytes, cookieBytes: Int(limits.cookieBytes))
    }
}
