/// Cuts bytes that come in pieces into the JSON texts that follow each other in them, with or without line
/// ends between them.
///
/// It looks only at brackets and quotation marks: whether a text is JSON is found out when it is parsed. A
/// text is an object or an array; other bytes between them are skipped when they are white space, and end the
/// reading when they are not.
struct JSONTexts {
    /// Longest text in bytes.
    static let mostBytes = 64 * 1_024 * 1_024

    /// Why there are no further texts.
    enum Fault: Error, Equatable {
        /// What stands between two texts is none.
        case noText(at: Int)
        case tooLong(at: Int)
        /// The bytes end within a text.
        case cutOff(at: Int)
    }

    /// A text, and where it begins.
    struct Text: Equatable {
        let offset: Int
        let bytes: [UInt8]
    }

    private var bytes: [UInt8] = []
    private var start = 0
    private var offset = 0
    private var depth = 0
    private var isInString = false
    private var isEscaped = false

    /// The texts that end within a piece.
    mutating func take(_ piece: [UInt8]) throws(Fault) -> [Text] {
        var texts: [Text] = []
        var begin = piece.startIndex
        for place in piece.indices {
            let byte = piece[place]
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == 0x5C {
                    isEscaped = true
                } else if byte == 0x22 {
                    isInString = false
                }
                continue
            }
            switch byte {
            case 0x22 where depth > 0: isInString = true
            case 0x7B, 0x5B:
                if depth == 0 {
                    start = offset + place
                    begin = place
                }
                depth += 1
            case 0x7D where depth > 0, 0x5D where depth > 0:
                depth -= 1
                guard depth == 0 else { continue }
                bytes += piece[begin...place]
                texts.append(Text(offset: start, bytes: bytes))
                bytes = []
            case 0x20, 0x09, 0x0A, 0x0D: continue
            default:
                guard depth > 0 || Self.isMark(byte, at: offset + place) else {
                    throw .noText(at: offset + place)
                }
            }
        }
        if depth > 0 { bytes += piece[begin...] }
        guard bytes.count <= Self.mostBytes else { throw .tooLong(at: start) }
        offset += piece.count
        return texts
    }

    /// Whether a byte is of the mark with which some programs begin a file of UTF-8.
    private static func isMark(_ byte: UInt8, at place: Int) -> Bool {
        mark.indices.contains(place) && mark[place] == byte
    }

    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Says that nothing follows.
    func finish() throws(Fault) { if depth > 0 { throw .cutOff(at: start) } }
}
