/// Serializes the head of a response.
public struct ResponseHeadWriter: Sendable {
    /// How the end of the response's body is shown.
    public enum Framing: Sendable, Equatable {
        /// The status forbids a body, or an upgrade follows.
        case none
        /// The body has this many bytes; also sent in answer to HEAD.
        case length(Int)
        /// The body is chunked.
        case chunked
        /// The body ends with the connection.
        case untilClose
    }

    /// The value of `Connection`.
    public enum Connection: Sendable, Equatable {
        /// No field: HTTP/1.1 keeps the connection by default.
        case goesOn
        /// `close`.
        case closes
        /// `keep-alive`, for an HTTP/1.0 client that asked for it.
        case keepsAlive
        /// `Upgrade`, for 101.
        case upgrades
    }

    private var dateLine: [UInt8] = []
    private var dateSecond = Int.min

    /// Makes a writer.
    public init() {}

    /// Sets the time of `Date`; the line is rendered again only when the second has changed.
    public mutating func setTime(secondsSince1970 seconds: Int) {
        guard seconds != dateSecond else { return }
        dateSecond = seconds
        dateLine = Array("Date: \(HTTPDate.text(secondsSince1970: seconds))\r\n".utf8)
    }

    /// Adds status line, fields and empty line to `output`.
    public func write(
        _ status: Status, _ headers: HeaderFields, framing: Framing, connection: Connection,
        into output: inout [UInt8]
    ) {
        output.append(contentsOf: ResponseHeadWriter.statusLines[status.code - 100])
        output.append(contentsOf: dateLine)
        headers.writeForeign(into: &output)
        switch framing {
        case .none, .untilClose: break
        case .length(let length):
            output.append(contentsOf: ResponseHeadWriter.contentLength)
            ResponseHeadWriter.write(length, into: &output)
            output.append(0x0D)
            output.append(0x0A)
        case .chunked: output.append(contentsOf: ResponseHeadWriter.chunkedLine)
        }
        switch connection {
        case .goesOn: break
        case .closes: output.append(contentsOf: ResponseHeadWriter.closeLine)
        case .keepsAlive: output.append(contentsOf: ResponseHeadWriter.keepAliveLine)
        case .upgrades: output.append(contentsOf: ResponseHeadWriter.upgradeLine)
        }
        output.append(0x0D)
        output.append(0x0A)
    }

    /// Adds a chunk's size line; the content and CRLF follow.
    public static func writeChunkSize(_ size: Int, into output: inout [UInt8]) {
        output.append(contentsOf: String(size, radix: 16).utf8)
        output.append(0x0D)
        output.append(0x0A)
    }

    /// The end of a chunked body.
    public static let lastChunk = Array("0\r\n\r\n".utf8)

    /// The interim response that asks a waiting client for its body.
    public static let continueResponse = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    private static func write(_ number: Int, into output: inout [UInt8]) {
        if number >= 10 { write(number / 10, into: &output) }
        output.append(0x30 + UInt8(number % 10))
    }

    private static let contentLength = Array("Content-Length: ".utf8)
    private static let chunkedLine = Array("Transfer-Encoding: chunked\r\n".utf8)
    private static let closeLine = Array("Connection: close\r\n".utf8)
    private static let keepAliveLine = Array("Connection: keep-alive\r\n".utf8)

    private static let upgradeLine = Array("Connection: Upgrade\r\n".utf8)

    private static let statusLines: [[UInt8]] = (100...599).map {
        let status = Status($0)
        return Array("HTTP/1.1 \(status.code) \(status.reason)\r\n".utf8)
    }
}

extension HeaderFields {
    /// Writes all fields but those the server alone decides.
    func writeForeign(into output: inout [UInt8]) {
        let text = bytes
        for index in slots.indices {
            let slot = slots[index]
            let name = Int(slot.nameStart)..<Int(slot.nameStart + slot.nameCount)
            guard !HeaderFields.isOwn(name, in: text.span) else { continue }
            let value = Int(slot.valueStart)..<Int(slot.valueStart + slot.valueCount)
            unsafe text.withUnsafeBufferPointer { text in
                unsafe output.append(contentsOf: UnsafeBufferPointer(rebasing: text[name]))
                output.append(UInt8(ascii: ":"))
                output.append(0x20)
                unsafe output.append(contentsOf: UnsafeBufferPointer(rebasing: text[value]))
                output.append(0x0D)
                output.append(0x0A)
            }
        }
    }

    private static func isOwn(_ name: Range<Int>, in text: Span<UInt8>) -> Bool {
        switch name.count {
        case 4: FieldLine.equalsAnyCase(text, name, "date")
        case 10:
            FieldLine.equalsAnyCase(text, name, "connection")
                || FieldLine.equalsAnyCase(text, name, "keep-alive")
        case 14: FieldLine.equalsAnyCase(text, name, "content-length")
        case 17: FieldLine.equalsAnyCase(text, name, "transfer-encoding")
        default: false
        }
    }
}
