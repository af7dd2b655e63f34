import DeskBytes

/// URI references in schemas: parsed and resolved after RFC 3986, section 5.
struct SchemaURI: Sendable {
    var scheme: ArraySlice<UInt8>?
    var authority: ArraySlice<UInt8>?
    var path: ArraySlice<UInt8>
    var query: ArraySlice<UInt8>?
    var fragment: ArraySlice<UInt8>?

    init(_ text: String) {
        var rest = Array(text.utf8)[...]
        if let hash = rest.firstIndex(of: 0x23) {
            fragment = rest[(hash + 1)...]
            rest = rest[..<hash]
        }
        if let mark = rest.firstIndex(of: 0x3F) {
            query = rest[(mark + 1)...]
            rest = rest[..<mark]
        }
        if let colon = rest.firstIndex(of: 0x3A),
            !rest[..<colon].contains(0x2F), colon > rest.startIndex
        {
            scheme = rest[..<colon]
            rest = rest[(colon + 1)...]
        }
        if rest.starts(with: [0x2F, 0x2F]) {
            let name = rest.dropFirst(2)
            let end = name.firstIndex(of: 0x2F) ?? name.endIndex
            authority = name[..<end]
            rest = name[end...]
        }
        path = rest
    }

    /// The whole reference; `withFragment: false` leaves the fragment out.
    func text(withFragment: Bool) -> String {
        var out: [UInt8] = []
        if let scheme { out += scheme + [0x3A] }
        if let authority { out += [0x2F, 0x2F] + authority }
        out += path
        if let query { out += [0x3F] + query }
        if withFragment, let fragment { out += [0x23] + fragment }
        return String(decoding: out, as: UTF8.self)
    }

    /// The reference as seen from a base.
    func resolved(against base: SchemaURI) -> SchemaURI {
        var target = self
        if scheme != nil {
            target.path = SchemaURI.withoutDots(path)
            return target
        }
        target.scheme = base.scheme
        if authority != nil {
            target.path = SchemaURI.withoutDots(path)
            return target
        }
        target.authority = base.authority
        if path.isEmpty {
            target.path = base.path
            if query == nil { target.query = base.query }
        } else if path.first == 0x2F {
            target.path = SchemaURI.withoutDots(path)
        } else {
            target.path = SchemaURI.withoutDots(merged(base))
        }
        return target
    }

    /// The fragment with its percent escapes undone; nil when they are wrong.
    var decodedFragment: String? {
        guard let fragment else { return "" }
        return PercentCoding.decode(fragment).flatMap { String(validating: $0, as: UTF8.self) }
    }

    private func merged(_ base: SchemaURI) -> ArraySlice<UInt8> {
        if base.authority != nil, base.path.isEmpty { return [0x2F] + path }
        guard let slash = base.path.lastIndex(of: 0x2F) else { return path }
        return base.path[...slash] + path
    }

    private static func withoutDots(_ path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard path.contains(0x2E) else { return path }
        var out: [ArraySlice<UInt8>] = []
        let isRooted = path.first == 0x2F
        let parts = path.split(separator: 0x2F, omittingEmptySubsequences: false)
        for (place, part) in parts.enumerated() {
            let isLast = place == parts.count - 1
            if part.elementsEqual([0x2E]) {
                if isLast { out.append([]) }
            } else if part.elementsEqual([0x2E, 0x2E]) {
                if out.count > (isRooted ? 1 : 0) { out.removeLast() }
                if isLast { out.append([]) }
            } else {
                out.append(part)
            }
        }
        return Array(out.joined(separator: [0x2F]))[...]
    }
}
