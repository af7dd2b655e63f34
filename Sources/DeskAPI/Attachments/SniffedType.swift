import DeskBytes

/// What a file is, judged by its first bytes and never by its name alone.
public enum SniffedType: String, Sendable, CaseIterable {
    case png = "image/png"
    case jpeg = "image/jpeg"
    case gif = "image/gif"
    case webp = "image/webp"
    case heic = "image/heic"
    case avif = "image/avif"
    case mp4 = "video/mp4"
    case quickTime = "video/quicktime"
    case webm = "video/webm"
    case mpeg = "video/mpeg"
    case mp3 = "audio/mpeg"
    case m4a = "audio/mp4"
    case wav = "audio/wav"
    case ogg = "audio/ogg"
    case flac = "audio/flac"
    case aac = "audio/aac"
    case caf = "audio/x-caf"
    case pdf = "application/pdf"
    case zip = "application/zip"

    /// As many first bytes as `init` looks at.
    public static let neededBytes = 64

    /// The media type.
    public var text: String { rawValue }

    /// Whether a browser may show it in place: raster pictures, sound and film.
    public var isShownInPlace: Bool {
        switch self {
        case .pdf, .zip: false
        case .png, .jpeg, .gif, .webp, .heic, .avif, .mp4, .quickTime, .webm, .mpeg, .mp3, .m4a,
            .wav, .ogg, .flac, .aac, .caf:
            true
        }
    }

    /// Recognises a file by its first bytes; nil for everything else, text and markup included.
    public init?(firstBytes bytes: some Sequence<UInt8>) {
        let head = Array(bytes.prefix(Self.neededBytes))
        func has(_ text: String, at place: Int = 0) -> Bool {
            head.dropFirst(place).starts(with: text.utf8)
        }
        if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if head.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if has("GIF87a") || has("GIF89a") {
            self = .gif
        } else if has("RIFF"), has("WEBP", at: 8) {
            self = .webp
        } else if has("RIFF"), has("WAVE", at: 8) {
            self = .wav
        } else if has("ftyp", at: 4) {
            self = Self.box(brand: Array(head.dropFirst(8).prefix(4)))
        } else if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
            self = .webm
        } else if has("OggS") {
            self = .ogg
        } else if has("fLaC") {
            self = .flac
        } else if has("caff") {
            self = .caf
        } else if has("ID3") {
            self = .mp3
        } else if has("%PDF-") {
            self = .pdf
        } else if head.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
            self = .zip
        } else if head.starts(with: [0, 0, 1, 0xBA]) || head.starts(with: [0, 0, 1, 0xB3]) {
            self = .mpeg
        } else if let frame = Self.audioFrame(head) {
            self = frame
        } else {
            return nil
        }
    }

    /// Files of boxes (ISO/IEC 14496-12) say what they are by their major brand.
    private static func box(brand: [UInt8]) -> SniffedType {
        switch String(decoding: brand, as: UTF8.self) {
        case "heic", "heix", "heim", "heis", "mif1", "msf1": .heic
        case "avif", "avis": .avif
        case "M4A ", "M4B ", "M4P ": .m4a
        case "qt  ": .quickTime
        default: .mp4
        }
    }

    /// The sync word of an MPEG audio or AAC frame, with the bits that must not be.
    private static func audioFrame(_ head: [UInt8]) -> SniffedType? {
        guard head.count >= 4, head[0] == 0xFF else { return nil }
        if head[1] & 0xF6 == 0xF0 { return .aac }
        let isFrame =
            head[1] & 0xE0 == 0xE0 && head[1] & 0x18 != 0x08 && head[1] & 0x06 != 0
            && head[2] & 0xF0 != 0xF0 && head[2] & 0x0C != 0x0C
        return isFrame ? .mp3 : nil
    }
}
