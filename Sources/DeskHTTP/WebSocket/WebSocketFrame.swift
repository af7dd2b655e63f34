/// Writes a server's WebSocket frames: whole, never masked.
public enum WebSocketFrame {
    /// The frame of a text message given as UTF-8.
    public static func text(_ utf8: [UInt8]) -> [UInt8] { frame(.text, utf8) }

    /// The bytes of a ping.
    public static func ping(_ payload: [UInt8] = []) -> [UInt8] {
        frame(.ping, Array(payload.prefix(125)))
    }

    /// The bytes of the pong that answers a ping.
    public static func pong(_ payload: [UInt8]) -> [UInt8] {
        frame(.pong, Array(payload.prefix(125)))
    }

    /// The bytes of a close frame.
    public static func close(code: UInt16) -> [UInt8] {
        frame(.close, [UInt8(code >> 8), UInt8(code & 255)])
    }

    private static func frame(_ opcode: WebSocketOpcode, _ payload: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(payload.count + 10)
        bytes.append(0x80 | opcode.rawValue)
        switch payload.count {
        case 0..<126:
            bytes.append(UInt8(payload.count))
        case 126...0xFFFF:
            bytes.append(126)
            bytes.append(UInt8(payload.count >> 8))
            bytes.append(UInt8(payload.count & 255))
        default:
            bytes.append(127)
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: payload.count >> shift))
            }
        }
        bytes.append(contentsOf: payload)
        return bytes
    }
}
