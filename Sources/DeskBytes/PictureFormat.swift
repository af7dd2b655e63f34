/// A kind of picture, known by its first bytes.
public enum PictureFormat: String, Sendable, CaseIterable {
    /// Portable Network Graphics.
    case png
    /// JPEG.
    case jpeg
    /// GIF.
    case gif
    /// WebP.
    case webp
    /// HEIC and its relatives.
    case heic

    /// Recognises a picture by its first 12 bytes; nil for anything else.
    public init?(firstBytes bytes: some Collection<UInt8>) {
        let head = Array(bytes.prefix(12))
        if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if head.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if head.starts(with: Array("GIF87a".utf8)) || head.starts(with: Array("GIF89a".utf8))
        {
            self = .gif
        } else if head.count == 12, head.starts(with: Array("RIFF".utf8)),
            head[8...].elementsEqual("WEBP".utf8)
        {
            self = .webp
        } else if head.count == 12, head[4..<8].elementsEqual("ftyp".utf8),
            ["heic", "heix", "heim", "heis", "hevc", "mif1", "msf1", "avif", "avis"]
                .contains(where: {
                    head[8...].elementsEqual($0.utf8)
                })
        {
            self = .heic
        } else {
            return nil
        }
    }
}
