/// Reads an event stream (`text/event-stream`, HTML 9.2.6) piece by piece, as a client does.
public struct EventStreamParser: Sendable {
    /// One event of the stream.
    public struct Event: Sendable, Equatable {
        /// The id that it brings; nil when it has none.
        public let id: String?
        /// What stands behind `event:`, or `message`.
        public let type: String
        /// The bytes of its data; lines are separated by a line feed.
        public let data: [UInt8]

        /// Puts an event together.
        public init(id: String?, type: String, data: [UInt8]) {
            self.id = id
            self.type = type
            self.data = data
        }
    }

    /// A line or an event of the stream is longer than the limit.
    public struct TooLong: Error, Sendable, Equatable {}

    /// How long to wait before the stream is opened again, in milliseconds, as the server wishes.
    public private(set) var retryMilliseconds: Int?

    private let limit: Int
    private var line: [UInt8] = []
    private var isAfterReturn = false
    private var isAtStart = true
    private var id: String?
    private var type = ""
    private var data: [UInt8] = []
    private var hasData = false

    /// Begins a stream.
    ///
    /// Limit: `limit` bytes of a line, and of an event's data.
    public init(limit: Int) { self.limit = limit }

    /// The events that end within the piece, in order.
    ///
    /// - Throws: when a line or the data of an event exceeds the limit; the stream cannot be read on.
    public mutating func read(_ piece: [UInt8]) throws(TooLong) -> [Event] {
        var events: [Event] = []
        for byte in piece {
            let endedByReturn = isAfterReturn
            isAfterReturn = byte == 0x0D
            // A line feed right behind a carriage return belongs to it.
            if byte == 0x0A, endedByReturn { continue }
            guard byte == 0x0A || byte == 0x0D else {
                guard line.count < limit else { throw TooLong() }
                line.append(byte)
                continue
            }
            if let event = try endLine() { events.append(event) }
        }
        return events
    }

    private mutating func endLine() throws(TooLong) -> Event? {
        defer { line.removeAll(keepingCapacity: true) }
        if isAtStart {
            isAtStart = false
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        }
        guard !line.isEmpty else { return endEvent() }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[colon...].dropFirst()
        if value.first == 0x20 { value = value.dropFirst() }
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "data":
            if hasData { data.append(0x0A) }
            guard data.count + value.count <= limit else { throw TooLong() }
            data.append(contentsOf: value)
            hasData = true
        case "event": type = String(decoding: value, as: UTF8.self)
        case "id": if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
        case "retry": if let wait = number(value) { retryMilliseconds = wait }
        default: break  // A comment, or a field that the standard does not know.
        }
        return nil
    }

    private mutating func endEvent() -> Event? {
        defer {
            (id, type, hasData) = (nil, "", false)
            data.removeAll(keepingCapacity: true)
        }
        guard hasData else { return nil }
        return Event(id: id, type: type.isEmpty ? "message" : type, data: data)
    }

    private func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard !digits.isEmpty, digits.count <= 9,
            digits.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
