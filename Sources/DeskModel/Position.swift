import DeskBytes

/// Names one life of the store: made at creation, new at each restore; small enough to read aloud.
public struct Epoch: Hashable, Sendable, CustomStringConvertible {
    /// Eight bytes from a random source, never zero.
    public let value: UInt64

    /// Makes an epoch of its stored value.
    public init(_ value: UInt64) { self.value = value }

    /// Reads one to sixteen lower-case hexadecimal digits; anything else is nil.
    public init?(_ text: some StringProtocol) {
        guard (1...16).contains(text.utf8.count) else { return nil }
        var value: UInt64 = 0
        for byte in text.utf8 {
            guard let digit = ASCII.hexValue(byte),
                !(UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte)
            else { return nil }
            value = value << 4 | UInt64(digit)
        }
        self.value = value
    }

    /// Lower-case hexadecimal digits.
    public var text: String { String(value, radix: 16) }

    /// The same as `text`.
    public var description: String { text }
}

/// A place in the log: 1, 2, 3 … over all businesses, without gaps; 0 is before the first event.
public struct Position: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The count of events up to and including this one.
    public let value: Int64

    /// Makes a position of a count that is not negative.
    public init(_ value: Int64) {
        precondition(value >= 0, "position \(value) is negative")
        self.value = value
    }

    /// Before the first event.
    public static let start = Position(0)

    /// The earlier place is the smaller one.
    public static func < (left: Position, right: Position) -> Bool { left.value < right.value }

    /// The number in decimal digits.
    public var description: String { String(value) }
}

/// Names one event for ever: `<epoch>-<position>`; a stream's `Last-Event-ID`.
public struct EventID: Hashable, Sendable, CustomStringConvertible {
    /// The life of the store that the position belongs to.
    public let epoch: Epoch
    /// The place in that life's log.
    public let position: Position

    /// Puts the two together.
    public init(epoch: Epoch, position: Position) {
        self.epoch = epoch
        self.position = position
    }

    /// Reads `<epoch>-<position>`; a sign, a leading zero or a number over 2^53 is nil.
    public init?(_ text: some StringProtocol) {
        let bytes = text.utf8
        guard bytes.count <= 40, let dash = bytes.firstIndex(of: UInt8(ascii: "-")),
            let epoch = Epoch(text[..<dash])
        else { return nil }
        var value: Int64 = 0
        var digits = 0
        for byte in bytes[bytes.index(after: dash)...] {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), digits < 16,
                !(digits == 1 && value == 0)
            else { return nil }
            value = value * 10 + Int64(byte - UInt8(ascii: "0"))
            digits += 1
        }
        guard digits > 0, value <= 1 << 53 else { return nil }
        self.init(epoch: epoch, position: Position(value))
    }

    /// `<epoch>-<position>`.
    public var text: String { "\(epoch.text)-\(position.value)" }

    /// The same as `text`.
    public var description: String { text }
}

/// A message's place in its conversation: 1, 2, 3 … without gaps, in commit order.
public struct SequenceNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The count of messages up to and including this one; 0 is before the first.
    public let value: Int64

    /// Makes a number of a count that is not negative.
    public init(_ value: Int64) {
        precondition(value >= 0, "sequence \(value) is negative")
        self.value = value
    }

    /// Before the first message.
    public static let start = SequenceNumber(0)

    /// The number after this one.
    public var next: SequenceNumber { SequenceNumber(value + 1) }

    /// The earlier place is the smaller one.
    public static func < (left: SequenceNumber, right: SequenceNumber) -> Bool {
        left.value < right.value
    }

    /// The number in decimal digits.
    public var description: String { String(value) }
}
