import DeskBytes

/// The formats that are validated; any other name is an annotation without effect.
enum Format: String, Sendable, CaseIterable {
    case dateTime = "date-time"
    case date, time, duration
    case uri, iri
    case uriReference = "uri-reference"
    case iriReference = "iri-reference"
    case uriTemplate = "uri-template"
    case uuid, email, hostname, ipv4, ipv6, regex
    case idnEmail = "idn-email"
    case idnHostname = "idn-hostname"
    case jsonPointer = "json-pointer"
    case relativeJSONPointer = "relative-json-pointer"

    /// Its place among all cases.
    var number: Int32 { Int32(Format.allCases.firstIndex(of: self) ?? 0) }

    /// The condition, in words.
    var description: String {
        switch self {
        case .dateTime: "a date and time such as 2025-03-31T14:05:00Z"
        case .date: "a date such as 2025-03-31"
        case .time: "a time with its zone, such as 14:05:00Z"
        case .duration: "a duration such as P3DT4H"
        case .uri, .iri: "an absolute URL such as https://example.com/path"
        case .uriReference, .iriReference: "a URL, absolute or relative"
        case .uriTemplate: "a URL template such as /items/{id}"
        case .uuid: "a UUID such as 2eb8aa08-aa98-11ea-b4aa-73b441d16380"
        case .email, .idnEmail: "an e-mail address"
        case .hostname, .idnHostname: "a host name such as www.example.com"
        case .ipv4: "an IPv4 address such as 192.0.2.1"
        case .ipv6: "an IPv6 address such as 2001:db8::1"
        case .regex: "a regular expression"
        case .jsonPointer: "a JSON pointer such as /items/0/name"
        case .relativeJSONPointer: "a relative JSON pointer such as 1/name"
        }
    }

    /// Whether the text has this form.
    func matches(_ text: Span<UInt8>) -> Bool {
        var reader = FormatReader(end: text.count)
        switch self {
        case .dateTime: return reader.dateTime(text)
        case .date: return reader.date(text) && reader.isAtEnd
        case .time: return reader.time(text) && reader.isAtEnd
        case .duration: return reader.duration(text)
        case .uri: return reader.uri(text, mayBeRelative: false, mayBeWide: false)
        case .iri: return reader.uri(text, mayBeRelative: false, mayBeWide: true)
        case .uriReference: return reader.uri(text, mayBeRelative: true, mayBeWide: false)
        case .iriReference: return reader.uri(text, mayBeRelative: true, mayBeWide: true)
        case .uriTemplate: return reader.uriTemplate(text)
        case .uuid: return reader.uuid(text)
        case .email: return reader.email(text, mayBeWide: false)
        case .idnEmail: return reader.email(text, mayBeWide: true)
        case .hostname: return HostName.isHostName(text, mayBeWide: false)
        case .idnHostname: return HostName.isHostName(text, mayBeWide: true)
        case .ipv4: return reader.ipv4(text, to: text.count) && reader.isAtEnd
        case .ipv6: return reader.ipv6(text, to: text.count) && reader.isAtEnd
        case .regex: return Format.isPattern(text)
        case .jsonPointer: return reader.jsonPointer(text)
        case .relativeJSONPointer: return reader.relativeJSONPointer(text)
        }
    }

    private static func isPattern(_ text: Span<UInt8>) -> Bool {
        var bytes: [UInt8] = []
        for index in text.indices { bytes.append(text[index]) }
        return PatternTranslator.isPattern(String(decoding: bytes, as: UTF8.self))
    }
}

/// A position in a text whose format is being validated.
///
/// Each call gets the text, since a reader must not outlive it.
struct FormatReader {
    var at = 0
    let end: Int

    var isAtEnd: Bool { at == end }

    /// The byte at the place, or 0 at the end.
    func peek(_ text: Span<UInt8>) -> UInt8 { at < end ? text[at] : 0 }

    mutating func take(_ text: Span<UInt8>, _ byte: UInt8) -> Bool {
        guard at < end, text[at] == byte else { return false }
        at += 1
        return true
    }

    /// Exactly this many digits.
    mutating func number(_ text: Span<UInt8>, digits: Int) -> Int? {
        guard at + digits <= end else { return nil }
        var value = 0
        for _ in 0..<digits {
            guard ASCII.isDigit(text[at]) else { return nil }
            value = value * 10 + Int(text[at] - 0x30)
            at += 1
        }
        return value
    }

    /// One digit or more; returns how many there are.
    mutating func digits(_ text: Span<UInt8>) -> Int {
        let start = at
        while at < end, ASCII.isDigit(text[at]) { at += 1 }
        return at - start
    }
}
