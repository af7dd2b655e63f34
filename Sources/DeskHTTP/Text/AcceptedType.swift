/// Which types of an answer a client asks for by name (RFC 9110 12.5.1).
public enum AcceptedType {
    /// Whether `Accept` names this type and does not forbid it; a range with `*` names no type.
    ///
    /// Browsers name `text/html` when a person opens an address, and programs do not.
    public static func isNamed(_ type: String, by request: HeaderFields) -> Bool {
        guard let list = request["accept"] else { return false }
        return list.utf8.split(separator: UInt8(ascii: ",")).contains { part in
            let pieces = part.split(separator: UInt8(ascii: ";"))
            guard let first = pieces.first else { return false }
            let name = String(decoding: TokenList.trimmed(first), as: UTF8.self).lowercasedASCII
            return name == type
                && !pieces.dropFirst().contains { ContentCoding.isZero(TokenList.trimmed($0)) }
        }
    }
}
