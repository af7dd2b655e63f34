/// Which codings of an answer a client unpacks (RFC 9110 12.5.3).
public enum ContentCoding {
    /// Whether `Accept-Encoding` names gzip, or everything, and does not forbid it.
    public static func takesGzip(_ request: HeaderFields) -> Bool {
        guard let list = request["accept-encoding"] else { return false }
        var takesAny = false
        for part in list.utf8.split(separator: UInt8(ascii: ",")) {
            let pieces = part.split(separator: UInt8(ascii: ";"))
            guard let first = pieces.first else { continue }
            let coding = String(decoding: TokenList.trimmed(first), as: UTF8.self).lowercasedASCII
            let isWanted = !pieces.dropFirst().contains { isZero(TokenList.trimmed($0)) }
            switch coding {
            // A named coding counts, wherever it appears.
            case "gzip", "x-gzip": return isWanted
            case "*": takesAny = isWanted
            default: continue
            }
        }
        return takesAny
    }

    /// Whether it is a weight of nothing: `q=0`, `q=0.000`.
    static func isZero(_ parameter: Substring.UTF8View) -> Bool {
        var rest = parameter[...]
        guard let name = rest.popFirst(), ByteClass.lowercased(name) == UInt8(ascii: "q"),
            rest.popFirst() == UInt8(ascii: "=")
        else { return false }
        return rest.first == UInt8(ascii: "0")
            && rest.allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") }
    }
}
