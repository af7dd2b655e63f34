/// A place in a text, in bytes and as an editor counts.
public struct JSONPosition: Sendable, Equatable {
    /// Bytes before it.
    public let offset: Int
    /// Lines from 1; LF, CR LF and a lone CR end a line.
    public let line: Int
    /// Unicode scalars from 1 within the line.
    public let column: Int

    /// The first place of every text.
    static let start = JSONPosition(offset: 0, line: 1, column: 1)

    /// The place of a byte offset; offsets outside the text are moved to its nearest end.
    ///
    /// Limit: counts from the text's begin; for many places of one text there is ``LineIndex``.
    public init(offset: Int, in bytes: [UInt8]) {
        self = JSONPosition.start.advanced(to: offset, in: bytes)
    }

    private init(offset: Int, line: Int, column: Int) {
        self.offset = offset
        self.line = line
        self.column = column
    }

    /// The place of an offset that is not before this one.
    func advanced(to offset: Int, in bytes: [UInt8]) -> JSONPosition {
        let end = min(max(offset, self.offset), bytes.count)
        var line = line
        var column = column
        let span = bytes.span
        for index in self.offset..<end {
            let byte = span[index]
            if byte > 0x0D {
                if byte & 0xC0 != 0x80 { column += 1 }
            } else if byte == 0x0A || byte == 0x0D && !Self.isLineFeed(span, index + 1) {
                line += 1
                column = 1
            } else {
                // A CR right before an LF is half a line end, not a separate one.
                column += 1
            }
        }
        return JSONPosition(offset: end, line: line, column: column)
    }

    private static func isLineFeed(_ bytes: Span<UInt8>, _ index: Int) -> Bool {
        index < bytes.count && bytes[index] == 0x0A
    }
}
