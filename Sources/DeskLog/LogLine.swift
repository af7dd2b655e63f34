import DeskBytes
import DeskModel
import Glibc

/// One record in logfmt: `name=value` parts with a space between, on one line.
struct LogLine {
    /// Largest line in bytes; a longer line is cut and ends in three dots.
    static let maxBytes = 4096

    private var bytes: [UInt8] = []

    init(level: LogLevel, event: StaticString, now: timespec = LogLine.wallClock()) {
        bytes.reserveCapacity(160)
        append("time", .text(LogLine.text(of: now)))
        append("level", .text(level.text))
        append("event", .text("\(event)"))
    }

    mutating func append(_ name: String, _ value: LogValue) {
        if !bytes.isEmpty { bytes.append(0x20) }
        for byte in name.utf8 { bytes.append(LogLine.isPlain(byte) ? byte : UInt8(ascii: "_")) }
        bytes.append(UInt8(ascii: "="))
        switch value {
        case .number(let number): bytes.append(contentsOf: String(number).utf8)
        case .truth(let truth): bytes.append(contentsOf: (truth ? "true" : "false").utf8)
        case .text(let text): append(text: text)
        }
    }

    consuming func finish() -> [UInt8] {
        if bytes.count > LogLine.maxBytes - 1 {
            bytes.removeLast(bytes.count - (LogLine.maxBytes - 4))
            bytes.append(contentsOf: "...".utf8)
        }
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    private mutating func append(text: String) {
        if !text.isEmpty, text.utf8.allSatisfy(LogLine.isPlain) {
            bytes.append(contentsOf: text.utf8)
            return
        }
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0x20..<0x7F:
                bytes.append(byte)
            default:
                // A control byte could forge a line or control a terminal; bytes above ASCII are escaped the same way.
                bytes.append(contentsOf: "\\x".utf8)
                bytes.append(ASCII.hexDigit(byte >> 4))
                bytes.append(ASCII.hexDigit(byte))
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "=")
            && byte != UInt8(ascii: "\\")
    }

    /// The wall clock; log lines show the time; no decision depends on it.
    static func wallClock() -> timespec {
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        return now
    }

    private static func text(of time: timespec) -> String {
        let second = time.tv_sec % 86_400
        let date = CivilDate(daysSince1970: time.tv_sec / 86_400)
        let clock = "\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))"
        let thousandths = String(1000 + time.tv_nsec / 1_000_000).dropFirst()
        return "\(date.year)-\(two(date.month))-\(two(date.day))T\(clock).\(thousandths)Z"
    }

    private static func two(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
