import DeskBytes

/// One thing that happened to a text, or to a value in it, on its way here.
public struct Defect: Hashable, Sendable {
    /// What happened.
    public enum Kind: String, Sendable, CaseIterable {
        // To the text as a whole.
        case tooLarge = "too-large"
        case gzip
        case utf16 = "utf-16"
        case utf32 = "utf-32"
        case byteOrderMark = "byte-order-mark"
        case cesu8 = "cesu-8"
        case windows1252 = "windows-1252"
        case base64Text = "base64-text"
        case hexText = "hex-text"
        case percentText = "percent-encoded-text"
        case htmlEscaped = "html-escaped"
        case logLine = "log-line"
        case logRecord = "log-record"
        case escapedJSON = "escaped-json"
        case severalTexts = "several-texts"

        // To its punctuation.
        case smartQuotes = "smart-quotes"
        case singleQuotes = "single-quotes"
        case bareKeys = "bare-keys"
        case trailingComma = "trailing-comma"
        case comment
        case pythonWords = "python-words"
        case invisibleCharacter = "invisible-character"
        case escapedSpace = "escaped-space"
        case rawControl = "raw-control"
        case badEscape = "bad-escape"
        case loneSurrogate = "lone-surrogate"

        // To single values.
        case jsonInString = "json-in-string"
        case hexForBase64 = "hex-for-base64"
        case base64OfHex = "base64-of-hex"
        case base64Twice = "base64-twice"
        case base64OfGzip = "base64-of-gzip"
        case base64URL = "base64url"
        case base64Layout = "base64-layout"
        case dataURL = "data-url"
        case base64ForHex = "base64-for-hex"
        case doublePercent = "double-percent-encoding"
        case percentURL = "percent-encoded-url"
        case outsidePlane = "outside-plane"
    }

    /// What happened.
    public let kind: Kind
    /// The value concerned, as a JSON Pointer; nil when it is the text.
    public let pointer: String?
    /// Where it begins, in the text as it stood after the defects before this one were repaired.
    public let place: TextPlace
    /// The text found there, cut to what a sentence can hold.
    public let found: String
    /// The text that should be there, cut likewise; nil where that cannot be known.
    public let repaired: String?
    /// Whether it is only pointed out: it may be meant, and repairing leaves it.
    public let isNote: Bool
    /// What happened and how to avoid it.
    public let sentence: String

    /// Names the defect on the command line and in JSON.
    public var id: String { kind.rawValue }
}

/// What the doctor says of a text.
public struct Diagnosis: Sendable {
    /// All that was found, from the outermost layer inwards.
    public let defects: [Defect]
    /// The text with everything repaired that can be; nil when nothing was.
    public let repaired: [UInt8]?

    /// Whether nothing is wrong; notes may be there.
    public var isHealthy: Bool { defects.allSatisfy(\.isNote) }

    /// Whether the repaired text has everything right.
    public var isRepairedWhole: Bool {
        defects.allSatisfy { $0.isNote || $0.repaired != nil }
    }
}

extension String {
    /// The first line's worth of a value, for showing.
    init(shown bytes: some Collection<UInt8>) {
        let limit = 72
        let text = String(decoding: bytes.prefix(limit * 4), as: UTF8.self)
        let cut = text.prefixOfScalars(limit)
        self = cut.utf8.count < bytes.count ? cut + "..." : cut
    }
}
