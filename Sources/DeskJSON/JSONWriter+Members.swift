package import DeskModel

/// Objects and arrays by closures, so that brackets always pair up, and members by their names.
extension JSONWriter {
    /// The text of one object.
    @inlinable package static func object(
        capacity: Int = 512, _ fill: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var text = JSONWriter(capacity: capacity)
        text.object(fill)
        return text.bytes
    }

    /// The text of one array with an element for each item.
    @inlinable package static func array<Item>(
        _ items: some Sequence<Item>, _ write: (inout JSONWriter, Item) -> Void
    ) -> [UInt8] {
        var text = JSONWriter()
        text.array { text in
            for item in items { write(&text, item) }
        }
        return text.bytes
    }

    /// Writes an object as a value.
    @inlinable package mutating func object(_ fill: (inout JSONWriter) -> Void) {
        beginObject()
        fill(&self)
        endObject()
    }

    /// Writes an array as a value.
    @inlinable package mutating func array(_ fill: (inout JSONWriter) -> Void) {
        beginArray()
        fill(&self)
        endArray()
    }

    /// Writes a member whose value the closure writes: exactly one.
    @inlinable package mutating func member(
        _ name: StaticString, _ value: (inout JSONWriter) -> Void
    ) {
        key(name)
        value(&self)
    }

    /// Writes a number as a value.
    @inlinable package mutating func number(_ value: Int) { integer(value) }

    /// Writes a member whose value is text, or null.
    @inlinable package mutating func member(_ name: StaticString, _ value: String?) {
        key(name)
        if let value { string(value) } else { null() }
    }

    /// Writes a member whose value is a whole number.
    @inlinable package mutating func member(_ name: StaticString, _ value: Int) {
        key(name)
        integer(value)
    }

    /// Writes a member whose value is true or false.
    @inlinable package mutating func member(_ name: StaticString, _ value: Bool) {
        key(name)
        bool(value)
    }

    /// Writes a member whose value is a moment, or null.
    package mutating func member(_ name: StaticString, _ value: Timestamp?) {
        guard let value else { return member(name, nil as String?) }
        key(name)
        unsafe plainString(count: Timestamp.textCount) { unsafe value.writeText(to: $0) }
    }

    /// Writes a member whose value is a name of the server.
    package mutating func member(_ name: StaticString, _ value: UniqueID) {
        key(name)
        unsafe plainString(count: UniqueID.textCount) { unsafe value.writeText(to: $0) }
    }

    /// Writes a member whose value is a digest.
    package mutating func member(_ name: StaticString, _ value: Digest) {
        key(name)
        unsafe plainString(count: Digest.textCount) { unsafe value.writeText(to: $0) }
    }

    /// Writes a member whose value is JSON text already.
    @inlinable package mutating func member(_ name: StaticString, raw value: [UInt8]) {
        key(name)
        raw(value)
    }
}
