extension PictureSizeReader {
    // MARK: PNG (chunks of length, name, content, check sum)

    mutating func takeChunk(_ bytes: [UInt8]) {
        if bytes[4..<8].elementsEqual("IHDR".utf8) {
            found(width: Self.big(bytes, at: 8), height: Self.big(bytes, at: 12))
        } else if bytes[4..<8].elementsEqual("CgBI".utf8), Self.big(bytes, at: 0) == 4 {
            // Apple's own variant has one chunk before the header; 8 bytes behind its name are read.
            return expect(.png, 16)
        }
        expect(.over, 0)
    }

    // MARK: JPEG (ITU-T T.81, B.1: markers and segments)

    mutating func takeJPEG(_ bytes: [UInt8]) {
        switch current {
        case .jpegLength(let isFrame):
            let length = Self.big16(bytes, at: 0)
            if isFrame {
                expect(.jpegFrame, 5)
            } else {
                expect(.jpegMarker, 2, after: UInt64(length < 2 ? 0 : length - 2))
            }
        case .jpegFrame:
            // Precision, height, width.
            found(width: Self.big16(bytes, at: 3), height: Self.big16(bytes, at: 1))
            expect(.over, 0)
        default: takeMarker(bytes[1])
        }
    }

    private mutating func takeMarker(_ marker: UInt8) {
        switch marker {
        case 0xFF:
            // A marker may be led by any number of these.
            expect(.jpegMarker, 2)
            take([0xFF])
        // Markers without a length; 0 is no marker at all.
        case 0x00, 0x01, 0xD0...0xD8: expect(.jpegMarker, 2)
        case 0xC4, 0xC8, 0xCC: expect(.jpegLength(isFrame: false), 2)
        case 0xC0...0xCF: expect(.jpegLength(isFrame: true), 2)
        // The end, and a scan without a frame before it: nothing that draws.
        case 0xD9, 0xDA: expect(.over, 0)
        default: expect(.jpegLength(isFrame: false), 2)
        }
    }

    // MARK: GIF (screen, then blocks; the first frame may be larger than the screen)

    mutating func takeGIF(_ bytes: [UInt8]) {
        switch current {
        case .gifScreen:
            found(width: Self.little(bytes, at: 0, 2), height: Self.little(bytes, at: 2, 2))
            let hasColours = bytes[4] & 0x80 != 0
            let colours = UInt64(3) << UInt64((bytes[4] & 0x07) + 1)
            expect(.gifBlock, 1, after: hasColours ? colours : 0)
        case .gifSubBlock:
            if bytes[0] == 0 {
                expect(.gifBlock, 1)
            } else {
                expect(.gifSubBlock, 1, after: UInt64(bytes[0]))
            }
        case .gifFrame:
            found(
                width: Self.little(bytes, at: 0, 2) + Self.little(bytes, at: 4, 2),
                height: Self.little(bytes, at: 2, 2) + Self.little(bytes, at: 6, 2))
            expect(.over, 0)
        default:
            switch bytes[0] {
            // An extension: its label, then sub-blocks.
            case 0x21: expect(.gifSubBlock, 1, after: 1)
            case 0x2C: expect(.gifFrame, 8)
            default: expect(.over, 0)
            }
        }
    }

    // MARK: WebP (RIFF; the first chunk says what it is)

    mutating func takeWebP(_ bytes: [UInt8]) {
        switch current {
        case .webpExtended:
            found(
                width: Self.little(bytes, at: 4, 3) + 1, height: Self.little(bytes, at: 7, 3) + 1)
            expect(.over, 0)
        case .webpLossless:
            let bits = Self.little(bytes, at: 1, 4)
            found(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
            expect(.over, 0)
        case .webpLossy:
            found(
                width: Self.little(bytes, at: 6, 2) & 0x3FFF,
                height: Self.little(bytes, at: 8, 2) & 0x3FFF)
            expect(.over, 0)
        default:
            switch String(decoding: bytes[0..<4], as: UTF8.self) {
            case "VP8X": expect(.webpExtended, 10)
            case "VP8L": expect(.webpLossless, 5)
            case "VP8 ": expect(.webpLossy, 10)
            default:
                let length = UInt64(Self.little(bytes, at: 4, 4))
                expect(.webp, 8, after: length + length % 2)
            }
        }
    }

    // MARK: HEIC and AVIF (boxes of length and name; `ispe` states a size)

    mutating func takeBox(_ bytes: [UInt8]) {
        switch current {
        case .extent(let rest):
            found(width: Self.big(bytes, at: 4), height: Self.big(bytes, at: 8))
            expect(.box, 8, after: rest)
        case .boxLength(let kind):
            let length = UInt64(Self.big(bytes, at: 0)) << 32 | UInt64(Self.big(bytes, at: 4))
            enter(kind, length: length, head: 16)
        default:
            let length = UInt64(Self.big(bytes, at: 0))
            let kind = Array(bytes[4..<8])
            // 1: the length follows in eight bytes; 0: the box goes to the file's end.
            if length == 1 {
                expect(.boxLength(kind: kind), 8)
            } else {
                enter(kind, length: length == 0 ? .max : length, head: 8)
            }
        }
    }

    private mutating func enter(_ kind: [UInt8], length: UInt64, head: UInt64) {
        guard length >= head else { return expect(.over, 0) }
        switch String(decoding: kind, as: UTF8.self) {
        // Boxes of boxes are gone into; what follows them is read as if it were within.
        case "meta": expect(.box, 8, after: 4)
        case "iprp", "ipco": expect(.box, 8)
        case "ispe" where length - head >= 12: expect(.extent(rest: length - head - 12), 12)
        default: expect(.box, 8, after: length - head)
        }
    }
}
