import DeskBytes

/// Finds e-mail addresses, as people write them: without quotation marks and comments.
enum EmailScan {
    /// The places of all addresses, in order.
    static func ranges(in bytes: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        for at in bytes.indices where bytes[at] == UInt8(ascii: "@") {
            var start = at
            while start > (found.last?.upperBound ?? 0), isLocal(bytes[start - 1]) { start -= 1 }
            // A dot or hyphen before belongs to the sentence.
            while start < at, bytes[start] == UInt8(ascii: ".") { start += 1 }
            guard start < at, let end = domainEnd(in: bytes, from: at + 1) else { continue }
            found.append(start..<end)
        }
        return found
    }

    /// Where a domain with at least one dot ends; nil where none begins.
    private static func domainEnd(in bytes: [UInt8], from start: Int) -> Int? {
        var end = start
        while end < bytes.count,
            ASCII.isAlphanumeric(bytes[end]) || bytes[end] == UInt8(ascii: "-")
                || bytes[end] == UInt8(ascii: ".")
        {
            end += 1
        }
        // What ends a sentence is no part of it.
        while end > start, !ASCII.isAlphanumeric(bytes[end - 1]) { end -= 1 }
        let labels = bytes[start..<end].split(
            separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.count >= 2, labels.allSatisfy({ !$0.isEmpty }),
            let last = labels.last, last.count >= 2
        else { return nil }
        return end
    }

    private static func isLocal(_ byte: UInt8) -> Bool {
        ASCII.isAlphanumeric(byte) || ".!#$%&'*+/=?^_`{|}~-".utf8.contains(byte)
    }
}
