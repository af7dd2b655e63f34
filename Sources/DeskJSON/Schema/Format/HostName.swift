import DeskBytes

/// Judges host names: RFC 1123 and, for wide ones and `xn--` labels, IDNA 2008.
enum HostName {
    /// Whether the text is a host name; a wide one may hold letters beyond ASCII.
    static func isHostName(_ text: Span<UInt8>, mayBeWide: Bool) -> Bool {
        guard !text.isEmpty, text.count <= 1024 else { return false }
        var isASCII = true
        for index in text.indices where text[index] >= 0x80 { isASCII = false }
        guard isASCII || mayBeWide else { return false }
        if isASCII { return isASCIIName(text) }
        return isWideName(text)
    }

    private static func isASCIIName(_ text: Span<UInt8>) -> Bool {
        guard text.count <= 253 else { return false }
        var encoded: [[Unicode.Scalar]] = []
        var start = 0
        while start <= text.count {
            var end = start
            while end < text.count, text[end] != 0x2E { end += 1 }
            guard isASCIILabel(text.extracting(start..<end), encoded: &encoded) else {
                return false
            }
            start = end + 1
        }
        return encoded.isEmpty || fitsBidiRule(encoded)
    }

    /// RFC 5893: where one label runs from right to left, all have to be in order.
    private static func fitsBidiRule(_ labels: [[Unicode.Scalar]]) -> Bool {
        !labels.contains { BidiRule.runsRightToLeft($0) }
            || labels.allSatisfy { BidiRule.allows($0) }
    }

    private static func isASCIILabel(
        _ label: Span<UInt8>, encoded: inout [[Unicode.Scalar]]
    ) -> Bool {
        guard !label.isEmpty, label.count <= 63, label[0] != 0x2D, label[label.count - 1] != 0x2D
        else { return false }
        for index in label.indices {
            guard ASCII.isAlphanumeric(label[index]) || label[index] == 0x2D else { return false }
        }
        guard label.count >= 4, label[2] == 0x2D, label[3] == 0x2D else { return true }
        // RFC 5891, 4.2.3.1: hyphens there are kept for labels such as `xn--`.
        guard label[0] | 0x20 == 0x78, label[1] | 0x20 == 0x6E else { return false }
        var text: [UInt8] = []
        for index in 4..<label.count { text.append(ASCII.lowercased(label[index])) }
        guard let scalars = Punycode.decode(text), scalars.contains(where: { !$0.isASCII }),
            Punycode.encode(scalars) == text
        else { return false }
        encoded.append(scalars)
        return DomainLabel.isValid(scalars)
    }

    private static func isWideName(_ text: Span<UInt8>) -> Bool {
        var bytes: [UInt8] = []
        for index in text.indices { bytes.append(text[index]) }
        let scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
        // RFC 3490, 3.1: these three separate labels as the full stop does.
        let dots: [Unicode.Scalar] = [".", "\u{3002}", "\u{FF0E}", "\u{FF61}"]
        var labels: [[Unicode.Scalar]] = []
        var total = 0
        for part in scalars.split(omittingEmptySubsequences: false, whereSeparator: dots.contains) {
            let label = Array(part)
            if label.allSatisfy({ $0.isASCII }) {
                let ascii = label.map { UInt8($0.value) }
                guard isASCIILabel(ascii.span, encoded: &labels) else { return false }
                labels.append(label)
                total += ascii.count + 1
            } else {
                guard DomainLabel.isValid(label) else { return false }
                let length = Punycode.encode(label).count + 4
                guard length <= 63 else { return false }
                labels.append(label)
                total += length + 1
            }
        }
        return total - 1 <= 253 && fitsBidiRule(labels)
    }
}
