/// The first bytes of pictures of a stated size.
package enum PictureBytes {
    /// One way to state a size.
    package struct Form: Sendable, CustomStringConvertible {
        package let name: String
        package let make: @Sendable (_ width: Int, _ height: Int) -> [UInt8]
        package var description: String { name }
    }

    package static let pngMark: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    package static let allForms: [Form] = [
        Form(name: "PNG") { width, height in
            join(
                pngMark, [0, 0, 0, 13], word("IHDR"), big(width, 4), big(height, 4),
                [8, 6, 0, 0, 0, 1, 2, 3, 4])
        },
        Form(name: "PNG of Apple's") { width, height in
            join(
                pngMark, [0, 0, 0, 4], word("CgBI"), [1, 2, 3, 4, 5, 6, 7, 8], [0, 0, 0, 13],
                word("IHDR"), big(width, 4), big(height, 4), [8, 6, 0, 0, 0, 1, 2, 3, 4])
        },
        Form(name: "JPEG") { width, height in
            join(
                [0xFF, 0xD8, 0xFF, 0xE0, 0, 16], word("JFIF"),
                [0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 0xFF, 0xDB, 0, 4, 1, 2, 0xFF, 0xC0, 0, 11, 8],
                big(height, 2), big(width, 2), [1, 1, 0x11, 0, 0xFF, 0xDA, 0, 2])
        },
        Form(name: "GIF") { width, height in
            join(word("GIF89a"), little(width, 2), little(height, 2), [0, 0, 0, 0x3B])
        },
        Form(name: "GIF whose first frame is larger") { width, height in
            join(
                word("GIF87a"), [1, 0, 1, 0, 0x80, 0, 0, 1, 2, 3, 4, 5, 6],
                [0x21, 0xF9, 4, 0, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0], little(width, 2),
                little(height, 2), [0, 2, 0])
        },
        Form(name: "WebP, extended") { width, height in
            riff("VP8X", join([0, 0, 0, 0], little(width - 1, 3), little(height - 1, 3)))
        },
        Form(name: "WebP, lossless") { width, height in
            riff("VP8L", join([0x2F], little(width - 1 | (height - 1) << 14, 4)))
        },
        Form(name: "WebP, lossy") { width, height in
            riff(
                "VP8 ",
                join([0, 0, 0, 0x9D, 1, 0x2A], little(width, 2), little(height, 2)))
        },
        Form(name: "WebP after a chunk") { width, height in
            let chunk = join(word("ICCP"), little(3, 4), [1, 2, 3, 0])
            let size = join([0, 0, 0, 0], little(width - 1, 3), little(height - 1, 3))
            let bytes = riff("VP8X", size)
            return join(Array(bytes.prefix(12)), chunk, Array(bytes.dropFirst(12)))
        },
        Form(name: "HEIC") { width, height in
            let parts = box("iprp", box("ipco", extent(width, height)))
            return join(box("ftyp", word("heic0000mif1")), box("meta", join([0, 0, 0, 0], parts)))
        },
        Form(name: "AVIF with a long box") { width, height in
            let parts = box("iprp", box("ipco", extent(width, height)))
            return join(
                box("ftyp", word("avif0000")), [0, 0, 0, 1], word("free"), big(20, 8),
                [1, 2, 3, 4], box("meta", join([0, 0, 0, 0], parts)))
        },
    ]

    /// Bytes one after another; a chain of plus signs costs the compiler minutes.
    private static func join(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap(\.self) }

    private static func word(_ text: String) -> [UInt8] { Array(text.utf8) }

    package static func box(_ kind: String, _ content: [UInt8]) -> [UInt8] {
        join(big(content.count + 8, 4), word(kind), content)
    }

    package static func extent(_ width: Int, _ height: Int) -> [UInt8] {
        box("ispe", join([0, 0, 0, 0], big(width, 4), big(height, 4)))
    }

    private static func riff(_ kind: String, _ content: [UInt8]) -> [UInt8] {
        join(
            word("RIFF"), little(content.count + 12, 4), word("WEBP"), word(kind),
            little(content.count, 4), content, [0, 0, 0, 0])
    }

    package static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    package static func little(_ value: Int, _ count: Int) -> [UInt8] {
        big(value, count).reversed()
    }
}
