import DeskHTTP

/// A WebSocket client's frames, and what they are read as.
enum ClientFrames {
    /// A frame by its first byte, its length written as short as it can be; without a mask on request.
    static func frame(
        _ first: UInt8, _ payload: [UInt8], mask: [UInt8] = [0x5A, 0, 0xFF, 0x13],
        isMasked: Bool = true
    ) -> [UInt8] {
        var bytes = [first]
        let bit: UInt8 = isMasked ? 0x80 : 0
        switch payload.count {
        case 0..<126: bytes.append(bit | UInt8(payload.count))
        case 126...0xFFFF:
            bytes += [bit | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        default:
            bytes.append(bit | 127)
            bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: payload.count >> ($0 * 8)) }
        }
        guard isMasked else { return bytes + payload }
        return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 & 3] }
    }

    /// The events of the bytes, fed in pieces of `step`, then the close code they are refused with.
    static func read(
        _ bytes: [UInt8], step: Int, limits: ServerLimits = ServerLimits()
    ) -> (events: [WebSocketDecoder.Event], code: UInt16?) {
        var decoder = WebSocketDecoder(limits: limits)
        var events: [WebSocketDecoder.Event] = []
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + step)
            while start < end {
                do throws(WebSocketProblem) {
                    let (event, taken) = try decoder.decode(bytes.span.extracting(start..<end))
                    start += taken
                    if let event { events.append(event) }
                } catch { return (events, error.closeCode) }
            }
        }
        return (events, nil)
    }
}
