/// A compiled file of the IANA time zone database (RFC 8536).
enum ZoneFile {
    /// Largest file in bytes that is read; those of the database have below 4,000.
    static let maximumBytes = 65_536

    private static let headerBytes = 44

    /// The counts of a header, in their order.
    private struct Header {
        let version: UInt8
        let utcMarks: Int
        let standardMarks: Int
        let leapSeconds: Int
        let changes: Int
        let types: Int
        let nameBytes: Int

        init?(_ bytes: [UInt8], at place: Int) {
            guard place + headerBytes <= bytes.count,
                bytes[place..<place + 4].elementsEqual("TZif".utf8)
            else { return nil }
            version = bytes[place + 4]
            func count(_ index: Int) -> Int {
                Int(ZoneFile.integer(bytes, at: place + 20 + index * 4, bytes: 4))
            }
            utcMarks = count(0)
            standardMarks = count(1)
            leapSeconds = count(2)
            changes = count(3)
            types = count(4)
            nameBytes = count(5)
            let all = [utcMarks, standardMarks, leapSeconds, changes, types, nameBytes]
            guard all.allSatisfy({ (0...ZoneFile.maximumBytes).contains($0) }), types > 0 else {
                return nil
            }
        }

        /// The bytes of the block behind it, whose moments have so many bytes.
        func blockBytes(momentBytes: Int) -> Int {
            changes * (momentBytes + 1) + types * 6 + nameBytes + leapSeconds * (momentBytes + 4)
                + standardMarks + utcMarks
        }
    }

    /// Reads a file; nil where it is none, or one of the version of before 2005.
    static func read(_ bytes: [UInt8]) -> ZoneRules? {
        guard bytes.count <= maximumBytes, let old = Header(bytes, at: 0),
            old.version >= UInt8(ascii: "2")
        else { return nil }
        // The first block is for readers that know no 64 bits.
        let start = headerBytes + old.blockBytes(momentBytes: 4)
        guard let header = Header(bytes, at: start) else { return nil }
        let block = start + headerBytes
        let end = block + header.blockBytes(momentBytes: 8)
        guard end <= bytes.count, header.leapSeconds == 0 else { return nil }
        let kinds = block + header.changes * 8
        let types = kinds + header.changes
        func offset(_ type: Int) -> Int {
            Int(integer(bytes, at: types + type * 6, bytes: 4))
        }
        var changes: [ZoneRules.Change] = []
        changes.reserveCapacity(header.changes)
        for index in 0..<header.changes {
            let type = Int(bytes[kinds + index])
            let at = Int(integer(bytes, at: block + index * 8, bytes: 8))
            guard type < header.types, changes.last.map({ $0.at < at }) ?? true else { return nil }
            changes.append(ZoneRules.Change(at: at, offset: offset(type)))
        }
        guard let footer = footer(bytes, at: end) else { return nil }
        var rest: YearlyRule?
        if !footer.isEmpty {
            guard let rule = YearlyRule(footer) else { return nil }
            rest = rule
        }
        return ZoneRules(first: offset(0), changes: changes, rest: rest)
    }

    /// What stands between the two ends of line behind the block.
    private static func footer(_ bytes: [UInt8], at place: Int) -> [UInt8]? {
        let rest = bytes[place...]
        guard rest.first == UInt8(ascii: "\n"),
            let end = rest.dropFirst().firstIndex(of: UInt8(ascii: "\n"))
        else { return nil }
        return Array(bytes[place + 1..<end])
    }

    /// A number with its sign, highest byte first.
    private static func integer(_ bytes: [UInt8], at place: Int, bytes count: Int) -> Int64 {
        var value: Int64 = bytes[place] & 0x80 == 0 ? 0 : -1
        for byte in bytes[place..<place + count] { value = value << 8 | Int64(byte) }
        return value
    }
}
