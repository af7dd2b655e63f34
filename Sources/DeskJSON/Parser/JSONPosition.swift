/// A place in a text, in bytes and as an editor counts.
public struct JSONPosition: Sendable, Equatable {
    /// Bytes before it.
    public let offset: Int
    /// Lines from 1; LF, CR LF and a lone CR end a line.
    public let line: Int
    /// Unicode scalars from 1 within the line.
    public let column: Int

    /// The place of a byte offset; offsets outside the text are moved to its nearest end.
    public init(offset: Int, in bytes: [UInt8]) {
        let end = min(max(offset, 0), bytes.count)
        var line = 1
        var lineStart = 0
        for index in 0..<end {
            let byte = bytes[index]
            guard byte == 0x0A || byte == 0x0D else { continue }
            // A CR right before an LF is half a line end, not one of its own.
            if byte == 0x0D, index + 1 < bytes.count, bytes[index + 1] == 0x0A { continue }
            line += 1
            lineStart = index + 1
        }
        var column = 1
        for index in lineStart..<end where bytes[index] & 0xC0 != 0x80 { column += 1 }
        self.offset = end
        self.line = line
        self.column = column
    }
}
