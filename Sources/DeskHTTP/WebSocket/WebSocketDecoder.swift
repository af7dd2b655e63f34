/// A WebSocket peer's protocol error, as the close code that it is sent (RFC 6455 7.4.1).
public struct WebSocketProblem: Error, Sendable, Equatable {
    /// 1002 for a broken protocol, 1007 for text that is not UTF-8, 1009 for too much.
    public let closeCode: UInt16

    static let broken = WebSocketProblem(closeCode: 1002)
    static let notText = WebSocketProblem(closeCode: 1007)
    static let tooLarge = WebSocketProblem(closeCode: 1009)
}

/// Reads a client's WebSocket frames and joins fragments, without I/O.
public struct WebSocketDecoder: Sendable {
    /// What the client sent.
    public enum Event: Sendable, Equatable {
        case message(WebSocketMessage)
        case ping([UInt8])
        case pong([UInt8])
        /// The code is nil when the close frame had none.
        case close(code: UInt16?)
    }

    private let frameBytes: Int
    private let messageBytes: Int
    private let mostFragments: Int
    private var header: [UInt8] = []
    private var frame: FrameHeader?
    private var payload: [UInt8] = []
    private var message: [UInt8] = []
    private var messageIsText: Bool?
    private var fragments = 0

    /// Starts at the first frame.
    public init(limits: ServerLimits) {
        frameBytes = limits.webSocketFrameBytes
        messageBytes = limits.webSocketMessageBytes
        mostFragments = limits.webSocketFragments
    }

    /// Reads bytes up to the end of one event and returns it with the number of bytes read.
    ///
    /// The event is nil when all bytes were read and more are needed.
    /// - Throws: when the peer broke a rule; the decoder must not be used afterwards.
    public mutating func decode(
        _ bytes: Span<UInt8>
    ) throws(WebSocketProblem) -> (event: Event?, taken: Int) {
        var index = 0
        while true {
            guard let open = frame else {
                guard index < bytes.count else { return (nil, index) }
                header.append(bytes[index])
                index += 1
                frame = try FrameHeader(header)
                if let frame { try judge(frame) }
                continue
            }
            let count = min(bytes.count - index, open.length - payload.count)
            for offset in 0..<count {
                let key = open.mask[payload.count & 3]
                payload.append(bytes[index + offset] ^ key)
            }
            index += count
            guard payload.count == open.length else { return (nil, index) }
            header.removeAll(keepingCapacity: true)
            frame = nil
            let content = payload
            payload = []
            if let event = try finish(open, content) { return (event, index) }
        }
    }

    /// Refuses a frame by its header, before memory is allocated for its payload.
    private mutating func judge(_ frame: FrameHeader) throws(WebSocketProblem) {
        switch frame.opcode {
        case .close, .ping, .pong:
            guard frame.isFinal, frame.length <= 125 else { throw .broken }
        case .text, .binary:
            guard messageIsText == nil else { throw .broken }
            try judgeSize(frame)
        case .continuation:
            guard messageIsText != nil else { throw .broken }
            try judgeSize(frame)
        }
    }

    private mutating func judgeSize(_ frame: FrameHeader) throws(WebSocketProblem) {
        fragments += 1
        guard frame.length <= frameBytes,
            frame.length <= messageBytes - message.count,
            fragments <= mostFragments
        else { throw .tooLarge }
    }

    private mutating func finish(
        _ frame: FrameHeader, _ content: [UInt8]
    ) throws(WebSocketProblem) -> Event? {
        switch frame.opcode {
        case .ping: return .ping(content)
        case .pong: return .pong(content)
        case .close: return .close(code: try WebSocketDecoder.closeCode(content))
        case .text, .binary, .continuation:
            let isText = messageIsText ?? (frame.opcode == .text)
            if message.isEmpty { message = content } else { message.append(contentsOf: content) }
            guard frame.isFinal else {
                messageIsText = isText
                return nil
            }
            let whole = message
            message = []
            messageIsText = nil
            fragments = 0
            guard isText else { return .message(.binary(whole)) }
            guard let text = String(validating: whole, as: UTF8.self) else { throw .notText }
            return .message(.text(text))
        }
    }

    private static func closeCode(_ content: [UInt8]) throws(WebSocketProblem) -> UInt16? {
        if content.isEmpty { return nil }
        guard content.count >= 2 else { throw .broken }
        let code = UInt16(content[0]) << 8 | UInt16(content[1])
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: break
        default: throw .broken
        }
        guard String(validating: content.dropFirst(2), as: UTF8.self) != nil else {
            throw .notText
        }
        return code
    }
}

/// The kinds of frame (RFC 6455 5.2).
enum WebSocketOpcode: UInt8 {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10
}

/// The first 6 to 14 bytes of a client's frame.
private struct FrameHeader {
    let isFinal: Bool
    let opcode: WebSocketOpcode
    let length: Int
    let mask: [UInt8]

    /// Nil while bytes are missing.
    init?(_ bytes: [UInt8]) throws(WebSocketProblem) {
        guard let first = bytes.first else { return nil }
        guard first & 0x70 == 0, let opcode = WebSocketOpcode(rawValue: first & 15) else {
            throw .broken
        }
        guard bytes.count >= 2 else { return nil }
        // RFC 6455 5.1: an unmasked frame from a client ends the connection.
        guard bytes[1] & 0x80 != 0 else { throw .broken }
        let short = Int(bytes[1] & 0x7F)
        let lengthBytes = short == 127 ? 8 : short == 126 ? 2 : 0
        guard bytes.count >= 2 + lengthBytes + 4 else { return nil }
        let long = bytes[2..<(2 + lengthBytes)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        switch lengthBytes {
        case 2: guard long >= 126 else { throw .broken }
        case 8: guard long > 0xFFFF, long < 1 << 62 else { throw .broken }
        default: break
        }
        isFinal = first & 0x80 != 0
        self.opcode = opcode
        length = lengthBytes == 0 ? short : Int(long)
        mask = Array(bytes[(2 + lengthBytes)...])
    }
}
