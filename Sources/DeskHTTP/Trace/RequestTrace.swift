import Synchronization

/// Names one request in logs and answers, and the trace it belongs to.
public struct RequestTrace: Sendable {
    /// The request's number of 64 bits, never zero; as text a span id of W3C Trace Context.
    public let number: UInt64
    /// The trace that the caller named.
    public let parent: TraceParent?

    /// Puts the two together.
    public init(number: UInt64, parent: TraceParent?) {
        self.number = number
        self.parent = parent
    }

    /// Sixteen lower-case hexadecimal digits.
    public var id: String { String(decoding: TraceParent.digits(number), as: UTF8.self) }

    /// The trace with this request as its newest span, as `traceparent` and `traceresponse` name it; nil
    /// without a trace.
    public var field: String? { parent.map { "00-\($0.trace)-\(id)-\($0.flags)" } }

    /// Names the request in its answer.
    public func addHeaders(to response: inout Response) {
        response.headers.append("X-Request-Id", TraceParent.digits(number))
        if let field { response.headers.append("traceresponse", field) }
    }
}

/// The field `traceparent` of W3C Trace Context, level 1.
public struct TraceParent: Hashable, Sendable {
    /// The trace: 32 lower-case hexadecimal digits, not all zero.
    public let trace: String
    /// The caller's span: 16 such digits.
    public let span: String
    /// Two such digits; the last bit says that the caller keeps the trace.
    public let flags: String

    /// Reads the field; a missing, repeated or malformed one counts as not sent.
    public init?(_ headers: HeaderFields) {
        guard let first = headers.first("traceparent"),
            headers.values("traceparent").count == 1
        else { return nil }
        self.init(first)
    }

    /// Reads the field's value.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 55, bytes[2] == Self.dash, bytes[35] == Self.dash,
            bytes[52] == Self.dash, Self.areDigits(bytes[0..<2]),
            Self.areDigits(bytes[3..<35]), Self.areDigits(bytes[36..<52]),
            Self.areDigits(bytes[53..<55])
        else { return nil }
        let version = bytes[0..<2]
        // A later version may go on after another dash; ff is none.
        guard !version.elementsEqual("ff".utf8),
            bytes.count == 55
                || (!version.elementsEqual("00".utf8) && bytes[55] == Self.dash),
            !bytes[3..<35].allSatisfy({ $0 == UInt8(ascii: "0") }),
            !bytes[36..<52].allSatisfy({ $0 == UInt8(ascii: "0") })
        else { return nil }
        trace = String(decoding: bytes[3..<35], as: UTF8.self)
        span = String(decoding: bytes[36..<52], as: UTF8.self)
        flags = String(decoding: bytes[53..<55], as: UTF8.self)
    }

    private static let dash = UInt8(ascii: "-")

    private static func areDigits(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// Sixteen digits of a number.
    static func digits(_ number: UInt64) -> [UInt8] {
        var digits = [UInt8](repeating: 0, count: 16)
        for place in 0..<16 {
            let digit = UInt8(truncatingIfNeeded: number >> (60 - 4 * UInt64(place))) & 15
            digits[place] = digit < 10 ? 0x30 + digit : 0x57 + digit
        }
        return digits
    }
}

/// Gives every request a number that no other one has in the life of the process.
public final class RequestNumbers: Sendable {
    private let next: Atomic<UInt64>

    /// Begins anywhere, so that processes do not repeat each other's numbers.
    public init(from start: UInt64 = .random(in: .min ... .max)) { next = Atomic(start) }

    /// The next number, never zero.
    public func take() -> UInt64 {
        while true {
            // An odd step visits every number before one comes again, and neighbours look unlike.
            let number = next.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
            if number != 0 { return number }
        }
    }
}
