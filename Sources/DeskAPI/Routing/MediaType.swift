import DeskBytes

/// Media types as far as requests distinguish them.
enum MediaType {
    /// Whether a `Content-Type` is `application/json`, whatever its parameters.
    static func isJSON(_ field: String?) -> Bool {
        guard let field else { return false }
        if field.utf8.elementsEqual("application/json".utf8) { return true }
        let name = field.utf8.prefix { $0 != UInt8(ascii: ";") }
        let trimmed = name.filter { $0 != 0x20 && $0 != 0x09 }
        return ASCII.equalsIgnoringCase(trimmed, "application/json".utf8)
    }
}
