import DeskBytes

/// The target of a request, split and decoded once.
struct RequestTarget {
    let path: RequestPath
    let query: Query

    /// Reads a target that starts with a slash (RFC 9112 3.2.1).
    ///
    /// Query items that cannot be decoded are left out; the query records that.
    ///
    /// - Throws: 400 for bytes that have no place there, a broken escape, an escaped slash, NUL or other
    ///   control byte, a dot segment in any spelling, and text that is not UTF-8.
    init(originForm target: String) throws(RequestProblem) {
        try self.init(Array(target.utf8)[...])
    }

    init(_ bytes: ArraySlice<UInt8>) throws(RequestProblem) {
        let mark = bytes.firstIndex(of: UInt8(ascii: "?"))
        path = try RequestTarget.path(bytes[..<(mark ?? bytes.endIndex)])
        query =
            try mark.map { at throws(RequestProblem) in
                try RequestTarget.query(bytes[(at + 1)...])
            } ?? Query()
    }

    /// Converts any form of target to origin form (RFC 9112 3.2).
    ///
    /// An absolute target must name the same host as the Host field: two names are one too many. The
    /// asterisk and the authority form become `/`: OPTIONS and CONNECT never reach a route by them.
    static func normal(
        _ target: ArraySlice<UInt8>, method: Method, host: ArraySlice<UInt8>
    ) throws(RequestProblem) -> ArraySlice<UInt8> {
        if method == .connect {
            guard Authority.isValid(target) else { throw bad }
            return [UInt8(ascii: "/")]
        }
        if target.first == UInt8(ascii: "/") { return target }
        if method == .options, target.elementsEqual([UInt8(ascii: "*")]) {
            return [UInt8(ascii: "/")]
        }
        for scheme in ["http://", "https://"]
        where target.prefix(scheme.utf8.count).lazy.map(ByteClass.lowercased)
            .elementsEqual(scheme.utf8)
        {
            let rest = target.dropFirst(scheme.utf8.count)
            let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
            let named = rest[..<(end ?? rest.endIndex)]
            guard
                named.lazy.map(ByteClass.lowercased)
                    .elementsEqual(host.lazy.map(ByteClass.lowercased))
            else { throw bad }
            let path = rest[(end ?? rest.endIndex)...]
            return path.first == UInt8(ascii: "/") ? path : [UInt8(ascii: "/")] + path
        }
        throw bad
    }

    private static func path(_ bytes: ArraySlice<UInt8>) throws(RequestProblem) -> RequestPath {
        guard bytes.first == UInt8(ascii: "/") else { throw bad }
        var hasEscapes = false
        var slashes = 0
        for byte in bytes {
            if byte == UInt8(ascii: "%") {
                hasEscapes = true
            } else {
                guard ByteClass.isPath(byte) else { throw bad }
                if byte == UInt8(ascii: "/") { slashes += 1 }
            }
        }
        if bytes.count == 1 { return RequestPath(segments: []) }
        var segments: [String] = []
        segments.reserveCapacity(slashes)
        var start = bytes.startIndex + 1
        for index in start...bytes.endIndex
        where index == bytes.endIndex || bytes[index] == UInt8(ascii: "/") {
            segments.append(
                hasEscapes
                    ? try escapedSegment(bytes[start..<index]) : try segment(bytes[start..<index]))
            start = index + 1
        }
        return RequestPath(segments: segments)
    }

    /// A segment without escapes: bytes of a path are visible ASCII, so only dots can be wrong.
    private static func segment(_ part: ArraySlice<UInt8>) throws(RequestProblem) -> String {
        guard !isDots(part) else { throw bad }
        return String(decoding: part, as: UTF8.self)
    }

    private static func escapedSegment(_ part: ArraySlice<UInt8>) throws(RequestProblem) -> String {
        guard let decoded = PercentCoding.decode(part, plusIsSpace: false) else { throw bad }
        let isHidden = decoded.contains { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "/") }
        guard !isDots(decoded[...]), !isHidden,
            let text = String(validating: decoded, as: UTF8.self)
        else { throw bad }
        return text
    }

    private static func isDots(_ part: ArraySlice<UInt8>) -> Bool {
        part.count <= 2 && !part.isEmpty && part.allSatisfy { $0 == UInt8(ascii: ".") }
    }

    private static func query(_ bytes: ArraySlice<UInt8>) throws(RequestProblem) -> Query {
        guard bytes.allSatisfy(ByteClass.isQuery) else { throw bad }
        return FormCoding.decodeWhatCan(bytes)
    }

    private static let bad = RequestProblem(.badRequest, "bad_target")
}
