import DeskBytes

/// The name of an attribute as a client writes it: an optional URN, an attribute, an optional sub-attribute.
struct SCIMName: Sendable {
    /// The URN of a schema that is no core schema; nil for the attributes at the top of a resource.
    let schema: String?
    /// The attribute; empty where the text was the URN of a core schema, so the whole resource.
    let attribute: String
    /// The sub-attribute.
    let subAttribute: String?

    /// Reads a name; nil for anything else.
    init?(_ text: String) {
        var schema: String?
        var rest = Substring(text)
        if Self.isURN(text), let colon = text.lastIndex(of: ":") {
            // RFC 7644 section 3.10: the URN of a schema stands before its attribute. That of a version,
            // `…:2.0:User`, is one without an attribute.
            let prefix = text[..<colon]
            if Self.isVersion(prefix.split(separator: ":").last ?? "") {
                guard Self.isURNTail(rest[rest.index(after: colon)...]) else { return nil }
                self.schema = nil
                attribute = SCIMSchemas.isCore(text) ? "" : text
                subAttribute = nil
                return
            }
            rest = rest[rest.index(after: colon)...]
            schema = SCIMSchemas.isCore(text) ? nil : String(prefix)
        }
        let parts = rest.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy(Self.isName) else { return nil }
        self.schema = schema
        attribute = String(parts[0])
        subAttribute = parts.count > 1 ? String(parts[1]) : nil
    }

    /// Whether a byte may be part of a name, its URN and its dots included.
    static func isPart(_ byte: UInt8) -> Bool {
        switch byte {
        // Hyphen, low line, dollar sign (of `$ref`), full stop, colon.
        case 0x2D, 0x5F, 0x24, 0x2E, 0x3A: true
        default: ASCII.isAlphanumeric(byte)
        }
    }

    private static func isURN(_ text: String) -> Bool {
        ASCII.equalsIgnoringCase(text.utf8.prefix(4), "urn:".utf8)
            && text.utf8.allSatisfy(isPart)
    }

    private static func isURNTail(_ text: Substring) -> Bool {
        !text.isEmpty && !text.utf8.contains(0x2E)
    }

    private static func isVersion(_ text: Substring) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2
            && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(ASCII.isDigit) }
    }

    private static func isName(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, ASCII.isLetter(first) || first == 0x24 else {
            return false
        }
        return text.utf8.dropFirst().allSatisfy {
            ASCII.isAlphanumeric($0) || $0 == 0x2D || $0 == 0x5F
        }
    }
}
