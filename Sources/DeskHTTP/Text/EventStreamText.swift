/// Writes the text of an event stream (HTML standard, 9.2.6).
public enum EventStreamText {
    /// One event; `data` may have several lines, each becomes a field of its own.
    ///
    /// Line ends in the id or the name would start another field, so such a text is left out. CR, LF
    /// and CRLF inside `data` all arrive as LF: send JSON, which escapes them, to keep bytes exact.
    public static func event(
        id: String? = nil, name: String? = nil, data: some Collection<UInt8>
    ) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(data.count + 64)
        if let id, isOneLine(id) { field("id", id.utf8, &text) }
        if let name, isOneLine(name) { field("event", name.utf8, &text) }
        var lineStart = data.startIndex
        var index = data.startIndex
        while index < data.endIndex {
            let byte = data[index]
            var next = data.index(after: index)
            if byte == 0x0A || byte == 0x0D {
                field("data", data[lineStart..<index], &text)
                if byte == 0x0D, next < data.endIndex, data[next] == 0x0A {
                    next = data.index(after: next)
                }
                lineStart = next
            }
            index = next
        }
        field("data", data[lineStart...], &text)
        text.append(0x0A)
        return text
    }

    /// A line that readers skip; keeps proxies and dead connections honest.
    public static let heartbeat = Array(":\n\n".utf8)

    /// Tells the reader how long to wait before it connects again.
    public static func retry(milliseconds: Int) -> [UInt8] {
        Array("retry: \(max(0, milliseconds))\n\n".utf8)
    }

    private static func field(
        _ name: String, _ value: some Collection<UInt8>, _ text: inout [UInt8]
    ) {
        text.append(contentsOf: name.utf8)
        text.append(UInt8(ascii: ":"))
        text.append(0x20)
        text.append(contentsOf: value)
        text.append(0x0A)
    }

    private static func isOneLine(_ text: String) -> Bool {
        !text.utf8.contains { $0 == 0x0A || $0 == 0x0D || $0 == 0 }
    }
}
