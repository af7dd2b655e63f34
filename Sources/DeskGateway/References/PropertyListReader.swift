/// Reads binary property lists from untrusted senders, strictly.
///
/// A list may name one object many times; what is limited is therefore what comes out.
package struct PropertyListReader {
    /// Deepest nesting.
    package static let maximumDepth = 32
    /// Most objects in the bytes.
    package static let maximumObjects = 65_536
    /// Most values that come out, keys counted.
    package static let maximumValues = 131_072
    /// Most bytes of texts and data that come out, for each byte that goes in.
    package static let maximumGrowth = 4

    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let count: Int
    /// Where the table of offsets begins; objects end before.
    private let table: Int

    private var valuesLeft = maximumValues
    private var bytesLeft: Int
    /// The containers that are being read, from the outermost.
    private var path: [Int] = []

    /// Reads the list that the bytes are.
    package static func read(_ bytes: [UInt8]) throws(PropertyListFault) -> PropertyList {
        guard bytes.starts(with: "bplist00".utf8) else { throw .notPropertyList }
        guard bytes.count >= 8 + 1 + 1 + 32 else { throw .trailer }
        let trailer = bytes.count - 32
        let count = number(bytes, at: trailer + 8, size: 8)
        let top = number(bytes, at: trailer + 16, size: 8)
        let table = number(bytes, at: trailer + 24, size: 8)
        let offsetSize = Int(bytes[trailer + 6])
        let referenceSize = Int(bytes[trailer + 7])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), count > 0, top < count
        else { throw .trailer }
        guard count <= UInt64(maximumObjects) else { throw .tooLarge }
        guard table >= 9, table < UInt64(trailer),
            Int(table) + Int(count) * offsetSize == trailer
        else { throw .trailer }
        var reader = PropertyListReader(
            bytes: bytes, offsetSize: offsetSize, referenceSize: referenceSize, count: Int(count),
            table: Int(table))
        return try reader.object(Int(top))
    }

    private init(bytes: [UInt8], offsetSize: Int, referenceSize: Int, count: Int, table: Int) {
        self.bytes = bytes
        self.offsetSize = offsetSize
        self.referenceSize = referenceSize
        self.count = count
        self.table = table
        bytesLeft = bytes.count * Self.maximumGrowth
    }

    private mutating func object(_ place: Int) throws(PropertyListFault) -> PropertyList {
        guard valuesLeft > 0 else { throw .tooLarge }
        valuesLeft -= 1
        let offset = Self.number(bytes, at: table + place * offsetSize, size: offsetSize)
        guard offset >= 8, offset < UInt64(table) else { throw .outOfBounds }
        var at = Int(offset)
        let marker = bytes[at]
        at += 1
        let low = Int(marker & 0x0F)
        switch marker >> 4 {
        case 0x0:
            guard marker == 0x08 || marker == 0x09 else { throw .kind }
            return .bool(marker == 0x09)
        case 0x1: return .integer(try integer(low, &at))
        case 0x2:
            guard low == 2 || low == 3 else { throw .kind }
            let bits = try take(1 << low, &at)
            return .real(
                low == 2
                    ? Double(Float(bitPattern: UInt32(bits))) : Double(bitPattern: bits))
        case 0x4: return .data(Array(try slice(of: length(low, &at), unit: 1, at)))
        case 0x5:
            let text = try slice(of: length(low, &at), unit: 1, at)
            guard text.allSatisfy({ $0 < 0x80 }) else { throw .text }
            return .string(String(decoding: text, as: UTF8.self))
        case 0x6: return .string(try wideText(slice(of: length(low, &at), unit: 2, at)))
        case 0x8:
            guard low < 8 else { throw .kind }
            return .uid(try take(low + 1, &at))
        case 0xA: return try array(place, length(low, &at), at)
        case 0xD: return try dictionary(place, length(low, &at), at)
        default: throw .kind
        }
    }

    private mutating func array(
        _ place: Int, _ count: Int, _ at: Int
    ) throws(PropertyListFault) -> PropertyList {
        try enter(place)
        let references = try references(count, at)
        var elements: [PropertyList] = []
        for reference in references { elements.append(try object(reference)) }
        path.removeLast()
        return .array(elements)
    }

    private mutating func dictionary(
        _ place: Int, _ count: Int, _ at: Int
    ) throws(PropertyListFault) -> PropertyList {
        try enter(place)
        let references = try references(count * 2, at)
        var members: [PropertyList.Member] = []
        var keys: Set<[UInt8]> = []
        for (key, value) in zip(references[..<count], references[count...]) {
            guard case .string(let name) = try object(key), keys.insert(Array(name.utf8)).inserted
            else { throw .key }
            members.append(PropertyList.Member(name, try object(value)))
        }
        path.removeLast()
        return .dictionary(members)
    }

    private mutating func enter(_ place: Int) throws(PropertyListFault) {
        guard !path.contains(place) else { throw .cycle }
        guard path.count < Self.maximumDepth else { throw .tooDeep }
        path.append(place)
    }

    private func references(_ count: Int, _ at: Int) throws(PropertyListFault) -> [Int] {
        guard count <= (table - at) / referenceSize else { throw .outOfBounds }
        var places: [Int] = []
        places.reserveCapacity(count)
        for index in 0..<count {
            let place = Self.number(bytes, at: at + index * referenceSize, size: referenceSize)
            guard place < UInt64(self.count) else { throw .outOfBounds }
            places.append(Int(place))
        }
        return places
    }

    /// How many units follow: in the marker, or in an integer after it.
    private func length(_ low: Int, _ at: inout Int) throws(PropertyListFault) -> Int {
        guard low == 15 else { return low }
        guard at < table, bytes[at] >> 4 == 0x1 else { throw .outOfBounds }
        let size = Int(bytes[at] & 0x0F)
        at += 1
        let count = try integer(size, &at)
        // Nothing in the bytes can be longer than they are.
        guard count >= 0, count <= Int64(table) else { throw .outOfBounds }
        return Int(count)
    }

    private func integer(_ low: Int, _ at: inout Int) throws(PropertyListFault) -> Int64 {
        guard low <= 3 else { throw .kind }
        let bits = try take(1 << low, &at)
        // Eight bytes are signed, fewer are not.
        return Int64(bitPattern: bits)
    }

    private func take(_ size: Int, _ at: inout Int) throws(PropertyListFault) -> UInt64 {
        guard size <= table - at else { throw .outOfBounds }
        defer { at += size }
        return Self.number(bytes, at: at, size: size)
    }

    private mutating func slice(
        of count: Int, unit: Int, _ at: Int
    ) throws(PropertyListFault) -> ArraySlice<UInt8> {
        guard count <= (table - at) / unit else { throw .outOfBounds }
        guard count * unit <= bytesLeft else { throw .tooLarge }
        bytesLeft -= count * unit
        return bytes[at..<at + count * unit]
    }

    private func wideText(_ slice: ArraySlice<UInt8>) throws(PropertyListFault) -> String {
        var units: [UInt16] = []
        units.reserveCapacity(slice.count / 2)
        var at = slice.startIndex
        while at < slice.endIndex {
            units.append(UInt16(slice[at]) << 8 | UInt16(slice[at + 1]))
            at += 2
        }
        guard let text = String(validating: units, as: UTF16.self) else { throw .text }
        return text
    }

    private static func number(_ bytes: [UInt8], at: Int, size: Int) -> UInt64 {
        var number: UInt64 = 0
        for byte in bytes[at..<at + size] { number = number << 8 | UInt64(byte) }
        return number
    }
}
