/// An ordered list of header fields; names are compared as bytes without regard to ASCII case.
///
/// All text is in one array, so a parsed head costs two allocations however many fields it has.
public struct HeaderFields: Sendable {
    /// Where one field's name and value lie in `bytes`.
    struct Slot: Sendable {
        var nameStart: UInt32
        var nameCount: UInt32
        var valueStart: UInt32
        var valueCount: UInt32
    }

    private(set) var bytes: [UInt8] = []
    private(set) var slots: [Slot] = []

    /// Makes an empty list.
    public init() {}

    /// Adopts text that the parser has validated already.
    init(bytes: [UInt8], slots: [Slot]) {
        self.bytes = bytes
        self.slots = slots
    }

    /// How many fields there are, repeated names counted each time.
    public var count: Int { slots.count }

    /// Whether there is no field at all.
    public var isEmpty: Bool { slots.isEmpty }

    /// Appends a field and returns whether it was accepted.
    ///
    /// A name that is no token, or a value with CR, LF, NUL or another control byte, is refused:
    /// then nothing is added and the answer is false.
    @discardableResult
    public mutating func append(_ name: String, _ value: String) -> Bool {
        var value = value
        return value.withUTF8 { unsafe append(name, bytes: $0) }
    }

    /// Appends a field whose value is bytes, under the same rules.
    @discardableResult
    public mutating func append(_ name: String, _ value: [UInt8]) -> Bool {
        unsafe value.withUnsafeBufferPointer { unsafe append(name, bytes: $0) }
    }

    /// Appends every field of another list, in order.
    public mutating func append(contentsOf other: HeaderFields) {
        reserveUsual()
        let shift = UInt32(bytes.count)
        bytes.append(contentsOf: other.bytes)
        for slot in other.slots {
            slots.append(
                Slot(
                    nameStart: slot.nameStart + shift, nameCount: slot.nameCount,
                    valueStart: slot.valueStart + shift, valueCount: slot.valueCount))
        }
    }

    /// Makes room for a usual answer, instead of growing with each of its fields.
    private mutating func reserveUsual() {
        guard slots.isEmpty else { return }
        slots.reserveCapacity(8)
        bytes.reserveCapacity(256)
    }

    private mutating func append(_ name: String, bytes value: UnsafeBufferPointer<UInt8>) -> Bool {
        var name = name
        return name.withUTF8 { name in
            guard unsafe HeaderFields.accepts(name: name, value: value) else { return false }
            reserveUsual()
            let nameStart = bytes.count
            unsafe bytes.append(contentsOf: name)
            unsafe bytes.append(contentsOf: value)
            slots.append(
                Slot(
                    nameStart: UInt32(nameStart), nameCount: UInt32(name.count),
                    valueStart: UInt32(nameStart + name.count), valueCount: UInt32(value.count)))
            return true
        }
    }

    /// Replaces every field of this name by one and returns whether it was accepted.
    @discardableResult
    public mutating func set(_ name: String, _ value: String) -> Bool {
        guard HeaderFields.accepts(name: name, value: value) else { return false }
        remove(name)
        return append(name, value)
    }

    /// Removes every field of this name.
    public mutating func remove(_ name: String) {
        guard contains(name) else { return }
        slots = slots.filter { !matches($0, name) }
    }

    /// The values of this name in their order, joined by a comma and a space; nil when there is none.
    public subscript(_ name: String) -> String? {
        var joined: String?
        for slot in slots where matches(slot, name) {
            let value = text(from: slot.valueStart, count: slot.valueCount)
            joined = joined.map { "\($0), \(value)" } ?? value
        }
        return joined
    }

    /// The first value of this name; nil when there is none.
    public func first(_ name: String) -> String? {
        for index in slots.indices where matches(slots[index], name) {
            return text(from: slots[index].valueStart, count: slots[index].valueCount)
        }
        return nil
    }

    /// The value of this name when exactly one field has it; nil when none or several do.
    public func only(_ name: String) -> String? {
        onlySlot(name).map { text(from: $0.valueStart, count: $0.valueCount) }
    }

    /// The same without a copy, for callers that read bytes.
    public func onlyBytes(_ name: String) -> ArraySlice<UInt8>? {
        onlySlot(name).map { bytes[range($0.valueStart, $0.valueCount)] }
    }

    private func onlySlot(_ name: String) -> Slot? {
        var found: Slot?
        for index in slots.indices where matches(slots[index], name) {
            guard found == nil else { return nil }
            found = slots[index]
        }
        return found
    }

    /// Every value of this name in order.
    public func values(_ name: String) -> [String] {
        var values: [String] = []
        for index in slots.indices where matches(slots[index], name) {
            values.append(text(from: slots[index].valueStart, count: slots[index].valueCount))
        }
        return values
    }

    /// Whether a field of this name is present.
    public func contains(_ name: String) -> Bool {
        slots.contains { matches($0, name) }
    }

    /// All fields in order, names as they were written.
    public var all: [(name: String, value: String)] {
        slots.map {
            (
                name: text(from: $0.nameStart, count: $0.nameCount),
                value: text(from: $0.valueStart, count: $0.valueCount)
            )
        }
    }

    /// Writes all fields as they go over the wire.
    func write(into output: inout [UInt8]) {
        for slot in slots {
            output.append(contentsOf: bytes[range(slot.nameStart, slot.nameCount)])
            output.append(UInt8(ascii: ":"))
            output.append(UInt8(ascii: " "))
            output.append(contentsOf: bytes[range(slot.valueStart, slot.valueCount)])
            output.append(UInt8(ascii: "\r"))
            output.append(UInt8(ascii: "\n"))
        }
    }

    private static func accepts(name: String, value: String) -> Bool {
        var name = name
        var value = value
        return name.withUTF8 { name in
            value.withUTF8 { unsafe accepts(name: name, value: $0) }
        }
    }

    /// Reads the text in place: each response is checked like this about five times.
    private static func accepts(
        name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard !name.isEmpty, name.count < 256, value.count <= 65_536 else { return false }
        for index in name.indices {
            guard unsafe ByteClass.isToken(name[index]) else { return false }
        }
        for index in value.indices {
            guard unsafe ByteClass.isFieldText(value[index]) else { return false }
        }
        return true
    }

    private func matches(_ slot: Slot, _ name: String) -> Bool {
        guard Int(slot.nameCount) == name.utf8.count else { return false }
        var name = name
        return name.withUTF8 { name in
            let start = Int(slot.nameStart)
            for place in name.indices {
                guard
                    unsafe ByteClass.lowercased(bytes[start + place])
                        == ByteClass.lowercased(name[place])
                else { return false }
            }
            return true
        }
    }

    private func range(_ start: UInt32, _ count: UInt32) -> Range<Int> {
        Int(start)..<(Int(start) + Int(count))
    }

    private func text(from start: UInt32, count: UInt32) -> String {
        String(decoding: bytes[range(start, count)], as: UTF8.self)
    }
}

extension HeaderFields: ExpressibleByDictionaryLiteral {
    /// Makes a list of fields in the order written; a field that `append` refuses is left out.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init()
        for (name, value) in elements { append(name, value) }
    }
}

extension HeaderFields: Equatable {
    /// Whether both have the same names and values, byte for byte, in the same order.
    public static func == (left: HeaderFields, right: HeaderFields) -> Bool {
        var first: [UInt8] = []
        var second: [UInt8] = []
        left.write(into: &first)
        right.write(into: &second)
        return first == second
    }
}
