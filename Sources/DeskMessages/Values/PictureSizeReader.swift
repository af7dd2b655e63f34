import DeskBytes

/// Reads a picture's size out of its header, in pieces of any length; nothing is ever decoded.
///
/// What it has read is the same however the bytes are cut. It holds at most 24 bytes.
public struct PictureSizeReader: Sendable {
    /// What the bytes that are being gathered are.
    enum Step: Equatable {
        case first
        case png
        case jpegMarker, jpegLength(isFrame: Bool), jpegFrame
        case gifScreen, gifBlock, gifSubBlock, gifFrame
        case webp, webpExtended, webpLossless, webpLossy
        case box, boxLength(kind: [UInt8]), extent(rest: UInt64)
        case over
    }

    /// The largest size stated so far; nil while none was.
    public private(set) var size: PictureSize?

    private var step = Step.first
    /// Bytes of the present step.
    private var gathered: [UInt8] = []
    private var needed = 12
    private var skipping: UInt64 = 0

    /// Waits for the first byte of a file.
    public init() {}

    /// Whether no further byte can change the size.
    public var isOver: Bool { step == .over }

    /// How many of the next bytes are not looked at.
    public var skips: UInt64 { isOver ? .max : skipping }

    /// Passes over bytes that `skips` counts.
    public mutating func skip(_ count: Int) {
        skipping -= min(skipping, UInt64(count))
    }

    /// Reads the next bytes of the file.
    public mutating func take(_ bytes: [UInt8]) {
        var place = 0
        while place < bytes.count, step != .over {
            if skipping > 0 {
                let count = Int(min(skipping, UInt64(bytes.count - place)))
                skipping -= UInt64(count)
                place += count
            } else if step == .jpegMarker, gathered.isEmpty, bytes[place] != 0xFF {
                // Decoders pass over what is no marker, so it hides nothing from us either.
                place += 1
            } else {
                let end = min(bytes.count, place + needed - gathered.count)
                gathered += bytes[place..<end]
                place = end
                if gathered.count == needed { finishStep() }
            }
        }
    }

    private mutating func finishStep() {
        let bytes = gathered
        gathered.removeAll(keepingCapacity: true)
        switch step {
        case .first: begin(bytes)
        case .png: takeChunk(bytes)
        case .jpegMarker, .jpegLength, .jpegFrame: takeJPEG(bytes)
        case .gifScreen, .gifBlock, .gifSubBlock, .gifFrame: takeGIF(bytes)
        case .webp, .webpExtended, .webpLossless, .webpLossy: takeWebP(bytes)
        case .box, .boxLength, .extent: takeBox(bytes)
        case .over: break
        }
    }

    private mutating func begin(_ bytes: [UInt8]) {
        switch PictureFormat(firstBytes: bytes) {
        case .png:
            // Of the 12 bytes 4 are the first chunk's length already.
            gathered = Array(bytes.suffix(4))
            expect(.png, 16)
        case .jpeg:
            expect(.jpegMarker, 2)
            take(Array(bytes.dropFirst(2)))
        case .gif:
            gathered = Array(bytes.dropFirst(6))
            expect(.gifScreen, 7)
        case .webp: expect(.webp, 8)
        case .heic:
            // The first box names the brand; its length is the first four bytes.
            let length = UInt64(Self.big(bytes, at: 0))
            guard length >= 12 else { return expect(.over, 0) }
            expect(.box, 8, after: length - 12)
        case nil: expect(.over, 0)
        }
    }

    // MARK: What the formats share

    mutating func expect(_ next: Step, _ count: Int, after skipped: UInt64 = 0) {
        step = next
        needed = count
        skipping = skipped
    }

    mutating func found(width: UInt32, height: UInt32) {
        let found = PictureSize(width: width, height: height)
        if found.pixels >= size?.pixels ?? 0 { size = found }
    }

    var current: Step { step }

    static func big(_ bytes: [UInt8], at place: Int) -> UInt32 {
        bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    static func big16(_ bytes: [UInt8], at place: Int) -> UInt32 {
        UInt32(bytes[place]) << 8 | UInt32(bytes[place + 1])
    }

    /// A number of `count` bytes, the lowest first.
    static func little(_ bytes: [UInt8], at place: Int, _ count: Int) -> UInt32 {
        bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
