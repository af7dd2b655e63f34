extension Writing {
    /// An address of at most so many characters; nil, with findings, where it is longer, since the beginning of an
    /// address leads elsewhere.
    ///
    /// - Parameter isURI: whether the vendor refuses what is no URI after RFC 3986, such as letters beyond ASCII.
    mutating func address(
        of link: Link, upTo limit: Int, isURI: Bool = false
    ) -> Sourced<String>? {
        var address = link.address
        if isURI { address.value = Self.uri(address.value) }
        let count = shape.unit.count(address.value)
        guard count <= limit else {
            losses.note(
                .dropped, at: address.places,
                "An address in \(shape.name) has at most \(limit) characters.", limit: limit,
                actual: count)
            losses.note(
                .changed, at: link.places, "A link without its address becomes its title.")
            return nil
        }
        if address.value.utf8.count != link.address.value.utf8.count {
            losses.note(
                .changed, at: address.places,
                "An address in \(shape.name) is ASCII; its other signs are percent-encoded.")
        }
        return address
    }

    /// An address whose bytes that no URI has are percent-encoded; what is encoded already stays.
    private static func uri(_ address: String) -> String {
        let bytes = Array(address.utf8)
        let digits = Array("0123456789ABCDEF".utf8)
        var written: [UInt8] = []
        for (place, byte) in bytes.enumerated() {
            let isKept: Bool
            if byte == percent {
                let next = bytes[(place + 1)...].prefix(2)
                isKept = next.count == 2 && next.allSatisfy { isHexDigit($0) }
            } else {
                isKept = byte > 0x20 && byte < 0x7F && !refused.contains(byte)
            }
            if isKept {
                written.append(byte)
            } else {
                written += [percent, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: written, as: UTF8.self)
    }

    private static let percent = UInt8(ascii: "%")
    /// What no URI has among the signs of ASCII.
    private static let refused = Set(#""<>\^`{|}"#.utf8)

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
    }
}
