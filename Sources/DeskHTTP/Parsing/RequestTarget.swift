/// The target of a request, taken apart and decoded once.
struct RequestTarget {
    let path: RequestPath
    let query: Query

    /// Reads a target that starts with a slash (RFC 9112 3.2.1).
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

    /// Turns any form of target into origin form (RFC 9112 3.2).
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
        guard bytes.allSatisfy({ ByteClass.isPath($0) || $0 == UInt8(ascii: "%") }) else {
            throw bad
        }
        if bytes.count == 1 { return RequestPath(segments: []) }
        var segments: [String] = []
        for part in bytes.dropFirst().split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        {
            guard let decoded = PercentCoding.decode(part, plusIsSpace: false) else { throw bad }
            let isDots = decoded == [0x2E] || decoded == [0x2E, 0x2E]
            let isHidden = decoded.contains { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "/") }
            guard !isDots, !isHidden, let text = String(validating: decoded, as: UTF8.self) else {
                throw bad
            }
            segments.append(text)
        }
        return RequestPath(segments: segments)
    }

    private static func query(_ bytes: ArraySlice<UInt8>) throws(RequestProblem) -> Query {
        guard bytes.allSatisfy(ByteClass.isQuery), let query = FormCoding.decode(bytes) else {
            throw bad
        }
        return query
    }

    private static let bad = RequestProblem(.badRequest, "bad_target")
}
