/// The lines of one text, counted once for any number of offsets, and only as far as needed.
public struct LineIndex: Sendable {
    /// Bytes between two stored offsets; a lookup scans at most this many.
    private static let stride = 1_024

    private let bytes: [UInt8]
    private var marks = [JSONPosition.start]

    /// The lines of a text.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The place of a byte offset; offsets outside the text are moved to its nearest end.
    public mutating func position(of offset: Int) -> JSONPosition {
        let end = min(max(offset, 0), bytes.count)
        var last = marks[marks.count - 1]
        while last.offset + Self.stride <= end {
            last = last.advanced(to: last.offset + Self.stride, in: bytes)
            marks.append(last)
        }
        return marks[end / Self.stride].advanced(to: end, in: bytes)
    }
}
