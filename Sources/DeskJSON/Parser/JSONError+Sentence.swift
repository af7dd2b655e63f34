import DeskBytes

extension JSONError {
    /// Makes an error with place and sentence from the parser's fault.
    init(_ fault: Parser.Fault, in bytes: [UInt8], limits: JSONLimits) {
        code = fault.code
        position = JSONPosition(offset: fault.at, in: bytes)
        earlier = fault.earlier.map { JSONPosition(offset: $0, in: bytes) }
        sentence = JSONError.sentence(
            fault, in: bytes, limits: limits,
            earlier: fault.earlier.map { JSONPosition(offset: $0, in: bytes) })
    }

    private static func sentence(
        _ fault: Parser.Fault, in bytes: [UInt8], limits: JSONLimits, earlier: JSONPosition?
    ) -> String {
        let at = fault.at
        switch fault.code {
        case .emptyText: return "The text is empty."
        case .byteOrderMark:
            return "The text starts with a byte order mark (EF BB BF); remove these three bytes."
        case .notUTF8: return foreignEncoding(bytes)
        case .unexpectedByte: return unexpected(at, in: bytes)
        case .unexpectedEnd: return "The text ends before the value does."
        case .trailingBytes: return "After the value comes \(shown(at, in: bytes))."
        case .badLiteral: return badWord(at, in: bytes)
        case .badNumber: return badNumber(at, in: bytes)
        case .controlByte:
            return "A string holds \(shown(at, in: bytes)) as it is; write it as an escape."
        case .badEscape: return badEscape(at, in: bytes)
        case .loneSurrogate:
            let unit = word(at, in: bytes, length: 6)
            return "The escape \(unit) is one half of a surrogate pair without the other."
        case .badUTF8:
            return "A string holds the byte 0x\(hex(bytes[at])), which is not UTF-8 here."
        case .duplicateKey:
            let line = earlier.map { " (line \($0.line), column \($0.column))" } ?? ""
            return "The key \(quoted(at, in: bytes)) is in this object already\(line)."
        case .tooDeep: return "Arrays and objects are nested more than \(limits.depth) deep."
        case .tooManyNodes: return "The text has more than \(limits.nodes) values."
        case .tooManyKeys:
            return "An object has more than \(limits.keysPerObject) keys."
        case .keyTooLong: return "A key is longer than \(limits.keyBytes) bytes."
        case .numberTooLong: return "A number is longer than \(limits.numberBytes) bytes."
        case .textTooLong: return "The text is 4 GiB or longer."
        }
    }

    private static func foreignEncoding(_ bytes: [UInt8]) -> String {
        let name =
            switch (bytes[0], bytes[1]) {
            case (0xFE, 0xFF): "UTF-16, big-endian, with a byte order mark"
            case (0xFF, 0xFE): "UTF-16, little-endian, with a byte order mark"
            case (0, 0): "UTF-32"
            case (0, _): "UTF-16, big-endian"
            default: "UTF-16, little-endian"
            }
        return "The text looks like \(name); JSON is sent as UTF-8."
    }

    private static func unexpected(_ at: Int, in bytes: [UInt8]) -> String {
        let found = shown(at, in: bytes)
        switch bytes[at] {
        case 0x27: return "Found a single quote; strings stand in double quotes."
        case 0x2F: return "Found a slash; JSON has no comments."
        case 0x5D, 0x7D:
            return before(at, in: bytes) == 0x2C
                ? "After a comma comes \(found); remove the comma." : "Found \(found) out of place."
        case 0x2B, 0x2E: return "Found \(found); a number starts with a digit or a minus sign."
        case 0xE2
        where at + 2 < bytes.count && bytes[at + 1] == 0x80
            && (0x98...0x9F).contains(bytes[at + 2]):
            return "Found a typographic quotation mark; strings stand in plain double quotes."
        default: return "Found \(found) out of place."
        }
    }

    private static func badWord(_ at: Int, in bytes: [UInt8]) -> String {
        let word = word(at, in: bytes, length: 24)
        return switch word {
        case "True", "TRUE": "Found \(word); in JSON it is true."
        case "False", "FALSE": "Found \(word); in JSON it is false."
        case "None", "NULL", "Null", "undefined", "nil": "Found \(word); in JSON it is null."
        case "NaN", "Infinity", "nan", "inf": "Found \(word); JSON has no such number."
        default: "Found the word \(word); only true, false and null stand without quotes."
        }
    }

    private static func badNumber(_ at: Int, in bytes: [UInt8]) -> String {
        var end = at
        while end < bytes.count, end - at < 32,
            ASCII.isAlphanumeric(bytes[end]) || [0x2B, 0x2D, 0x2E].contains(bytes[end])
        {
            end += 1
        }
        let text = String(decoding: bytes[at..<end], as: UTF8.self)
        return "\(text) is not a JSON number."
    }

    private static func badEscape(_ at: Int, in bytes: [UInt8]) -> String {
        guard bytes[at + 1] != 0x75 else {
            return "The escape \(word(at, in: bytes, length: 6)) lacks its four hex digits."
        }
        return "There is no escape of a backslash and \(shown(at + 1, in: bytes))."
    }

    /// The last byte before the offset that is not white space.
    private static func before(_ at: Int, in bytes: [UInt8]) -> UInt8? {
        bytes[..<at].last { $0 > 0x20 }
    }

    /// Letters, digits and backslashes from the offset on.
    private static func word(_ at: Int, in bytes: [UInt8], length: Int) -> String {
        let rest = bytes[at..<min(at + length, bytes.count)]
        return String(
            decoding: rest.prefix { ASCII.isAlphanumeric($0) || $0 == 0x5C }, as: UTF8.self)
    }

    private static func quoted(_ at: Int, in bytes: [UInt8]) -> String {
        var end = at + 1
        while end < bytes.count, bytes[end] != 0x22, end - at < 64 {
            end += bytes[end] == 0x5C ? 2 : 1
        }
        return String(decoding: bytes[at..<min(end + 1, bytes.count)], as: UTF8.self)
    }

    /// The character at the offset in quotes, or its name.
    private static func shown(_ at: Int, in bytes: [UInt8]) -> String {
        let byte = bytes[at]
        if byte == 0x22 { return "a double quote" }
        if ASCII.isPrintable(byte) { return "\"\(Character(UnicodeScalar(byte)))\"" }
        switch byte {
        case 0x09: return "a tab"
        case 0x0A: return "a line feed"
        case 0x0D: return "a carriage return"
        default: break
        }
        let length = byte < 0x80 ? 0 : UTF8Text.sequenceLength(in: bytes.span, at: at)
        let decoded = String(decoding: bytes[at..<at + length], as: UTF8.self)
        guard let scalar = decoded.unicodeScalars.first else { return "the byte 0x\(hex(byte))" }
        return "the character U+" + String(scalar.value, radix: 16, uppercase: true)
    }

    private static func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return byte < 16 ? "0" + digits : digits
    }
}
