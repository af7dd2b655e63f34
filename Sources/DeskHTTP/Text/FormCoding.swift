import DeskBytes

/// `application/x-www-form-urlencoded` text, in queries and in bodies.
public enum FormCoding {
    /// Reads `a=b&c=d`; nil for a broken escape or text that is not UTF-8.
    ///
    /// Empty parts are skipped.
    public static func decode(_ bytes: some Collection<UInt8>) -> Query? {
        let query = decodeWhatCan(bytes)
        return query.isCut ? nil : query
    }

    /// Reads `a=b&c=d`, without the parts that `decode` would refuse.
    ///
    /// People and other programs pass addresses around and add what they like; the reader of the
    /// query decides whether `isCut` matters.
    static func decodeWhatCan(_ bytes: some Collection<UInt8>) -> Query {
        var isCut = false
        var items: [Query.Item] = []
        for part in bytes.split(separator: UInt8(ascii: "&")) {
            let equals = part.firstIndex(of: UInt8(ascii: "="))
            let name = part[..<(equals ?? part.endIndex)]
            let value = equals.map { part[part.index(after: $0)...] } ?? part[part.endIndex...]
            guard let name = text(name), let value = text(value) else {
                isCut = true
                continue
            }
            items.append(Query.Item(name: name, value: value))
        }
        return Query(items: items, isCut: isCut)
    }

    /// Writes names and values so that `decode` gives them back.
    public static func encode(_ query: Query) -> String {
        query.items
            .map { "\(PercentCoding.encode($0.name))=\(PercentCoding.encode($0.value))" }
            .joined(separator: "&")
    }

    private static func text(_ bytes: some Collection<UInt8>) -> String? {
        guard let decoded = PercentCoding.decode(bytes, plusIsSpace: true) else { return nil }
        return String(validating: decoded, as: UTF8.self)
    }
}
