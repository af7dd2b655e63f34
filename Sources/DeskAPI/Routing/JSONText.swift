import DeskJSON
public import DeskModel

/// Writes JSON text by closures, so that brackets always pair up.
public struct JSONText: Sendable {
    private var writer: JSONWriter

    /// Starts with room for a usual answer.
    public init(capacity: Int = 512) { writer = JSONWriter(reserving: capacity) }

    /// The text so far.
    public var bytes: [UInt8] { writer.bytes }

    /// The text of one object.
    public static func object(
        capacity: Int = 512, _ fill: (inout JSONText) -> Void
    ) -> [UInt8] {
        var text = JSONText(capacity: capacity)
        text.object(fill)
        return text.bytes
    }

    /// The text of one array with an element for each item.
    public static func array<Item>(
        _ items: some Sequence<Item>, _ write: (inout JSONText, Item) -> Void
    ) -> [UInt8] {
        var text = JSONText()
        text.array { text in
            for item in items { write(&text, item) }
        }
        return text.bytes
    }

    /// Writes an object as a value.
    public mutating func object(_ fill: (inout JSONText) -> Void) {
        writer.beginObject()
        fill(&self)
        writer.endObject()
    }

    /// Writes an array as a value.
    public mutating func array(_ fill: (inout JSONText) -> Void) {
        writer.beginArray()
        fill(&self)
        writer.endArray()
    }

    /// Writes a member whose value the closure writes: exactly one.
    public mutating func member(_ name: StaticString, _ value: (inout JSONText) -> Void) {
        writer.key(name)
        value(&self)
    }

    /// Writes a number as a value.
    public mutating func number(_ value: Int) { writer.integer(value) }

    /// Writes null as a value.
    public mutating func null() { writer.null() }

    /// Writes a member whose value is text, or null.
    public mutating func member(_ name: StaticString, _ value: String?) {
        writer.key(name)
        if let value { writer.string(value) } else { writer.null() }
    }

    /// Writes a member whose value is a whole number.
    public mutating func member(_ name: StaticString, _ value: Int) {
        writer.key(name)
        writer.integer(value)
    }

    /// Writes a member whose value is true or false.
    public mutating func member(_ name: StaticString, _ value: Bool) {
        writer.key(name)
        writer.bool(value)
    }

    /// Writes a member whose value is a moment, or null.
    public mutating func member(_ name: StaticString, _ value: Timestamp?) {
        guard let value else { return member(name, nil as String?) }
        writer.key(name)
        unsafe writer.plainString(count: Timestamp.textCount) { unsafe value.writeText(to: $0) }
    }

    /// Writes a member whose value is a name of the server.
    public mutating func member(_ name: StaticString, _ value: UniqueID) {
        writer.key(name)
        unsafe writer.plainString(count: UniqueID.textCount) { unsafe value.writeText(to: $0) }
    }

    /// Writes a member whose value is a digest.
    public mutating func member(_ name: StaticString, _ value: Digest) {
        writer.key(name)
        unsafe writer.plainString(count: Digest.textCount) { unsafe value.writeText(to: $0) }
    }

    /// Writes a member whose value is JSON text already.
    public mutating func member(_ name: StaticString, raw value: [UInt8]) {
        writer.key(name)
        writer.raw(value)
    }

    /// Writes a text as a value.
    public mutating func string(_ value: String) { writer.string(value) }

    /// Writes JSON text that is whole and well-formed as a value.
    public mutating func raw(_ value: [UInt8]) { writer.raw(value) }
}
