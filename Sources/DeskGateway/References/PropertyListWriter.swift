/// Writes binary property lists, as Python's `plistlib` does: equal scalars once, smallest sizes.
package struct PropertyListWriter {
    private var objects: [PropertyList] = []
    /// For each dictionary and array, where its parts are.
    private var parts: [Int: [Int]] = [:]
    private var places: [PropertyList: Int] = [:]

    /// The bytes of a value.
    package static func bytes(of value: PropertyList) -> [UInt8] {
        var writer = PropertyListWriter()
        _ = writer.place(value)
        return writer.write()
    }

    private mutating func place(_ value: PropertyList) -> Int {
        switch value {
        case .dictionary(let members):
            let own = add(value)
            let keys = members.map { place(.string($0.key)) }
            parts[own] = keys + members.map { place($0.value) }
            return own
        case .array(let elements):
            let own = add(value)
            parts[own] = elements.map { place($0) }
            return own
        case .string, .data, .integer, .bool, .real, .uid:
            if let known = places[value] { return known }
            let own = add(value)
            places[value] = own
            return own
        }
    }

    private mutating func add(_ value: PropertyList) -> Int {
        objects.append(value)
        return objects.count - 1
    }

    private func write() -> [UInt8] {
        var out = Array("bplist00".utf8)
        let referenceSize = Self.size(of: UInt64(objects.count))
        var offsets: [UInt64] = []
        for (place, object) in objects.enumerated() {
            offsets.append(UInt64(out.count))
            append(object, references: parts[place] ?? [], referenceSize, to: &out)
        }
        let table = UInt64(out.count)
        let offsetSize = Self.size(of: table)
        for offset in offsets { Self.append(offset, size: offsetSize, to: &out) }
        out.append(contentsOf: [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)])
        for number in [UInt64(objects.count), 0, table] { Self.append(number, size: 8, to: &out) }
        return out
    }

    private func append(
        _ object: PropertyList, references: [Int], _ size: Int, to out: inout [UInt8]
    ) {
        switch object {
        case .dictionary(let members): Self.appendMarker(0xD0, count: members.count, to: &out)
        case .array(let elements): Self.appendMarker(0xA0, count: elements.count, to: &out)
        case .string(let text): Self.append(text, to: &out)
        case .data(let bytes):
            Self.appendMarker(0x40, count: bytes.count, to: &out)
            out.append(contentsOf: bytes)
        case .integer(let number): Self.append(number, to: &out)
        case .bool(let isTrue): out.append(isTrue ? 0x09 : 0x08)
        case .real(let number):
            out.append(0x23)
            Self.append(number.bitPattern, size: 8, to: &out)
        case .uid(let place):
            let size = Self.size(of: place)
            out.append(0x80 | UInt8(size - 1))
            Self.append(place, size: size, to: &out)
        }
        for place in references { Self.append(UInt64(place), size: size, to: &out) }
    }

    private static func append(_ text: String, to out: inout [UInt8]) {
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            appendMarker(0x50, count: text.utf8.count, to: &out)
            out.append(contentsOf: text.utf8)
        } else {
            appendMarker(0x60, count: text.utf16.count, to: &out)
            for unit in text.utf16 { append(UInt64(unit), size: 2, to: &out) }
        }
    }

    private static func append(_ number: Int64, to out: inout [UInt8]) {
        let size = number < 0 ? 8 : size(of: UInt64(number))
        out.append(0x10 | UInt8(size.trailingZeroBitCount))
        append(UInt64(bitPattern: number), size: size, to: &out)
    }

    private static func appendMarker(_ marker: UInt8, count: Int, to out: inout [UInt8]) {
        guard count >= 15 else { return out.append(marker | UInt8(count)) }
        out.append(marker | 0x0F)
        append(Int64(count), to: &out)
    }

    private static func append(_ number: UInt64, size: Int, to out: inout [UInt8]) {
        for place in (0..<size).reversed() {
            out.append(UInt8(truncatingIfNeeded: number >> UInt64(place * 8)))
        }
    }

    /// Bytes that a number needs: 1, 2, 4 or 8.
    private static func size(of number: UInt64) -> Int {
        switch number {
        case 0..<(1 << 8): 1
        case 0..<(1 << 16): 2
        case 0..<(1 << 32): 4
        default: 8
        }
    }
}
