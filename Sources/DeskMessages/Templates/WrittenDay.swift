/// A day, or a moment, as people of a language write it.
///
/// The day is that of the text: a moment's own offset counts, not the reader's. Days of languages
/// that are not listed are written as ISO 8601 has them, which everybody reads.
struct WrittenDay {
    private let year: Int
    private let month: Int
    private let day: Int
    /// Hours and minutes as they stand in the text; nil for a day alone.
    private let clock: String?
    private let iso: String

    /// Reads `2026-12-01` or `2026-12-01T09:30+09:00`; anything else is written as it is.
    init(_ text: [UInt8]) {
        let parts = text.prefix(10).split(separator: UInt8(ascii: "-")).map {
            Int(String(decoding: $0, as: UTF8.self))
        }
        iso = String(decoding: text.prefix(10), as: UTF8.self)
        year = parts.count == 3 ? parts[0] ?? 0 : 0
        month = parts.count == 3 ? parts[1] ?? 0 : 0
        day = parts.count == 3 ? parts[2] ?? 0 : 0
        clock = text.count >= 16 ? String(decoding: text[11..<16], as: UTF8.self) : nil
    }

    /// The day in words of a locale such as `ja_JP` or `en-GB`.
    func text(in locale: [UInt8]) -> [UInt8] {
        let parts = locale.split { $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
            .map { String(decoding: $0, as: UTF8.self).lowercased() }
        guard (1...12).contains(month), day > 0 else { return Array(iso.utf8) }
        let written = dayText(language: parts.first ?? "", region: parts.dropFirst().last ?? "")
        return Array((clock.map { "\(written) \($0)" } ?? written).utf8)
    }

    private func dayText(language: String, region: String) -> String {
        if let signs = Self.signs[language] {
            return "\(year)\(signs.year)\(month)\(signs.month)\(day)\(signs.day)"
        }
        guard let months = Self.months[language]?.split(separator: " ") else { return iso }
        let name = months[month - 1]
        switch language {
        case "en" where region.isEmpty || region == "us" || region == "ca":
            return "\(name) \(day), \(year)"
        case "de": return "\(day). \(name) \(year)"
        case "es", "pt": return "\(day) de \(name) de \(year)"
        case "fr" where day == 1: return "1er \(name) \(year)"
        default: return "\(day) \(name) \(year)"
        }
    }

    private static let signs: [String: (year: String, month: String, day: String)] = [
        "ja": ("年", "月", "日"), "zh": ("年", "月", "日"), "ko": ("년 ", "월 ", "일"),
    ]

    private static let months = [
        "en": "January February March April May June July August September October November "
            + "December",
        "de": "Januar Februar März April Mai Juni Juli August September Oktober November "
            + "Dezember",
        "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre "
            + "diciembre",
        "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre "
            + "décembre",
        "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre "
            + "novembre dicembre",
        "nl": "januari februari maart april mei juni juli augustus september oktober november "
            + "december",
        "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro "
            + "dezembro",
    ]
}
