import CZlib

/// Why gzip data could not be decompressed.
public enum GzipError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The bytes are not gzip, or their checksum is wrong.
    case damaged
    /// The bytes end before the stream does.
    case truncated
    /// The decompressed data would exceed the given limit.
    case tooLarge
    /// The library could not be set up.
    case unavailable

    /// The code, fit for a log.
    public var description: String {
        switch self {
        case .damaged: "GzipError(damaged)"
        case .truncated: "GzipError(truncated)"
        case .tooLarge: "GzipError(tooLarge)"
        case .unavailable: "GzipError(unavailable)"
        }
    }
}

/// Compresses and decompresses gzip (RFC 1952) with a limit on the output.
public enum Gzip {
    /// Whether the bytes start like gzip data.
    public static func isGzip(_ bytes: [UInt8]) -> Bool {
        bytes.count >= 3 && bytes[0] == 0x1F && bytes[1] == 0x8B && bytes[2] == 8
    }

    /// Compresses the bytes into one member; the level is 1 (fast) to 9 (small).
    public static func compress(_ bytes: [UInt8], level: Int = 6) throws(GzipError) -> [UInt8] {
        try compress(bytes, level: level, windowBits: 15 + 16)
    }

    /// Compresses the bytes without a header and a checksum around them (RFC 1951).
    public static func compressBare(_ bytes: [UInt8]) throws(GzipError) -> [UInt8] {
        try compress(bytes, level: 6, windowBits: -15)
    }

    private static func compress(
        _ bytes: [UInt8], level: Int, windowBits: Int32
    ) throws(GzipError) -> [UInt8] {
        var stream = unsafe z_stream()
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        let started = unsafe deflateInit2_(
            &stream, Int32(min(max(level, 1), 9)), Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY,
            ZLIB_VERSION, size)
        guard started == Z_OK else { throw .unavailable }
        defer { unsafe _ = deflateEnd(&stream) }
        guard bytes.count < Int(UInt32.max) else { throw .tooLarge }
        let bound = Int(unsafe deflateBound(&stream, UInt(bytes.count)))
        var failed = false
        let out = unsafe [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
            unsafe bytes.withUnsafeBufferPointer { input in
                unsafe stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                unsafe stream.avail_in = UInt32(input.count)
                unsafe stream.next_out = buffer.baseAddress
                unsafe stream.avail_out = UInt32(bound)
                unsafe failed = deflate(&stream, Z_FINISH) != Z_STREAM_END
            }
            unsafe count = bound - Int(stream.avail_out)
        }
        guard !failed else { throw .unavailable }
        return out
    }

    /// Decompresses all members.
    ///
    /// Limit: never holds more than `limitBytes` of output and one chunk of 64 KiB.
    /// - Throws: `tooLarge` as soon as the limit would be exceeded, `truncated` and `damaged`
    ///   otherwise; bytes after the last member are damage.
    public static func decompress(
        _ bytes: [UInt8], limitBytes: Int
    ) throws(GzipError) -> [UInt8] {
        guard bytes.count < Int(UInt32.max) else { throw .tooLarge }
        guard !bytes.isEmpty else { throw .truncated }
        var stream = unsafe z_stream()
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        guard unsafe inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, size) == Z_OK else {
            throw .unavailable
        }
        defer { unsafe _ = inflateEnd(&stream) }
        var out: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        let result: Result<Void, GzipError> = unsafe bytes.withUnsafeBufferPointer { input in
            unsafe stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            unsafe stream.avail_in = UInt32(input.count)
            return unsafe inflateAll(&stream, into: &out, chunk: &chunk, limitBytes: limitBytes)
        }
        try result.get()
        return out
    }

    private static func inflateAll(
        _ stream: inout z_stream, into out: inout [UInt8], chunk: inout [UInt8], limitBytes: Int
    ) -> Result<Void, GzipError> {
        while true {
            let status = unsafe chunk.withUnsafeMutableBufferPointer { buffer in
                unsafe stream.next_out = buffer.baseAddress
                unsafe stream.avail_out = UInt32(buffer.count)
                return unsafe inflate(&stream, Z_NO_FLUSH)
            }
            let made = unsafe chunk.count - Int(stream.avail_out)
            guard out.count + made <= limitBytes else { return .failure(.tooLarge) }
            out.append(contentsOf: chunk[..<made])
            switch status {
            case Z_STREAM_END:
                guard unsafe stream.avail_in > 0 else { return .success(()) }
                guard unsafe inflateReset(&stream) == Z_OK else { return .failure(.unavailable) }
            case Z_OK:
                if unsafe stream.avail_in == 0 && stream.avail_out > 0 {
                    return .failure(.truncated)
                }
            case Z_BUF_ERROR: return .failure(.truncated)
            case Z_MEM_ERROR: return .failure(.unavailable)
            default: return .failure(.damaged)
            }
        }
    }
}
