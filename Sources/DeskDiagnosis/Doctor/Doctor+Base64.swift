import DeskBytes

/// Fields that hold bytes as letters.
extension Doctor {
    /// Fewest hexadecimal digits that are read as hex where base64 is due and nothing else decides.
    private static let certainDigits = 32

    /// A field with the base64 of a picture: what it decodes to shows what happened.
    static func picture(_ text: [UInt8]) -> ValueFinding? {
        guard !isPicture(text) else { return nil }
        let found = String(shown: text)
        if let bytes = Hex.decode(text), isPictureHead(bytes) {
            return ValueFinding(
                .hexForBase64, found: "hex: \(found)", text: Base64.encodeBytes(bytes),
                "The picture is in hex: encode its bytes as base64, not their digits.")
        }
        if let inner = Base64.decode(text) {
            if let bytes = Hex.decode(inner), isPictureHead(bytes) {
                return ValueFinding(
                    .base64OfHex, found: "base64 of hex: \(found)",
                    text: Base64.encodeBytes(bytes),
                    "The picture was turned into hex first, and that into base64: encode its bytes."
                )
            }
            if isPicture(inner) {
                return ValueFinding(
                    .base64Twice, found: "base64 of base64: \(found)", text: inner,
                    "The picture was encoded as base64 twice: encode it once.")
            }
            if Gzip.isGzip(inner), let bytes = unpacked(inner), isPictureHead(bytes) {
                return ValueFinding(
                    .base64OfGzip, found: "base64 of gzip: \(found)",
                    text: Base64.encodeBytes(bytes),
                    "The picture was packed with gzip first: encode its own bytes.")
            }
        }
        return layout(text, found)
    }

    /// Base64 of a picture with something about its letters that is not standard.
    private static func layout(_ text: [UInt8], _ found: String) -> ValueFinding? {
        if let comma = text.firstIndex(of: UInt8(ascii: ",")), text.starts(with: "data:".utf8) {
            let rest = Array(text[(comma + 1)...])
            let standard = Base64.decode(rest) == nil ? standardized(rest) : rest
            guard let standard, isPicture(standard) else { return nil }
            return ValueFinding(
                .dataURL, found: "a data: address: \(found)", text: standard,
                "The picture is a data: address: leave out all up to its comma.")
        }
        if text.contains(UInt8(ascii: "%")) {
            guard let plain = PercentCoding.decode(text), isPicture(plain) else { return nil }
            return ValueFinding(
                .percentURL, found: "percent-encoded base64: \(found)", text: plain,
                "The base64 is percent-encoded, as for an address: leave it as it is.")
        }
        guard let standard = standardized(text), isPicture(standard) else { return nil }
        return misspelt(text, standard, found)
    }

    /// A field with base64 of bytes that nothing is known of.
    static func opaqueBase64(_ text: [UInt8]) -> ValueFinding? {
        let found = String(shown: text)
        if let bytes = Hex.decode(text), isSurelyHex(text) {
            return ValueFinding(
                .hexForBase64, found: "hex: \(found)", text: Base64.encodeBytes(bytes),
                "The value is in hex: encode its bytes as base64, not their digits.")
        }
        if let inner = Base64.decode(text) {
            guard let bytes = Hex.decode(inner), inner.count >= certainDigits else { return nil }
            return ValueFinding(
                .base64OfHex, found: "base64 of hex: \(found)", text: Base64.encodeBytes(bytes),
                "The value was turned into hex first, and that into base64: encode its bytes.")
        }
        guard let standard = standardized(text) else { return nil }
        return misspelt(text, standard, found)
    }

    private static func misspelt(
        _ text: [UInt8], _ standard: [UInt8], _ found: String
    ) -> ValueFinding {
        if text.contains(where: { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }) {
            return ValueFinding(
                .base64URL, found: "base64url: \(found)", text: standard,
                "The value is base64url, with - and _: use the standard alphabet with + and /, "
                    + "filled up with =.")
        }
        return ValueFinding(
            .base64Layout, found: "base64 with line ends, or without = at its end: \(found)",
            text: standard, "Write base64 in one line, filled up with = to a multiple of four.")
    }

    /// A key, or a check sum, that is base64 where hex is due.
    static func fileKey(_ text: [UInt8]) -> ValueFinding? {
        guard text.count < 66, let bytes = Base64.decode(standardized(text) ?? text) else {
            return nil
        }
        let hex: [UInt8]
        switch bytes.count {
        case 33 where bytes[0] == 0: hex = Hex.encodeBytes(bytes)
        case 32: hex = Array("00".utf8) + Hex.encodeBytes(bytes)
        default: return nil
        }
        return ValueFinding(
            .base64ForHex, found: "base64: \(String(shown: text))", text: hex,
            "The key is base64: write 00 and the hexadecimal digits of its 32 bytes.")
    }

    /// A check sum that is base64 where hex is due; its first byte names its kind.
    static func checksum(_ text: [UInt8]) -> ValueFinding? {
        guard Hex.decode(text) == nil, let bytes = Base64.decode(text), bytes.count >= 21,
            bytes[0] <= 4
        else { return nil }
        return ValueFinding(
            .base64ForHex, found: "base64: \(String(shown: text))", text: Hex.encodeBytes(bytes),
            "The check sum is base64: write its hexadecimal digits here, or name the member "
                + "signature-base64.")
    }

    // MARK: What letters are

    /// Whether a text of nothing but digits of one case is hex beyond doubt: either it cannot be
    /// base64, or chance does not make that many such letters.
    private static func isSurelyHex(_ text: [UInt8]) -> Bool {
        guard text.count.isMultiple(of: 4) else { return text.count >= 16 }
        let hasCapitals = text.contains { ASCII.isLetter($0) && $0 & 0x20 == 0 }
        let hasSmall = text.contains { ASCII.isLetter($0) && $0 & 0x20 != 0 }
        let hasDigits = text.contains(where: ASCII.isDigit)
        return text.count >= certainDigits && hasDigits && hasCapitals != hasSmall
    }

    /// The text in the standard alphabet, in one line and filled up; nil when it is no base64, or is
    /// that already.
    private static func standardized(_ text: [UInt8]) -> [UInt8]? {
        var out = text.filter { !isSpace($0) }
            .map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "+") : $0 }
            .map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "/") : $0 }
        while out.last == UInt8(ascii: "=") { out.removeLast() }
        guard out.count >= 16, out.count % 4 != 1 else { return nil }
        while out.count % 4 != 0 { out.append(UInt8(ascii: "=")) }
        return out == text || Base64.decode(out) == nil ? nil : out
    }

    private static func isPicture(_ text: [UInt8]) -> Bool {
        guard Base64Shape.byteCount(of: text) != nil,
            let head = Base64.decode(Array(text.prefix(16)), padding: .optional)
        else { return false }
        return PictureFormat(firstBytes: head) != nil
    }

    private static func isPictureHead(_ bytes: [UInt8]) -> Bool {
        PictureFormat(firstBytes: bytes) != nil
    }

    private static func unpacked(_ bytes: [UInt8]) -> [UInt8]? {
        // Safe: what cannot be unpacked is no picture that was packed.
        try? Gzip.decompress(bytes, limitBytes: maximumBytes)
    }
}
