import DeskBytes

/// Decodes the framing of a request's body, without I/O; the result does not depend on how reads
/// split the input.
public struct BodyDecoder: Sendable {
    /// Hexadecimal digits of a chunk's size: 64 bits, so that the sum cannot overflow.
    public static let maximumSizeDigits = 16

    private enum State: Sendable {
        case data(left: UInt64)
        case size(digits: Int, value: UInt64)
        case sizeExtension(count: Int, value: UInt64, ChunkExtension)
        case sizeEnd(value: UInt64)
        case chunk(left: UInt64)
        case chunkCarriageReturn
        case chunkLineFeed
        case trailer
        case done
    }

    private var state: State
    private var trailerLine: [UInt8] = []
    private var trailerBytes = 0
    private var trailerCount = 0
    private let limits: HeadLimits

    /// Starts at the first byte of a body.
    public init(_ framing: BodyFraming, limits: ServerLimits) {
        self.limits = HeadLimits(limits)
        switch framing {
        case .none: state = .done
        case .length(let length): state = length > 0 ? .data(left: UInt64(length)) : .done
        case .chunked: state = .size(digits: 0, value: 0)
        }
    }

    /// Whether the end of the body was read; what follows is the next request.
    public var isComplete: Bool {
        if case .done = state { return true }
        return false
    }

    /// Reads bytes, appends the content to `output` and returns how many bytes were read.
    ///
    /// Limit: stops when `output` has `most` bytes.
    /// - Throws: when the framing is broken; the connection cannot be used any more.
    public mutating func decode(
        _ bytes: Span<UInt8>, into output: inout [UInt8], upTo most: Int
    ) throws(RequestProblem) -> Int {
        var index = 0
        while index < bytes.count {
            switch state {
            case .done:
                return index
            case .data(let left):
                guard output.count < most else { return index }
                let left = left - copy(bytes, &index, &output, most: most, left: left)
                state = left == 0 ? .done : .data(left: left)
            case .chunk(let left):
                guard output.count < most else { return index }
                let left = left - copy(bytes, &index, &output, most: most, left: left)
                state = left == 0 ? .chunkCarriageReturn : .chunk(left: left)
            case .size, .sizeExtension, .sizeEnd, .chunkCarriageReturn, .chunkLineFeed, .trailer:
                try step(bytes[index])
                index += 1
            }
        }
        return index
    }

    private func copy(
        _ bytes: Span<UInt8>, _ index: inout Int, _ output: inout [UInt8], most: Int, left: UInt64
    ) -> UInt64 {
        let room = min(bytes.count - index, most - output.count)
        let count = min(UInt64(room), left)
        let part = bytes.extracting(index..<(index + Int(count)))
        unsafe part.withUnsafeBufferPointer { unsafe output.append(contentsOf: $0) }
        index += Int(count)
        return count
    }

    /// Reads one byte of what is not content.
    private mutating func step(_ byte: UInt8) throws(RequestProblem) {
        switch state {
        case .size(let digits, let value):
            try stepSize(byte, digits: digits, value: value)
        case .sizeExtension(let count, let value, let place):
            if byte == 0x0D, place.mayEnd {
                state = .sizeEnd(value: value)
            } else {
                guard count < limits.chunkExtensionBytes, let next = place.next(byte) else {
                    throw .badChunk
                }
                state = .sizeExtension(count: count + 1, value: value, next)
            }
        case .sizeEnd(let value):
            guard byte == 0x0A else { throw .badChunk }
            state = value == 0 ? .trailer : .chunk(left: value)
        case .chunkCarriageReturn:
            guard byte == 0x0D else { throw .badChunk }
            state = .chunkLineFeed
        case .chunkLineFeed:
            guard byte == 0x0A else { throw .badChunk }
            state = .size(digits: 0, value: 0)
        case .trailer:
            try stepTrailer(byte)
        case .data, .chunk, .done:
            preconditionFailure("content is not read byte by byte")
        }
    }

    private mutating func stepSize(
        _ byte: UInt8, digits: Int, value: UInt64
    ) throws(RequestProblem) {
        if let digit = ASCII.hexValue(byte) {
            guard digits < Self.maximumSizeDigits else { throw .badChunk }
            state = .size(digits: digits + 1, value: value << 4 | UInt64(digit))
        } else if digits > 0, byte == 0x0D {
            state = .sizeEnd(value: value)
        } else if digits > 0, byte == UInt8(ascii: ";") {
            state = .sizeExtension(count: 1, value: value, .beforeName)
        } else {
            throw .badChunk
        }
    }

    /// Trailers are validated as fields are, and dropped.
    private mutating func stepTrailer(_ byte: UInt8) throws(RequestProblem) {
        trailerBytes += 1
        trailerLine.append(byte)
        guard trailerBytes <= limits.headerBytes, trailerLine.count <= limits.headerFieldBytes
        else { throw RequestProblem(.headerFieldsTooLarge, "trailers_too_large") }
        guard byte == 0x0A else { return }
        guard trailerLine.count >= 2, trailerLine[trailerLine.count - 2] == 0x0D else {
            throw .badLineEnd
        }
        if trailerLine.count == 2 {
            state = .done
        } else {
            trailerCount += 1
            guard trailerCount <= limits.headerCount else {
                throw RequestProblem(.headerFieldsTooLarge, "too_many_trailers")
            }
            _ = try FieldLine(0..<(trailerLine.count - 2), in: trailerLine.span)
        }
        trailerLine.removeAll(keepingCapacity: true)
    }
}
