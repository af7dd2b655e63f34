import DeskBytes

/// Finds numbers of bank accounts in international form (IBAN, ISO 13616).
enum AccountScan {
    /// The places of all numbers, in order; they do not overlap.
    static func ranges(in bytes: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var place = 0
        while place < bytes.count {
            guard let end = end(in: bytes, from: place) else {
                place += 1
                continue
            }
            found.append(place..<end)
            place = end
        }
        return found
    }

    /// The values of the digits and letters of a number, without what stands between them.
    static func values(of number: [UInt8]) -> [UInt8] {
        var values: [UInt8] = []
        var place = 0
        while place < number.count {
            let one = character(in: number, at: place)
            if let one { values.append(one.value) }
            place += one?.length ?? 1
        }
        return values
    }

    /// Where the number ends that begins at a place; nil where none does.
    private static func end(in bytes: [UInt8], from start: Int) -> Int? {
        guard let first = character(in: bytes, at: start), first.value >= 10,
            let second = character(in: bytes, at: start + first.length), second.value >= 10,
            let length = lengths[[letter(first.value), letter(second.value)]],
            !isInWord(start, in: bytes)
        else { return nil }
        var values = [first.value, second.value]
        var end = start + first.length + second.length
        while values.count < length {
            let next = skipSeparators(in: bytes, from: end)
            guard let one = character(in: bytes, at: next) else { return nil }
            // Two digits check the others.
            if values.count < 4, one.value >= 10 { return nil }
            values.append(one.value)
            end = next + one.length
        }
        guard character(in: bytes, at: end) == nil, isChecked(values) else { return nil }
        return end
    }

    /// Whether a letter or digit stands before a place, other than those of the word IBAN.
    private static func isInWord(_ start: Int, in bytes: [UInt8]) -> Bool {
        guard start > 0, ASCII.isAlphanumeric(bytes[start - 1]) else { return false }
        var place = start
        while place > 0, start - place <= word.count, ASCII.isAlphanumeric(bytes[place - 1]) {
            place -= 1
        }
        return ASCII.lowercased(bytes[place..<start]) != word
    }

    private static let word = Array("iban".utf8)

    /// Whether the remainder is that of a number without a slip: with its first four characters behind the others,
    /// and letters as numbers from 10 on, it is 1 of 97.
    private static func isChecked(_ values: [UInt8]) -> Bool {
        var remainder = 0
        for value in values[4...] + values[..<4] {
            remainder = (remainder * (value < 10 ? 10 : 100) + Int(value)) % 97
        }
        return remainder == 1
    }

    /// Behind spaces, hyphens and their like, at most three of them.
    private static func skipSeparators(in bytes: [UInt8], from start: Int) -> Int {
        var place = start
        for _ in 0..<3 {
            guard let length = NumberScan.separator(in: bytes, at: place, across: .cards) else {
                break
            }
            place += length
        }
        return place
    }

    /// The value of a digit, or of a letter from 10 on, and how many bytes it has; of ASCII or of full width.
    private static func character(
        in bytes: [UInt8], at place: Int
    ) -> (value: UInt8, length: Int)? {
        if let (digit, length) = NumberScan.digit(in: bytes, at: place) { return (digit, length) }
        guard place < bytes.count else { return nil }
        if ASCII.isLetter(bytes[place]) {
            return (ASCII.lowercased(bytes[place]) - UInt8(ascii: "a") + 10, 1)
        }
        // U+FF21 to U+FF3A, and U+FF41 to U+FF5A.
        guard place + 2 < bytes.count, bytes[place] == 0xEF else { return nil }
        let last = bytes[place + 2]
        if bytes[place + 1] == 0xBC, (0xA1...0xBA).contains(last) { return (last - 0xA1 + 10, 3) }
        if bytes[place + 1] == 0xBD, (0x81...0x9A).contains(last) { return (last - 0x81 + 10, 3) }
        return nil
    }

    private static func letter(_ value: UInt8) -> UInt8 { value - 10 + UInt8(ascii: "A") }

    /// How many characters the numbers of a country have, by its code.
    ///
    /// As in the IBAN Registry, which SWIFT publishes for ISO 13616
    /// (<https://www.swift.com/standards/data-standards/iban-international-bank-account-number>).
    private static let lengths: [[UInt8]: Int] = {
        let table = """
            AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 \
            EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 \
            JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 \
            NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 \
            TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30
            """
        var lengths: [[UInt8]: Int] = [:]
        for row in table.split(separator: " ") {
            lengths[Array(row.utf8.prefix(2))] = Int(row.dropFirst(2))
        }
        return lengths
    }()
}
